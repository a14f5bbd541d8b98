internal import StrictJSON

/// The calls of usher.sock about one account, and about claims.
extension DescribedCall {
    static let reports = [
        report(
            "account", "/v1/accounts/{account}",
            "Everything that support needs: rights, units, owners, balances, grants, blocks, "
                + "claims and findings.", "Account"),
        report(
            "accountTimeline", "/v1/accounts/{account}/timeline",
            "All stretches of time, with states, owners and rights.", "AccountTimeline"),
        report(
            "accountFindings", "/v1/accounts/{account}/findings",
            "What a person should look at.", "AccountFindings"),
        DescribedCall(
            name: "findings", method: "get", path: "/v1/findings",
            summary: "What a person should look at now in the whole ledger, by kind, the oldest "
                + "first. 'after' is 'next' of the page before.", isQuestion: false,
            query: ["kind", "after", "limit"],
            answers: [.json(200, "As of the revision in it.", "Findings")]),
        report(
            "accountCatalogue", "/v1/accounts/{account}/catalog",
            "What the app sells: what the account owns of it, whether it may buy it, and what "
                + "there is to say before. 'apple_id' is any key of the device's Apple ID.",
            "Catalogue"),
        report(
            "explain", "/v1/accounts/{account}/explain/{entitlement}",
            "Why the answer is what it is, and the smallest thing that would change it.",
            "Explanation"),
        DescribedCall(
            name: "preflight", method: "post", path: "/v1/preflight",
            summary: "What there is to say before the payment sheet is shown.",
            isQuestion: false, body: .reference("PreflightRequest"),
            answers: [.json(200, "Proceed, warn or block, with reasons.", "Preflight")]),
        DescribedCall(
            name: "waitingClaims", method: "get", path: "/v1/claims",
            summary: "The claims that wait for a person.", isQuestion: false,
            query: ["state"], answers: [.json(200, "In the ledger's order.", "Claims")]),
    ]

    static let actions = [
        action(
            "rule", "post", "/v1/claims/{claim}/ruling",
            "Rules on a claim: approve, refuse, transfer, release or undo.", "RulingRequest",
            "RulingRecord", 404, 409),
        action(
            "grant", "post", "/v1/grants",
            "Gives a right or credits. The Idempotency-Key, the caller's own, names the grant.",
            "GrantRequest", "GrantRecord", 409, 422, takesKey: true),
        action(
            "revokeGrant", "delete", "/v1/grants/{grant}", "Ends a grant before its time.",
            "Reason", "GrantRecord", 404),
        action(
            "block", "post", "/v1/blocks",
            "Stops an account. The Idempotency-Key, the caller's own, names the block.",
            "BlockRequest",
            "BlockRecord", 409, takesKey: true),
        action(
            "liftBlock", "delete", "/v1/blocks/{block}", "Lifts one block.", "Reason",
            "BlockRecord", 404),
        action(
            "registerToken", "post", "/v1/account-tokens",
            "Says which account an appAccountToken means.", "TokenRequest", "TokenRecord", 409),
        action(
            "merge", "post", "/v1/merges",
            "Gives all that one account has to another, which is the same person's.",
            "MergeRequest", "MergeRecord", 409),
        action(
            "undoMerge", "delete", "/v1/merges/{merge}",
            "Gives back what nobody has moved since.", "Reason", "MergeRecord", 404, 409),
        action(
            "reloadPolicy", "post", "/v1/policy/reload",
            "Puts the policy folder into force, unless it has errors, or takes something away that"
                + " 'accept_loss' does not accept: how many accounts may lose something, which is"
                + " recorded and not yet compared.", "ReloadRequest", "Reload", 422, 501),
        action(
            "backup", "post", "/v1/backup",
            "Writes a complete, checked copy of the ledger.", "Reason", "Backup", 501),
    ]

    private static func report(
        _ name: String, _ path: String, _ summary: String, _ schema: String
    ) -> DescribedCall {
        DescribedCall(
            name: name, method: "get", path: path, summary: summary, isQuestion: false,
            query: readings, answers: [.json(200, "As of the revision in it.", schema)])
    }

    private static func action(
        _ name: String, _ method: String, _ path: String, _ summary: String, _ request: String,
        _ record: String, _ refusals: Int..., takesKey: Bool = false
    ) -> DescribedCall {
        DescribedCall(
            name: name, method: method, path: path, summary: summary, isQuestion: false,
            takesKey: takesKey, body: .reference(request),
            answers: [.json(200, "Done and durable.", record)]
                + ([403] + refusals).map { .problem($0, "Not done.") })
    }
}
