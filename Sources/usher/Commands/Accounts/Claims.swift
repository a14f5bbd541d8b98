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
            ClaimsList.self, ClaimsReview.self, ClaimsApprove.self, ClaimsRefuse.self,
            ClaimsTransfer.self, ClaimsGive.self, ClaimsRelease.self, ClaimsUndo.self,
        ])
}

/// `usher claims list [ACCOUNT]`.
struct ClaimsList: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the claims waiting for a decision, or all claims of an account.",
        discussion: "Example: usher claims list mallory")

    @Argument(help: "The account; all waiting claims if omitted.", transform: readName)
    var account: AccountID?

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        try require(account != nil || reading.at == nil, or: .waitingNow)
    }

    func answer() throws(CommandFailure) -> Answered<ClaimList> {
        if let account { try claims(of: account) } else { try waiting() }
    }

    func write(_ list: ClaimList, to page: inout Page) {
        if list.claims.isEmpty { page.add(AccountPhrase.noClaims) }
        for claim in list.claims { page.add(claim) }
    }

    private func waiting() throws(CommandFailure) -> Answered<ClaimList> {
        var all: ClaimList?
        while true {
            let after = all?.next ?? .zero
            let query: Parameters = [
                ("state", "waiting"), ("limit", "1000"), ("after", "\(after.number)"),
            ]
            let page: Answered<ClaimList> = try reading.answer("/v1/claims", query) {
                questions throws(EngineError) in
                try questions.waitingClaims(after: after)
            }
            guard var claims = all else {
                if page.value.next == nil { return page }
                all = page.value
                continue
            }
            claims.claims += page.value.claims
            (claims.next, claims.revision) = (page.value.next, page.value.revision)
            if claims.next == nil { return Answered(claims) }
            all = claims
        }
    }

    /// Its own, and those of others on what it owns: a part of all that is known of it.
    private func claims(of account: AccountID) throws(CommandFailure) -> Answered<ClaimList> {
        let report = try reading.accountReport(account).value
        return Answered(ClaimList(claims: report.claims, revision: report.frame.revision))
    }
}

/// `usher claims review`.
struct ClaimsReview: LedgerReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "List the claims that the policy in force would decide otherwise today.",
        discussion: """
            A claim that was denied, or waits, is judged as if it came again now; one that was \
            accepted, by today's policy and what was known then. Nothing is changed: the command \
            that is printed with a claim applies it. What a person has decided is not listed. First \
            comes what older rules have left to a person: payments that nobody owns, and orders in \
            review. Exit codes: 0 none, 1 some, 2 no answer.

            Example: usher claims review
            """)

    @OptionGroup var part: EntryPageOptions
    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        try require(reading.at == nil, or: .reviewNow)
        try reading.requirePresent()
    }

    var path: String { "/v1/claims/review" }
    var query: Parameters { part.query }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> ClaimReviewPage? {
        try ledger.reviewedClaims(
            after: part.entry, at: reading.instant(of: ledger), limit: part.limit.limit)
    }

    /// Whether there is nothing to look at.
    func isYes(_ review: ClaimReviewPage) -> Bool {
        review.claims.isEmpty && (review.leftByOlderRules ?? []).isEmpty && review.next == nil
    }

    func write(_ review: ClaimReviewPage, to page: inout Page) { page.write(review) }
}

extension Page {
    fileprivate mutating func write(_ review: ClaimReviewPage) {
        if let left = review.leftByOlderRules, !left.isEmpty {
            add(AccountPhrase.leftByOlderRules, as: .care)
            for order in left { write(lost: order) }
        }
        if review.claims.isEmpty {
            add(AccountPhrase.nothingOtherwise, as: .good)
        }
        for reviewed in review.claims {
            let claim = claim(reviewed.claim)
            add(claim.text)
            let owners = reviewed.today.ownersAfter.map(\.text)
            var today = [Branch(rule(reviewed.today.rule))]
            if !owners.isEmpty {
                today.append(branch(AccountPhrase.owners, language.list(owners)))
            }
            let title = AccountPhrase.today.text(language, outcome(reviewed.today.outcome))
            tree(
                claim.branches + [Branch(title, today)]
                    + (reviewed.command.map { command in
                        [Branch(command: command.shown, language)]
                    } ?? []))
        }
        if let next = review.next {
            add(OrderPhrase.more, "usher claims review --after \(next)")
        }
    }

    /// A line with what belongs to it.
    mutating func add(_ claim: ClaimAnswer) {
        let branch = self.claim(claim)
        add(branch.text)
        tree(branch.branches)
    }
}

/// What the rulings share: the claim that names the purchase, and the reason.
struct RulingOptions: ParsableArguments {
    @Argument(help: "The number of the claim, as printed by 'claims list' and 'explain'.")
    var claim: Int64

    @OptionGroup var action: AdminActionOptions

    func call(
        _ verb: Ruling.Verb, account: AccountID? = nil, new: NewAccountOption? = nil,
        decision: Int64? = nil
    ) -> AdminCall {
        let body = RulingBody(
            verb: verb, account: account, decision: decision.map { LedgerSequence($0) },
            reason: action.stated)
        return AdminCall("/v1/claims/\(claim)/ruling", body, for: account, new)
    }
}

/// A command that decides a claim.
protocol RulingCommand: ActionCommand where Report == RulingAnswer {
    var ruling: RulingOptions { get }
}

extension RulingCommand {
    var action: AdminActionOptions { ruling.action }

    func write(_ ruling: RulingAnswer, to page: inout Page) {
        page.add(whole: ruling.sentence(page.language))
    }
}

extension RulingAnswer {
    /// Whose the unit is now; the first decision is the ruling's own.
    fileprivate func sentence(_ language: Language) -> String {
        let name =
            unit.lineageID.map { AccountPhrase.lineage.text(language, $0.text) }
            ?? AccountPhrase.transaction.text(language, unit.purchaseID?.text ?? "")
        let owners = decisions.first?.ownersAfter.map(\.text) ?? []
        guard !owners.isEmpty else { return AdminActionPhrase.ruledNobody.text(language, name) }
        let phrase: AdminActionPhrase = verb == .refuse ? .ruledDenied : .ruledFor
        return phrase.text(language, name, language.list(owners))
    }
}

/// `usher claims approve CLAIM`.
struct ClaimsApprove: RulingCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Give the purchase of a waiting claim to the account that made it.",
        discussion: """
            Other claims waiting for the same purchase are denied.

            Example: usher claims approve 112 --reason 'shown the receipt in chat'
            """)

    @OptionGroup var ruling: RulingOptions

    var call: AdminCall { ruling.call(.approve) }
}

/// `usher claims refuse CLAIM`.
struct ClaimsRefuse: RulingCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse",
        abstract: "Deny a claim that is waiting for a decision.",
        discussion: "Example: usher claims refuse 112 --reason 'not the buyer'")

    @OptionGroup var ruling: RulingOptions

    var call: AdminCall { ruling.call(.refuse) }
}

/// `usher claims give TRANSACTION ACCOUNT`.
struct ClaimsGive: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "give",
        abstract: "Give a payment that nobody owns to an account.",
        discussion: """
            It needs no claim. What another account owns is moved by 'claims transfer'.

            Example: usher claims give 400000000001001 alice --reason 'shown the receipt in chat'
            """)

    @Argument(help: "The transaction of the payment.", transform: readName)
    var transaction: TransactionID

    @Argument(help: "The account that gets it.", transform: readName)
    var account: AccountID

    @Option(help: "The store environment.")
    var environment = StoreEnvironment.production

    @OptionGroup var new: NewAccountOption
    @OptionGroup var action: AdminActionOptions

    var call: AdminCall {
        let body = GiveBody(account: account, environment: environment, reason: action.stated)
        return AdminCall(
            "/v1/transactions/\(transaction.inPath)/give", body, for: account, new)
    }

    func write(_ ruling: RulingAnswer, to page: inout Page) {
        page.add(whole: ruling.sentence(page.language))
    }
}

/// `usher claims transfer CLAIM [--to ACCOUNT]`.
struct ClaimsTransfer: RulingCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer",
        abstract: "Move the purchase of a claim to the claimant or to another account.",
        discussion: """
            Takes effect now; what the previous owner had until now is unchanged.

            Example: usher claims transfer 112 --reason 'same customer, new login'
            """)

    @Option(help: "The new owner; the claimant if omitted.", transform: readName)
    var to: AccountID?

    @OptionGroup var new: NewAccountOption
    @OptionGroup var ruling: RulingOptions

    var call: AdminCall { ruling.call(.transfer, account: to, new: new) }
}

/// `usher claims release CLAIM`.
struct ClaimsRelease: RulingCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Take the purchase of a claim from its owners; the next claim can own it.",
        discussion: """
            With --account one of several owners loses it, and the others keep it. Whoever lost it \
            gets it again only by asking for it: not by a notification, and not because the \
            device lists it.

            Example: usher claims release 112 --reason 'the account was deleted'
            """)

    @Option(help: "The owner that loses it; all of them if omitted.", transform: readName)
    var account: AccountID?

    @OptionGroup var ruling: RulingOptions

    var call: AdminCall { ruling.call(.release, account: account) }
}

/// `usher claims undo CLAIM`.
struct ClaimsUndo: RulingCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo the last decision that changed the owners of a purchase.",
        discussion: """
            That is the claim's own decision or a ruling; where it is another claim's, the answer \
            names it. Takes effect now, and only if the purchase has not changed owners again \
            since. Whoever loses the purchase gets it again only by another ruling.

            Example: usher claims undo 112 --reason 'moved by mistake'
            """)

    @Option(help: "The decision to undo; the newest that changed owners if omitted.")
    var decision: Int64?

    @OptionGroup var ruling: RulingOptions

    var call: AdminCall { ruling.call(.undo, decision: decision) }
}
