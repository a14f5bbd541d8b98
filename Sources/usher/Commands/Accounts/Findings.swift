internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel

/// `usher findings [ACCOUNT …]`: what a person should look at.
struct Findings: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "findings",
        abstract: "List findings: what a person should look at.",
        discussion: """
            With accounts, lists the findings that are open at the given instant; --past includes \
            those that are resolved. Without an account, lists the findings of the whole ledger \
            that are open now, by kind, oldest first. Exit codes: 0 no findings, 1 findings.

            Example: usher findings --kind unclaimed-payment
            """)

    @Argument(help: "The accounts; the whole ledger if omitted.", transform: readName)
    var accounts: [AccountID] = []

    @Flag(help: "Include findings that are resolved or not open yet.")
    var past = false

    @Option(help: .value("kind", "Only this kind, in the whole ledger."))
    var kind: Finding.Kind?

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        if !accounts.isEmpty, kind != nil {
            throw ValidationError(.notWithAccount, "--kind")
        }
        if accounts.isEmpty, past || reading.at != nil {
            throw ValidationError(.pastAccount)
        }
    }

    func run() throws {
        var count = 0
        try reading.output.attempt(quiet: reading.quiet) { () throws(CommandFailure) in
            if accounts.isEmpty { count = try tellAll() }
            for account in accounts {
                count += try tell(findings(of: account), of: account)
            }
        }
        if count > 0 { throw ExitCode.no }
    }

    /// Prints the findings of one account; returns how many stand.
    private func tell(
        _ answer: Answered<AccountFindings>, of account: AccountID
    ) throws(CommandFailure) -> Int {
        let all = answer.value.findings
        let standing = all.filter { $0.interval.contains(answer.value.frame.at) }
        let shown = past ? all : standing
        try reading.output.show(answer, quiet: reading.quiet) { _, page in
            page.write(shown, of: account.text)
        }
        return standing.count
    }

    private func findings(
        of account: AccountID
    ) throws(CommandFailure) -> Answered<AccountFindings> {
        try reading.answer("/v1/accounts/\(account.inPath)/findings") {
            questions throws(EngineError) in
            try questions.findings(of: account, at: reading.instant)
        }
    }

    /// Prints those of the whole ledger, page by page; returns how many there are.
    private func tellAll() throws(CommandFailure) -> Int {
        var count = 0
        var place: FindingPosition?
        // A file is looked at once, for one page that holds all.
        let limit = reading.ledger == nil ? 1_000 : Int.max
        while true {
            let answer = try page(after: place, limit: limit)
            let next = answer.value.next
            let isFirst = place == nil
            try reading.output.show(answer, quiet: reading.quiet) { found, page in
                page.write(found, areAll: isFirst && next == nil)
            }
            count += answer.value.findings.count
            guard next != nil else { return count }
            place = next
        }
    }

    private func page(
        after place: FindingPosition?, limit: Int
    ) throws(CommandFailure) -> Answered<FindingPage> {
        try reading.answer(
            "/v1/findings",
            [("kind", kind?.rawValue), ("after", place?.text), ("limit", "1000")]
        ) { questions throws(EngineError) in
            try questions.findings(of: kind, after: place, at: reading.instant, limit: limit)
        }
    }
}

extension Finding.Kind: ExpressibleByArgument {}

/// The page of `usher findings`, and findings on other pages.
extension Page {
    /// The findings of one account.
    mutating func write(_ findings: [Finding], of account: String) {
        add(paint(account, .strong))
        tree(
            findings.isEmpty
                ? [branch(AccountPhrase.noFindings, as: .good)]
                : findings.map(finding))
    }

    /// Findings of the whole ledger.
    ///
    /// - Parameter areAll: Whether there are no others.
    mutating func write(_ page: FindingPage, areAll: Bool) {
        if page.findings.isEmpty, areAll {
            add(AccountPhrase.noFindings, as: .good)
        }
        tree(page.findings.map(finding))
        if !page.isComplete {
            add(AccountPhrase.findingsIncomplete, as: .care)
        }
    }

    func finding(_ finding: Finding) -> Branch {
        let title = paint(finding.kind.text(language), .care)
        var branches = [Branch(span(finding.interval))]
        if let notification = finding.notification { branches.append(Branch(notification.shown)) }
        var subjects = finding.accounts.map(\.text) + finding.units.map(unitName)
        if let product = finding.product { subjects.append(product.text) }
        if let credit = finding.credit { subjects.append(credit.text) }
        if !subjects.isEmpty {
            branches.append(
                branch(AccountPhrase.about, language.list(subjects)))
        }
        if let count = finding.count {
            branches.append(branch(AccountPhrase.repeated, "\(count)"))
        }
        if let duplicate = finding.duplicate { branches += self.duplicate(duplicate) }
        return Branch("\(title) [\(finding.kind.rawValue)]", branches)
    }

    private func duplicate(_ duplicate: DuplicateDetail) -> [Branch] {
        var branches = duplicate.sides.map { side in
            let money = [
                side.price.map { RenewalPhrase.paidLast.text(language, $0.text) },
                side.renewal.map { renewal($0, of: side.product) },
            ].compactMap(\.self)
            return Branch(
                AccountPhrase.duplicateSide.text(
                    language, side.lineage.originalTransactionID.text, side.product.text,
                    side.appleID.text), money.isEmpty ? [] : [Branch(language.clauses(money))])
        }
        if let days = duplicate.overlapDays {
            branches.append(branch(AccountPhrase.overlap, "\(days)"))
        }
        let keep = duplicate.keep.originalTransactionID.text
        branches.append(branch(AccountPhrase.keep, keep))
        return branches
    }
}
