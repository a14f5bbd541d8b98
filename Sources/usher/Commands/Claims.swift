internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel

/// `usher claims …`: who presents what, and what a person decides (spec 1.6).
struct Claims: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "claims",
        abstract: "List claims on purchases, and decide them by hand.",
        discussion: "Example: usher claims list",
        subcommands: [
            ClaimsList.self, ClaimsApprove.self, ClaimsRefuse.self, ClaimsTransfer.self,
            ClaimsRelease.self, ClaimsUndo.self,
        ])
}

/// `usher claims list [ACCOUNT]`.
struct ClaimsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the claims waiting for a decision, or all claims of an account.",
        discussion: "Example: usher claims list mallory")

    @Argument(help: "The account; all waiting claims if omitted.", transform: readName)
    var account: AccountID?

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        guard account != nil || reading.at == nil else {
            throw ValidationError("--at requires an account: waiting claims are listed as of now")
        }
    }

    func run() throws {
        try reading.output.attempt(quiet: reading.quiet) { () throws(CommandFailure) in
            let answer = if let account { try claims(of: account) } else { try waiting() }
            try reading.output.show(answer, quiet: reading.quiet) { value, page in
                if value.claims.isEmpty { page.add(AccountPhrase.noClaims.text(page.language)) }
                for claim in value.claims { page.add(claim) }
            }
        }
    }

    private func waiting() throws(CommandFailure) -> Answered<ClaimList> {
        try reading.answer("/v1/claims", [("state", "waiting")]) {
            questions throws(EngineError) in
            try questions.waitingClaims()
        }
    }

    /// Its own, and those of others on what it owns: a part of all that is known of it.
    private func claims(of account: AccountID) throws(CommandFailure) -> Answered<ClaimList> {
        Answered(ClaimList(claims: try reading.accountReport(account).value.claims))
    }
}

extension Page {
    /// A line with what belongs to it.
    mutating func add(_ claim: ClaimAnswer) {
        let branch = self.claim(claim)
        add(branch.text)
        tree(branch.branches)
    }
}
