/// "These two accounts are one person's": what the first has, the second has from now on
/// (spec 1.6). What follows from it are facts of their own, recorded after it in its commit.
///
/// Nothing merges by itself: an authorised caller says so.
package struct AccountMerge: Hashable, Sendable {
    /// The account that is left without what it had.
    package var from: AccountID
    package var into: AccountID
    /// The merge that this takes back; nil for a merge.
    package var undoes: LedgerSequence?
    package var actor: String
    package var reason: String
    /// `ClaimRules.version` of the program that decided what follows from it.
    package var rules: Int64

    package init(
        from: AccountID, into: AccountID, undoes: LedgerSequence? = nil, actor: String,
        reason: String, rules: Int64 = ClaimRules.version
    ) {
        self.from = from
        self.into = into
        self.undoes = undoes
        self.actor = actor
        self.reason = reason
        self.rules = rules
    }
}
