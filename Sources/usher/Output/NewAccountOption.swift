internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel

/// For admin actions on an account that may be misspelt: one that nothing is known of is named so.
struct NewAccountOption: ParsableArguments {
    @Flag(help: "The account is new: nothing is known about it yet.")
    var newAccount = false

    /// - Throws: `.unknownAccount` where nothing is known of it and nobody has said so.
    func check(_ account: AccountID, _ call: ServiceCall) throws(CommandFailure) {
        guard !newAccount else { return }
        let report = try Answered<AccountReport>(
            received: call.get("/v1/accounts/" + account.inPath))
        if report.value.saysNothing { throw .unknownAccount(account.text) }
    }
}

extension AccountReport {
    /// Whether nothing is known of the account.
    var saysNothing: Bool {
        units.isEmpty && balances.isEmpty && grants.isEmpty && blocks.isEmpty && claims.isEmpty
            && findings.isEmpty && !rights.contains(where: \.decision)
    }
}
