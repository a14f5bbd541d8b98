internal import EntitlementModel
internal import LedgerModel

/// A call that names an account which was merged into another is not carried out for either of
/// them: whoever calls has to know which one is meant (spec 1.6). Evidence and orders follow.
extension EngineTransaction {
    /// The account that has what this one had; nil where it was not merged into another.
    func mergedInto(_ account: AccountID) throws(LedgerError) -> AccountID? {
        try transaction.mergedInto(account, policy)
    }
}

extension LedgerReading {
    /// As the transaction's.
    func mergedInto(
        _ account: AccountID, _ policy: ActivePolicy
    ) throws(LedgerError) -> AccountID? {
        let name = policy.name(account)
        let standing = try self.account(standingFor: name, policy)
        return standing == name ? nil : standing
    }
}
