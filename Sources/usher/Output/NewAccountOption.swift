internal import ArgumentParser
internal import EntitlementModel
internal import StrictJSON

/// For admin actions on an account that may be misspelt: one that nothing is known of is named so.
struct NewAccountOption: ParsableArguments {
    @Flag(help: "The account is new: nothing is known about it yet.")
    var newAccount = false

    /// - Throws: `.unknownAccount` where nothing is known of it and nobody has said so.
    func check(_ account: AccountID, _ call: ServiceCall) throws(CommandFailure) {
        guard !newAccount else { return }
        let report = try Answered(call.get("/v1/accounts/" + account.inPath))
        if report.value.saysNothing { throw .unknownAccount(account.text) }
    }
}

extension JSONValue {
    /// Whether the report on an account has nothing in it.
    var saysNothing: Bool {
        ["units", "balances", "grants", "blocks", "claims", "findings"].allSatisfy {
            list($0).isEmpty
        } && list("rights").allSatisfy { $0["decision"]?.bool != true }
    }
}
