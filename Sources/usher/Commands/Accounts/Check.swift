internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer

/// `usher check ACCOUNT ENTITLEMENT`: one question, one line, one exit code.
struct Check: LedgerReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Ask whether an account may use an entitlement.",
        discussion: """
            Asks the running service. With --ledger it reads the ledger file instead, whether or \
            not a service is running.

            Example: usher check alice premium --at 2026-03-01
            """)

    @OptionGroup var right: RightOptions
    @OptionGroup var assumed: AssumeOption

    @OptionGroup var replay: ReplayableOption

    var reading: ReadingOptions { right.reading }
    var path: String {
        "/v1/accounts/\(right.account.inPath)/entitlements/\(right.entitlement.inPath)"
    }
    var query: Parameters {
        right.query + [
            ("replayable", replay.replayable ? "true" : nil), ("assume", assumed.text),
        ]
    }
    /// Every service may ask query.sock, so that is the socket asked.
    var socket: String { reading.sockets.querySocket }

    func validate() throws {
        if replay.replayable, assumed.text != nil {
            throw ValidationError(.exclusive, "--replayable", "--assume")
        }
    }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> ReplayableAnswer? {
        let instant = reading.instant(of: ledger)
        return try assumed.applied(to: ledger, at: instant, in: right.environment)
            .replayableAnswer(
                right.key, of: right.account, at: instant, through: right.appleID.key,
                isReplayable: replay.replayable)
    }

    func isYes(_ report: ReplayableAnswer) -> Bool { report.answer.decision }

    func write(_ report: ReplayableAnswer, to page: inout Page) {
        page.write(check: report.answer, of: right.account.text)
    }

    func run() throws {
        if try tell() { return }
        warnOfUnknownAccount()
        throw ExitCode.no
    }

    /// A misspelt account may use nothing, like one that has bought nothing. Said next to the
    /// answer, where whoever asks may see the account at all.
    private func warnOfUnknownAccount() {
        guard !reading.quiet, let report = try? reading.accountReport(right.account),
            report.value.saysNothing
        else { return }
        let isMaybeErased = report.value.frame.isMaybeErased == true
        let phrase: Phrase = isMaybeErased ? .maybeErased : .nothingKnown
        Terminal.current.printError(
            phrase.text(reading.output.language, right.account.text))
    }
}

/// Asks for what makes an answer again.
struct ReplayableOption: ParsableArguments {
    @Flag(help: "With --json, say also what 'usher replay' needs to make the answer again.")
    var replayable = false
}

extension Check {
    /// A line with the two names alone. The parser of the command line takes as long for it as
    /// everything else together.
    ///
    /// - Returns: nil for any other line.
    init?(plain words: ArraySlice<String>) {
        guard words.count == 2, !words.contains(where: { $0.hasPrefix("-") }),
            let account = words.first.flatMap({ AccountID($0) }),
            let entitlement = words.last.flatMap({ EntitlementName($0) })
        else { return nil }
        self.init()
        replay = ReplayableOption()
        replay.replayable = false
        var service = ServiceOptions()
        service.quiet = false
        service.sockets = SocketOptions()
        service.sockets.sockets = nil
        service.output = OutputOptions()
        (service.output.json, service.output.lang) = (false, nil)
        var source = SourceOptions()
        (source.ledger, source.service) = (nil, service)
        assumed = AssumeOption()
        assumed.assume = []
        right = RightOptions()
        (right.account, right.entitlement) = (account, entitlement)
        right.environment = .production
        right.appleID = AppleIDOption()
        right.appleID.key = nil
        right.reading = ReadingOptions()
        (right.reading.at, right.reading.source) = (nil, source)
        var known = KnownOptions()
        (known.knownAt, known.revision) = (nil, nil)
        right.reading.known = known
    }
}

/// `usher preflight ACCOUNT PRODUCT`: what there is to say before the payment sheet (spec 1.8).
struct PreflightCommand: ReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "preflight",
        abstract: "Check a purchase before payment.",
        discussion: """
            Exit codes: 0 proceed, possibly after a warning; 1 do not proceed.

            Example: usher preflight bob com.example.reader.gold.monthly \
            --apple-id otx:production:400000000001001
            """)

    @Argument(help: "The account that is about to buy.", transform: readName)
    var account: AccountID

    @Argument(help: "The product.", transform: readName)
    var product: ProductID

    @Option(
        name: .customLong("apple-id"),
        help: .value("key", "Any key of the device's Apple ID."),
        transform: readName)
    var appleID: AppleIDKey?

    @Option(help: "The store environment.")
    var environment = StoreEnvironment.production

    @OptionGroup var prices: StorefrontOption

    @OptionGroup var assumed: AssumeOption
    @OptionGroup var known: KnownOptions
    @OptionGroup var source: SourceOptions

    var output: OutputOptions { source.output }
    var quiet: Bool { source.quiet }

    func answer() throws(CommandFailure) -> Answered<PreflightAnswer> {
        let request = PreflightRequest(
            account: account, product: product, environment: environment, appleID: appleID,
            storefront: prices.storefront)
        var answers = source.answers
        answers.known = known.moment
        return try answers.answer {
            questions throws(EngineError) in
            let instant = questions.knownAt ?? SystemClock().now()
            return try assumed.applied(to: questions, at: instant, in: environment).preflight(
                request, at: instant)
        } fromService: { call throws(CommandFailure) in
            try call.ask("/v1/preflight".asking(known.query + [("assume", assumed.text)]), request)
        }
    }

    /// Whether it may proceed.
    func isYes(_ answer: PreflightAnswer) -> Bool { answer.verdict.effect != .block }

    func write(_ answer: PreflightAnswer, to page: inout Page) { page.write(preflight: answer) }
}

/// The line of `usher check`: decision, until when, and why.
extension Page {
    mutating func write(check answer: Answer, of account: String) {
        add(sentence(answer, of: account))
    }

    /// - Parameters:
    ///   - names: of several entitlements that have the same answer.
    ///   - standing: the state, where more is known of it.
    func sentence(
        _ answer: Answer, of account: String, about names: String? = nil, standing: String? = nil
    ) -> String {
        let source = answer.source.map(SourceAnswer.init)
        // In a browser the whole reason is a click away.
        let isPlain = paint.links != nil && answer.rule.line == 0 && source != nil
        let reasons = [
            standing ?? state(answer.state, answer.expiryReason), source?.product.map { name($0) },
            source?.grant.map { Phrase.grant.text(language, $0.text) },
            isPlain ? nil : rule(answer.rule),
        ].compactMap(\.self)
        return verdict(answer, of: account, about: names)
            + Phrase.because.text(language, language.clauses(reasons))
    }

    /// Whether an account may use it, and until when.
    func verdict(_ answer: Answer, of account: String, about names: String? = nil) -> String {
        let phrase: Phrase = answer.decision ? .mayUse : .mayNotUse
        let text = phrase.text(language, account, names ?? answer.entitlement.text)
        let until = answer.until.map { Phrase.until.text(language, $0.date) } ?? ""
        return paint(text, answer.decision ? .good : .bad) + until
    }
}

/// The page of `usher preflight`.
extension Page {
    mutating func write(preflight answer: PreflightAnswer) {
        let effect = answer.verdict.effect
        let phrase: AdminActionPhrase =
            switch effect {
            case .proceed: .proceed
            case .warn: .warn
            case .block: .block
            }
        let line = phrase.text(language, answer.account.text, answer.product.text)
        add(paint(line, tone(of: effect)))
        table(answer.verdict.notes.map(note))
        // A UUID, which no shell reads as more than a name.
        tree(
            answer.verdict.notes.compactMap(\.order).map {
                Branch(command: "usher orders show \($0.text)", language)
            })
        if let claim = answer.verdict.claim { add("  " + foretold(claim, answer.verdict)) }
    }

    /// Both, where it matters whether the purchase carries the token.
    private func foretold(_ claim: ClaimOutcome, _ verdict: VerdictAnswer) -> String {
        let told = outcome(ClaimStanding(claim))
        guard let other = verdict.claimWithoutToken, other != claim else {
            return AdminActionPhrase.claimWouldBe.text(language, told)
        }
        return AdminActionPhrase.claimWouldBeBoth.text(
            language, told, outcome(ClaimStanding(other)))
    }

    private func note(_ note: NoteAnswer) -> [String] {
        let text = note.text.text(language)
        let about = language.list(
            [
                note.lineage.map { AccountPhrase.lineage.text(language, $0.text) },
                note.owner.map { AdminActionPhrase.owner.text(language, $0) },
                note.until.map {
                    note.takesEffect == nil
                        ? AccountPhrase.paidUntil.text(language, $0.date)
                        : AdminActionPhrase.takesEffectAt.text(language, $0.date)
                },
                note.price.map { cost($0.price.text, every: note.period) },
                note.price == nil
                    ? nil
                    : note.storefront.map { AdminActionPhrase.inStorefront.text(language, $0) }
                        ?? AdminActionPhrase.storefrontUnknown.text(language),
            ].compactMap(\.self))
        return [
            paint(note.effect.text(language), tone(of: note.effect)),
            "[\(note.code.rawValue)]",
            about.isEmpty ? text : "\(text) (\(about))",
        ]
    }

    /// What the purchase costs.
    private func cost(_ price: String, every period: String?) -> String {
        guard let period else { return AdminActionPhrase.costs.text(language, price) }
        return AdminActionPhrase.costsEvery.text(language, price, period)
    }

    func tone(of effect: PreflightEffect) -> Paint.Tone {
        switch effect {
        case .proceed: .good
        case .warn: .care
        case .block: .bad
        }
    }
}

/// `usher catalog ACCOUNT`: what the app sells, as one account sees it (spec 1.8).
struct Catalog: LedgerReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "List what the app sells, as one account sees it.",
        discussion: """
            Prints id, title, price, what the account has of it, and what preflight says. Products \
            that the account's client reported as invalid at the store are left out, and named at \
            the end.

            Example: usher catalog alice --storefront CHN
            """)

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Option(help: "The store environment.")
    var environment = StoreEnvironment.production

    @OptionGroup var prices: StorefrontOption

    @Option(
        name: .customLong("apple-id"),
        help: .value("key", "Any key of the device's Apple ID."),
        transform: readName)
    var appleID: AppleIDKey?

    @OptionGroup var assumed: AssumeOption
    @OptionGroup var reading: ReadingOptions

    var path: String { "/v1/accounts/\(account.inPath)/catalog" }

    var query: Parameters {
        [
            ("environment", environment.rawValue), ("storefront", prices.storefront),
            ("apple_id", appleID?.text), ("assume", assumed.text),
        ]
    }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> CatalogueReport? {
        let instant = reading.instant(of: ledger)
        return try assumed.applied(to: ledger, at: instant, in: environment).catalogue(
            for: account, in: environment, on: appleID, storefront: prices.storefront,
            at: instant)
    }

    func write(_ report: CatalogueReport, to page: inout Page) { page.write(catalogue: report) }
}

/// `--storefront`: whose prices.
struct StorefrontOption: ParsableArguments {
    @Option(help: .value("code", "Prices of this storefront only: its ISO 3166-1 alpha-3 code."))
    var storefront: String?

    func validate() throws {
        let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
        try require(
            storefront.map({ $0.utf8.count == 3 && $0.utf8.allSatisfy(letters.contains) }) ?? true,
            or: .storefront)
    }
}

/// The page of `usher catalog`.
extension Page {
    mutating func write(catalogue report: CatalogueReport) {
        let hasStorefront = report.storefront != nil
        let rows = report.products.map { row($0, hasStorefront: hasStorefront) }
        table(rows.withoutEmptyColumns, indentedBy: 0)
        guard !report.leftOut.isEmpty else { return }
        let names = language.list(report.leftOut.map(\.text))
        add(AccountPhrase.leftOut, names, as: .care)
    }

    private func row(_ item: CatalogueItem, hasStorefront: Bool) -> [String] {
        let prices = hasStorefront ? item.price.map { [$0] } ?? [] : item.prices
        let texts = prices.map {
            Price(milliunits: $0.thousandths, currency: $0.currency).text
        }
        let effect = item.verdict.effect
        let codes = item.verdict.notes.map { note in
            [note.code.rawValue, note.change?.rawValue].compactMap(\.self).joined(separator: " ")
        }
        return [
            paint(item.product.text, .strong), item.title?.text(language) ?? "",
            language.list(texts), state(item.state, nil) ?? "",
            paint(effect.text(language), tone(of: effect)),
            codes.isEmpty ? "" : "[\(language.list(codes))]",
        ]
    }
}

extension [[String]] {
    /// Without columns that say nothing, and without empty cells at the end of a row.
    fileprivate var withoutEmptyColumns: [[String]] {
        let columns = (0..<(first?.count ?? 0)).filter { column in
            contains { !$0[column].isEmpty }
        }
        return map { row in
            let cells = columns.map { row[$0] }
            return [String](cells[...(cells.lastIndex { !$0.isEmpty } ?? 0)])
        }
    }
}
