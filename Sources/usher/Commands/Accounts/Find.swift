internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer

/// `usher find ID`: what an id is, and where it leads.
struct Find: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find what an id is and where it leads.",
        discussion: """
            The id is that of a transaction, an original transaction, an order, a grant, a block \
            or an account, a webOrderLineItemId, a key of an Apple ID, an appAccountToken, or the \
            number of a claim or a merge. The service asks Apple about an order number of an e-mail \
            of Apple's, if it is configured to. Prints one line for each meaning, with the accounts \
            that have it and those that presented it. Exit codes: 0 found, 1 nothing found, 2 no \
            answer.

            Example: usher find 400000000001001
            """)

    @Argument(help: "The id.", transform: readName)
    var id: SoughtID

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        try require(reading.at == nil, or: .findNow)
        try reading.requirePresent()
    }

    func answer() throws(CommandFailure) -> Answered<FoundID> {
        do throws(CommandFailure) {
            let found = try reading.answer("/v1/find/" + id.inPath) {
                questions throws(EngineError) in
                try questions.find(id)
            }
            guard !found.value.meanings.isEmpty else { throw .nothingFound(id) }
            return found
        } catch {
            throw error.code == ProblemCode.nothingFound.rawValue ? .nothingFound(id) : error
        }
    }

    func write(_ found: FoundID, to page: inout Page) { page.write(found: found) }
}

/// The page of `usher find`.
extension Page {
    /// A line for each meaning.
    mutating func write(found: FoundID) {
        for meaning in found.meanings where !isTold(meaning, among: found) {
            let kind = FoundKindPhrase.words(meaning.kind.rawValue, language)
            let place = ConsolePlace(meaning, of: found.id)
            let name = place.map { paint.link(found.id.text, $0) } ?? found.id.text
            let title = kind + " " + paint(name, .strong)
            let clauses = self.clauses(meaning, of: found.id)
            add(
                clauses.isEmpty
                    ? title : Phrase.labelled.text(language, title, language.clauses(clauses)))
            if let command = command(meaning, of: found.id) {
                tree([Branch(command: command, language)])
            }
        }
    }

    /// In a browser an original transaction is told with the transaction that it is.
    func isTold(_ meaning: FoundMeaning, among found: FoundID) -> Bool {
        paint.links != nil && meaning.kind == .lineage
            && found.meanings.contains {
                $0.kind == .transaction && $0.environment == meaning.environment
                    && $0.lineages == meaning.lineages
            }
    }

    func clauses(_ meaning: FoundMeaning, of id: SoughtID) -> [String] {
        var clauses: [String] = []
        if let environment = meaning.environment,
            paint.links == nil || environment != .production
        {
            clauses.append(environment.rawValue)
        }
        if let purchase = meaning.purchase, let product = purchase.product {
            clauses.append(bought(purchase, product))
        }
        if !meaning.accounts.isEmpty, meaning.kind != .account {
            clauses.append(FindPhrase.accounts.text(language, names(meaning.accounts)))
        }
        if let account = meaning.mergedInto {
            clauses.append(FindPhrase.mergedInto.text(language, name(account)))
        }
        if !meaning.presentedBy.isEmpty {
            clauses.append(FindPhrase.presentedBy.text(language, names(meaning.presentedBy)))
        }
        if !meaning.lineages.isEmpty, meaning.lineages.map({ $0.text }) != [id.text] {
            let names = language.list(meaning.lineages.map { name($0) })
            clauses.append(AccountPhrase.lineage.text(language, names))
        }
        if !meaning.products.isEmpty, meaning.purchase == nil {
            let names = language.list(meaning.products.map { name($0) })
            clauses.append(FindPhrase.products.text(language, names))
        }
        if let sequence = meaning.sequence {
            clauses.append(FindPhrase.entry.text(language, "\(sequence)"))
        }
        return clauses
    }

    /// `product …, purchased …, paid until …, refunded by Apple on …`
    private func bought(_ purchase: PurchaseFact, _ product: ProductID) -> String {
        let taken = takenBack(purchase.takenBack, on: purchase.revokedAt)
        let parts = [
            FindPhrase.products.text(language, name(product)),
            purchase.purchasedAt.map { AccountPhrase.purchasedAt.text(language, $0.date) },
            purchase.expiresAt?.value.map { AccountPhrase.paidUntil.text(language, $0.date) },
            taken.map { paint($0, .bad) },
        ]
        return language.list(parts.compactMap(\.self))
    }

    /// What leads on from there.
    func command(_ meaning: FoundMeaning, of id: SoughtID) -> String? {
        // The id is a UUID, which no shell reads as more than a name.
        if meaning.kind == .order { return "usher orders show \(id.text)" }
        guard meaning.kind == .transaction, meaning.accounts.isEmpty else { return nil }
        let option =
            meaning.environment.map { $0 == .production ? "" : " --environment \($0.rawValue)" }
        return ShellCommand("claims give" + (option ?? ""), id.text, "ACCOUNT").text
    }
}

/// What `usher find` says.
enum FindPhrase: String, CaseIterable, UsherText, Wording {
    case accounts = "account {0}"
    case presentedBy = "also presented by {0}"
    case mergedInto = "merged into {0}"
    case products = "product {0}"
    case entry = "ledger entry {0}"
    case nothing = """
        nothing is recorded under '{0}' [find.nothing]
          an order number of Apple's e-mails:
            {1}
          a transaction id that never arrived here:
            {2}
          a file with signed evidence:
            usher inspect FILE
          otherwise: "Restore purchases" in the app, which submits what the device has
        """
}

/// What an id is: the kinds of `FoundMeaning`.
enum FoundKindPhrase: String, CaseIterable, UsherText {
    case transaction, lineage, token, claim, order, grant, block, merge, ticket, account
    case appleID = "apple-id"
    case lineItem = "line-item"
    case appleOrder = "apple-order"

    var english: String {
        switch self {
        case .transaction: "transaction"
        case .lineage: "original transaction"
        case .token: "appAccountToken"
        case .claim: "claim"
        case .grant: "grant"
        case .block: "block"
        case .merge: "merge"
        case .ticket: "ticket"
        case .order: "order"
        case .account: "account"
        case .appleID: "Apple ID"
        case .lineItem: "webOrderLineItemId"
        case .appleOrder: "order of the App Store"
        }
    }
}

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

    @OptionGroup var assumed: AssumeOption
    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        if !accounts.isEmpty, kind != nil {
            throw ValidationError(.notWithAccount, "--kind")
        }
        if accounts.isEmpty, past || reading.at != nil || assumed.text != nil {
            throw ValidationError(.pastAccount)
        }
        if accounts.isEmpty { try reading.requirePresent() }
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
        try reading.answer(
            "/v1/accounts/\(account.inPath)/findings", [("assume", assumed.text)]
        ) { questions throws(EngineError) in
            let instant = reading.instant(of: questions)
            return try assumed.applied(to: questions, at: instant, in: nil).findings(
                of: account, at: instant)
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
            try questions.findings(
                of: kind, after: place, at: reading.instant(of: questions), limit: limit)
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
                : findings.map { finding($0) })
    }

    /// Findings of the whole ledger.
    ///
    /// - Parameter areAll: Whether there are no others.
    mutating func write(_ page: FindingPage, areAll: Bool) {
        if page.findings.isEmpty, areAll {
            add(AccountPhrase.noFindings, as: .good)
        }
        tree(page.findings.map { finding($0) })
        if !page.isComplete {
            add(AccountPhrase.findingsIncomplete, as: .care)
        }
    }

    /// - Parameter instant: of the page; by then it may have closed.
    func finding(_ finding: Finding, at instant: Instant? = nil) -> Branch {
        let isOver = instant.map { !finding.interval.contains($0) } == true
        let title = paint(finding.kind.text(language), isOver ? .faint : .care)
        var branches = [Branch(span(finding.interval))]
        if let notification = finding.notification { branches.append(Branch(notification.shown)) }
        var subjects = finding.accounts.map { name($0) } + finding.units.map(unitName)
        if let product = finding.product { subjects.append(name(product)) }
        if let credit = finding.credit { subjects.append(credit.text) }
        if !subjects.isEmpty {
            branches.append(
                branch(AccountPhrase.about, language.list(subjects)))
        }
        if let count = finding.count {
            branches.append(branch(AccountPhrase.repeated, "\(count)"))
        }
        if let duplicate = finding.duplicate {
            branches += self.duplicate(duplicate, isOver: isOver)
        }
        if finding.kind == .creditFrozen, finding.interval.end == nil,
            let account = finding.accounts.first,
            let credit = finding.credit
        {
            branches += steps(ShellCommand("credits thaw", account.text, credit.text))
        }
        return Branch("\(title) [\(finding.kind.rawValue)]", branches)
    }

    private func duplicate(_ duplicate: DuplicateDetail, isOver: Bool) -> [Branch] {
        var branches = duplicate.sides.map { side in
            let money = [
                side.price.map { RenewalPhrase.paidLast.text(language, $0.text) },
                isOver ? nil : side.renewal.map { renewal($0, of: side.product) },
            ].compactMap(\.self)
            return Branch(
                AccountPhrase.duplicateSide.text(
                    language, side.lineage.originalTransactionID.text, name(side.product),
                    side.appleID.text), money.isEmpty ? [] : [Branch(language.clauses(money))])
        }
        if let days = duplicate.overlapDays {
            branches.append(branch(AccountPhrase.overlap, "\(days)"))
        }
        let sides = duplicate.sides.map { side in
            Phrase.bracketed.text(
                language, side.lineage.originalTransactionID.text,
                purchases[.lineage(side.lineage)]?.words(in: language) ?? side.product.text)
        }
        let kept = duplicate.sides.map { $0.lineage == duplicate.keep }
        branches.append(
            branch(
                isOver ? AccountPhrase.wouldKeep : .keep,
                language.list(zip(sides, kept).filter(\.1).map(\.0)),
                language.list(zip(sides, kept).filter { !$0.1 }.map(\.0))))
        guard !isOver else { return branches }
        // The other one may give them too, or not.
        let given = rights.filter { answer in
            guard answer.decision, case .purchase(_, _, let lineage)? = answer.source else {
                return false
            }
            return lineage != duplicate.keep && duplicate.sides.contains { $0.lineage == lineage }
        }
        if !given.isEmpty {
            let names = language.list(given.map(\.entitlement.text))
            branches.append(branch(AccountPhrase.givenByOther, names, as: .care))
        }
        return branches
    }
}
