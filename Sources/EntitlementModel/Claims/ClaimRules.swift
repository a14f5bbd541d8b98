/// The rules that claims, rulings and merges are decided by (spec 1.6), as far as they are the
/// program's own: what a policy says of them is in the policy.
package enum ClaimRules {
    /// Raised by one whenever a mended fault, or a new rule, makes something that was decided
    /// before come out otherwise. A ledger says by which version each decision was made, and only
    /// those of its own are made again by whoever verifies it.
    ///
    /// Version 1 wrote no number.
    package static let version: Int64 = 3
}
