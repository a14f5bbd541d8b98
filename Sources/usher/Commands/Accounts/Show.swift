internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import PolicyTools

/// `usher show ACCOUNT`: everything that support needs.
struct Show: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show everything that is known about an account.",
        discussion: """
            Prints rights, purchases with their owners, orders, balances, manual grants, blocks, \
            claims and findings. Asks the running service. With --ledger it reads the ledger file instead.

            Example: usher show alice
            """)

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Option(help: "Only this store environment.")
    var environment: StoreEnvironment?

    @OptionGroup var appleID: AppleIDOption
    @OptionGroup var assumed: AssumeOption
    @OptionGroup var reading: ReadingOptions

    func answer() throws(CommandFailure) -> Answered<AccountReport> {
        try reading.accountReport(
            account, in: environment, through: appleID.key, assuming: assumed)
    }

    func write(_ report: AccountReport, to page: inout Page) { page.write(account: report) }
}

extension ReadingOptions {
    /// Everything about an account, or what is of one environment or one Apple ID.
    func accountReport(
        _ account: AccountID, in environment: StoreEnvironment? = nil,
        through appleID: AppleIDKey? = nil, assuming assumed: AssumeOption? = nil
    ) throws(CommandFailure) -> Answered<AccountReport> {
        try answer(
            "/v1/accounts/" + account.inPath,
            [
                ("environment", environment?.rawValue), ("apple_id", appleID?.text),
                ("assume", assumed?.text),
            ]
        ) { questions throws(EngineError) in
            let instant = instant(of: questions)
            let questions =
                assumed?.applied(to: questions, at: instant, in: environment) ?? questions
            return try questions.report(
                on: account, at: instant, in: environment, through: appleID)
        }
    }
}

/// The page of `usher show`: everything that is known of an account.
extension Page {
    mutating func write(account report: AccountReport) {
        let at = report.frame.at
        add(AccountPhrase.title, paint(report.frame.account.text, .strong), at.date)
        addMerge(of: report.frame)
        addErasure(of: report.frame)
        let before = blocks.count
        section(.rights, report.rights) { $0.table($1.map($0.right)) }
        write(holdingsOf: report)
        guard report.frame.erased == nil, blocks.count == before else { return }
        if report.frame.isMaybeErased == true {
            add(Phrase.maybeErased, report.frame.account.text)
        } else {
            add(AccountPhrase.nothingKnown)
        }
    }

    /// That the account was erased, or stands for one that was.
    mutating func addErasure(of frame: AccountFrame) {
        if frame.isPseudonym == true { add(AccountPhrase.pseudonym, as: .care) }
        guard let last = frame.lastErasure else { return }
        add(
            frame.erased == nil ? AccountPhrase.erasedBefore : .erased, "\(last.erasure)",
            last.recordedAt.date)
    }

    /// All but the rights.
    mutating func write(holdingsOf report: AccountReport) {
        (rights, instant) = (report.rights, report.frame.at)
        section(.purchases, report.units) { page, units in
            page.tree(page.products(units, of: report))
        }
        section(.orders, report.orders) { $0.table($1.map($0.order)) }
        section(.balances, report.balances) { $0.table($1.map($0.balance)) }
        section(.grants, report.grants) { $0.tree($1.map($0.grant)) }
        section(.blocks, report.blocks) { $0.tree($1.map($0.block)) }
        section(.refunds, report.refundRequests) { page, requests in
            for request in requests { page.write(refund: request) }
        }
        section(.claims, report.claims) { $0.tree($1.map($0.claim)) }
        // What an owner's line does not tell.
        let told = Set(report.units.flatMap { $0.owners.map(\.decision) })
        section(.actions, report.actions.filter { !told.contains($0.sequence) }) { page, actions in
            page.tree(actions.map { page.decided($0, stands: $0.decision.ownersAfter == []) })
        }
        section(.findings, report.findings) { page, findings in
            page.tree(findings.map { page.finding($0, at: report.frame.at) })
        }
        if let consent = report.refundConsent {
            let phrase: RefundPhrase = consent.consent.isGiven ? .consents : .consentsNot
            heading(phrase.text(language))
        }
    }

    /// Where the account is now, if it was merged into another.
    mutating func addMerge(of frame: AccountFrame) {
        guard let account = frame.mergedInto else { return }
        let command = ShellCommand(asking: "show", account.text).text
        add(
            AccountPhrase.mergedInto, account.text,
            paint.links == nil ? command : name(account), as: .care)
    }

    /// A title and what belongs below it; nothing where there is nothing.
    private mutating func section<Item>(
        _ title: AccountPhrase, _ items: [Item], _ write: (inout Page, [Item]) -> Void
    ) {
        guard !items.isEmpty else { return }
        heading(title.text(language))
        write(&self, items)
    }

    private func right(_ answer: Answer) -> [String] {
        let source = answer.source.map(SourceAnswer.init)
        return [
            answer.entitlement.text, answer.environment.rawValue,
            answer.decision
                ? paint(AccountPhrase.yes.text(language), .good)
                : paint(AccountPhrase.no.text(language), .bad),
            renewal(of: answer)
                ?? answer.until.map { AccountPhrase.until.text(language, $0.date) }
                ?? (answer.decision ? AccountPhrase.always.text(language) : ""),
            state(answer.state, answer.expiryReason) ?? "",
            source?.product.map { name($0) } ?? source?.grant?.text ?? "",
        ]
    }

    /// Of what goes on if Apple renews it: when. Its end is told of what ends otherwise.
    private func renewal(of answer: Answer) -> String? {
        guard answer.decision, answer.willRenew == true, answer.state == .active,
            let paid = answer.paidUntil, let until = answer.until, paid <= until
        else { return nil }
        return RenewalPhrase.renewsAt.text(language, paid.date)
    }

    /// One branch a product, in the order of the report; below it what was bought of it, by date.
    private func products(
        _ units: [UnitAnswer], of report: AccountReport
    ) -> [Branch] {
        let instant = report.frame.at
        let products = units.map { $0.product(at: instant) }
        var seen: Set<ProductID?> = []
        return products.filter { seen.insert($0).inserted }.map { product in
            let bought = zip(products, units).filter { $0.0 == product }.map(\.1)
                .sorted { $0.purchasedAt < $1.purchasedAt }
            return Branch(
                heading(of: product, bought), bought.map { unit($0, of: report) })
        }
    }

    private func heading(of product: ProductID?, _ units: [UnitAnswer]) -> String {
        let title = units.lazy.compactMap(\.purchase?.title).first?.text(language)
        let name = product.map { product in
            title.map {
                Phrase.bracketed.text(language, paint($0, .strong), product.text)
            } ?? paint(product.text, .strong)
        }
        let count = units.count
        let parts = [
            name, units.first.map { ProductKind.words($0.kind.word, language) },
            count > 1 ? AccountPhrase.purchaseCount.text(language, "\(count)") : nil,
        ]
        return language.list(parts.compactMap(\.self))
    }

    private func unit(
        _ unit: UnitAnswer, of report: AccountReport
    ) -> Branch {
        let instant = report.frame.at
        let purchase = unit.purchase
        let taken = takenBack(purchase?.takenBack(at: instant), on: purchase?.revokedAt)
        let (bought, renewed) = (unit.boughtAt, purchase?.purchasedAt)
        let title = [
            unitName(unit.unit),
            bought.map { AccountPhrase.purchasedAt.text(language, $0.date) },
            renewed.flatMap { renewed in
                bought.map { $0 < renewed } == true
                    ? AccountPhrase.renewedAt.text(language, renewed.date) : nil
            },
            purchase?.price.map(\.text),
            purchase.flatMap(quantity), purchase?.offer.map(offer),
            purchase?.commitment.map(commitment),
            purchase?.isFamilyShared == true ? AccountPhrase.familyShared.text(language) : nil,
        ]
        var branches: [Branch] = []
        if let now = unit.state(at: instant),
            let standing = standing(
                now.state, now.expiryReason, because: now.state == .revoked ? taken : nil,
                paidUntil: now.paidUntil)
        {
            branches.append(Branch(standing))
        } else if let taken {
            branches.append(Branch(paint(taken, .bad)))
        }
        if let outlook = unit.renewal {
            let product = unit.state(at: instant)?.product
            branches.append(Branch(renewal(outlook, of: product)))
        }
        branches += owners(
            unit.owners, because: report.actions,
            on: report.claims.last { $0.decision?.unit == unit.unit }?.claim,
            for: report.orders.first {
                $0.transaction != nil && $0.transaction == purchase?.transaction
            }?.id)
        if let appleID = unit.appleID {
            branches.append(branch(AccountPhrase.appleID, name(appleID)))
        }
        return Branch(language.list(title.compactMap(\.self)), branches)
    }

    /// Seats where they are counted, else more than one.
    private func quantity(_ purchase: PurchaseAnswer) -> String? {
        if let seats = purchase.seats { return AccountPhrase.seats.text(language, "\(seats)") }
        return purchase.quantity == 1
            ? nil : AccountPhrase.quantity.text(language, "\(purchase.quantity)")
    }

    private func commitment(_ commitment: Commitment) -> String {
        let month = commitment.period.flatMap { period in
            commitment.periods.map {
                AccountPhrase.commitmentMonth.text(language, "\(period)", "\($0)")
            }
        }
        let end = commitment.expires.map {
            AccountPhrase.commitmentEnd.text(language, $0.date)
        }
        return language.list([month, end].compactMap(\.self))
    }

    private func order(_ order: AccountOrder) -> [String] {
        let place = order.environment == .production ? "" : " [\(order.environment.rawValue)]"
        return [
            paint(name(order.id), .strong), name(order.product) + place,
            AccountPhrase.quantity.text(language, "\(order.quantity)"), state(order.state),
            order.madeAt.date,
        ]
            + (order.transaction.map { [AccountPhrase.transaction.text(language, name($0))] } ?? [])
    }

    func balance(_ balance: CreditBalance) -> [String] {
        [
            balance.credit.text, "\(balance.balance)",
            AccountPhrase.entries.text(language, "\(balance.entries.count)"),
        ] + (balance.isFrozen ? [paint(CreditPhrase.frozen.text(language), .care)] : [])
    }
}

extension UnitAnswer {
    /// Nil for a purchase that is not known to be of any.
    fileprivate func product(at instant: Instant) -> ProductID? {
        purchase?.product ?? (state(at: instant) ?? states.last)?.product
    }

    fileprivate var purchasedAt: Instant { purchase?.purchasedAt ?? .distantPast }
}

extension Price {
    /// `9.99 USD`, `1.500 KWD`, `1200 JPY`: as many decimals as the currency has, more where the
    /// amount has more, none where it is whole.
    var text: String {
        let (whole, thousandths) = milliunits.magnitude.quotientAndRemainder(dividingBy: 1_000)
        let decimals = CurrencyDecimals.count(of: currency ?? "")
        var digits = String(thousandths + 1_000).dropFirst()
        while digits.count > decimals && digits.hasSuffix("0") { digits.removeLast() }
        let amount =
            (milliunits < 0 ? "-" : "") + "\(whole)" + (thousandths == 0 ? "" : "." + digits)
        return [amount, currency?.shown].compactMap(\.self).joined(separator: " ")
    }
}

/// `usher timeline ACCOUNT`: periods, states, owners and rights over time, as a picture.
struct Timeline: LedgerReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Draw an account's purchases, their states and owners, and its rights over time.",
        discussion: """
            Draws on a terminal; prints a table with one period per line into a pipe. Asks the \
            running service. With --ledger it reads the ledger file instead.

            Example: usher timeline alice --html > alice.html
            """)

    /// What is printed.
    enum Form: String, EnumerableFlag {
        case picture
        case table
        case svg
        case html

        static func help(for value: Form) -> ArgumentHelp? {
            switch value {
            case .picture: "Draw with characters, even into a pipe."
            case .table: "Print one period per line, even on a terminal."
            case .svg: "Print one SVG image."
            case .html: "Print one self-contained HTML page."
            }
        }
    }

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Flag
    var forms: [Form] = []

    @Option(help: .value("date", "Start of the picture."), transform: readInstant)
    var from: Instant?

    @Option(help: .value("date", "End of the picture."), transform: readInstant)
    var until: Instant?

    @Option(help: "Only this store environment.")
    var environment: StoreEnvironment?

    @Option(help: "Width in columns; that of the terminal if omitted.")
    var width: Int?

    @OptionGroup var assumed: AssumeOption
    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        if let form = forms.first, let other = forms.first(where: { $0 != form }) {
            throw ValidationError(.exclusive, "--\(form)", "--\(other)")
        }
        if let from, let until, until <= from {
            throw ValidationError(.pictureEnds)
        }
        if let width, !(40...1_000).contains(width) {
            throw ValidationError(.pictureWidth)
        }
    }

    var path: String { "/v1/accounts/\(account.inPath)/timeline" }
    var query: Parameters {
        [("environment", environment?.rawValue), ("assume", assumed.text)]
    }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> TimelineReport? {
        let instant = reading.instant(of: ledger)
        return try assumed.applied(to: ledger, at: instant, in: environment)
            .timeline(of: account, at: instant, in: environment)
    }

    func write(_ report: TimelineReport, to page: inout Page) {
        switch forms.first ?? (Terminal.current.isInteractive ? .picture : .table) {
        case .picture: page.add(drawn: report.terminalPicture(options))
        case .table where page.paint.links != nil:
            let rows = report.table().split(separator: "\n")
            page.table(
                rows.map {
                    $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                })
        case .table: page.add(drawn: report.table())
        case .svg: page.add(drawn: report.svg(options))
        case .html: page.add(drawn: report.page(options))
        }
    }

    private var options: PictureOptions {
        PictureOptions(
            language: output.language,
            width: width ?? Terminal.current.columns ?? 100,
            usesColour: Terminal.current.isColoured, from: from, until: until)
    }
}
