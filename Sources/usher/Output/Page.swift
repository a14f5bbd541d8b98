internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyTools

/// Text for people, line by line: aligned, wrapped, and coloured where the terminal wants it. In a
/// pipe it is the same text without colours and without drawn branches.
struct Page {
    /// A line, and the lines that belong to it.
    struct Branch {
        var text: String
        var branches: [Branch]
        /// Whether it is one line whatever it takes.
        var isWhole = false
        /// The commands that it says.
        private(set) var commands: [String] = []

        init(_ text: String, _ branches: [Branch] = []) {
            self.text = text
            self.branches = branches
        }

        init(whole text: String) {
            self.init(text)
            isWhole = true
        }

        /// A command alone.
        init(typed command: String) {
            self.init(whole: command)
            commands = [command]
        }

        /// What can be done next, for a browser.
        init(steps commands: [ShellCommand]) {
            self.init("")
            self.commands = commands.map(\.text)
        }

        /// A command to be copied.
        init(command: String, _ language: Language) {
            self.init(whole: ExplainPhrase.command.text(language, command))
            commands = [command]
        }
    }

    /// What a page is made of.
    enum Block {
        case heading(String)
        case line(String)
        /// One line whatever it takes.
        case whole(String)
        /// Lines that are not to be changed: a picture.
        case drawn([String])
        case table([[String]], indent: Int, isWhole: Bool)
        case tree([Branch])
    }

    let language: Language
    let paint: Paint
    let drawsBranches: Bool
    /// What no line is wider than, unless a word is, such as an id: it stays whole.
    let width: Int
    private(set) var blocks: [Block] = []
    /// What a console calls the purchases that claims are on.
    var purchases: [OwnedUnit: UnitAnswer] = [:]
    /// As of when it says whose they are.
    var instant: Instant?
    /// Of the account that is told of.
    var rights: [Answer] = []
    /// What a console calls products.
    var titles: () -> [ProductID: Title] = { [:] }

    init(language: Language, paint: Paint, drawsBranches: Bool, width: Int = 80) {
        self.language = language
        self.paint = paint
        self.drawsBranches = drawsBranches
        self.width = width
    }

    /// For standard output.
    init(_ language: Language, on terminal: Terminal = .current) {
        self.init(
            language: language, paint: Paint(isOn: terminal.isColoured),
            drawsBranches: terminal.isInteractive,
            width: max(40, min(80, terminal.columns ?? 80)))
    }

    /// Ends with a line break, unless it is empty.
    var text: String { lines.map { $0 + "\n" }.joined() }

    var lines: [String] { PageLines(of: self).lines }

    mutating func add(_ line: String) { blocks.append(.line(line.safeLine)) }

    /// A sentence, coloured by what it says.
    mutating func add(
        _ sentence: some LocalizedText, _ values: String..., as tone: Paint.Tone? = nil
    ) {
        add(text(sentence, values, tone))
    }

    /// The same as a branch.
    func branch(
        _ sentence: some LocalizedText, _ values: String..., as tone: Paint.Tone? = nil
    ) -> Branch {
        Branch(text(sentence, values, tone))
    }

    private func text(
        _ sentence: some LocalizedText, _ values: [String], _ tone: Paint.Tone?
    ) -> String {
        let text =
            values.isEmpty
            ? sentence.text(language)
            : sentence.filled(with: values.map(\.safeLine), in: language)
        return tone.map { paint(text, $0) } ?? text
    }

    /// What a command has done, in one line whatever it takes: it has a command or a file to copy.
    mutating func add(whole line: String) { blocks.append(.whole(line.safeLine)) }

    mutating func add(whole sentence: some LocalizedText, _ values: String...) {
        add(whole: text(sentence, values, nil))
    }

    /// Lines that are not to be changed: a picture.
    mutating func add(drawn text: String) {
        let ended = text.hasSuffix("\n") ? text.dropLast() : text[...]
        let lines = ended.split(separator: "\n", omittingEmptySubsequences: false)
        blocks.append(.drawn(lines.map(String.init)))
    }

    /// A title, apart from what stands before it.
    mutating func heading(_ text: String) { blocks.append(.heading(text.safeLine)) }

    /// Rows whose cells stand below one another. The last cell of a row is as long as it is; what
    /// the row has no room for goes on below its second cell.
    ///
    /// - Parameter isWhole: a row is one line whatever it takes: a list to look something up in.
    mutating func table(_ rows: [[String]], indentedBy indent: Int = 2, isWhole: Bool = false) {
        guard !rows.isEmpty else { return }
        let rows = rows.map { $0.map(\.safeLine) }
        blocks.append(.table(rows, indent: indent, isWhole: isWhole))
    }

    /// Names and what is known of them, a row each.
    func facts(_ facts: [(some LocalizedText, String?)]) -> [[String]] {
        facts.compactMap { name, text in text.map { [name.text(language), $0] } }
    }

    /// Branches below the last line.
    mutating func tree(_ branches: [Branch]) {
        if !branches.isEmpty { blocks.append(.tree(branches)) }
    }
}

/// Colours for a terminal that wants them; nothing for a pipe.
struct Paint {
    /// What a colour says.
    enum Tone: String {
        case good = "32"
        case bad = "31"
        case care = "33"
        case strong = "1"
        case faint = "2"
    }

    let isOn: Bool
    /// Where a page for a browser leads on; nil for a terminal.
    var links: LinkTable?

    init(isOn: Bool, links: LinkTable? = nil) {
        self.isOn = isOn
        self.links = links
    }

    /// The name of something that has a page of its own in the console.
    func link(_ text: String, _ place: ConsolePlace) -> String {
        guard let links, !text.isEmpty else { return text }
        return "\u{1B}[4;\(links.add(place))m\(text)\u{1B}[0m"
    }

    func callAsFunction(_ text: String, _ tone: Tone) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// `258.0 kB`: bytes in the unit that leaves three digits or fewer before the point.
func fileSize(_ bytes: Int64) -> String {
    var value = Double(bytes)
    if value < 1_000 { return "\(bytes) B" }
    for unit in ["kB", "MB", "GB"] {
        value /= 1_000
        // What would be rounded to a thousand is one of the next unit.
        guard value < 999.95 else { continue }
        let tenths = Int64((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit)"
    }
    return "\(Int64((value / 1_000).rounded())) TB"
}

/// What several pages say in the same way.
extension Page {
    /// Branches for the first of many, and how many more there are.
    mutating func tree<Item>(_ items: [Item], atMost limit: Int, _ branch: (Item) -> Branch) {
        let rest = items.count - limit
        let more = PolicyPhrase.more.text(language, "\(rest)")
        tree(items.prefix(limit).map(branch) + (rest > 0 ? [Branch(more)] : []))
    }

    /// `until …`, `for ever` and the like.
    func span(_ interval: Interval) -> String {
        span(from: interval.start == .distantPast ? nil : interval.start, until: interval.end)
    }

    func span(from: Instant?, until: Instant?) -> String {
        switch (from?.date, until?.date) {
        case (nil, nil): AccountPhrase.always.text(language)
        case (let from?, nil): AccountPhrase.since.text(language, from)
        case (nil, let until?): AccountPhrase.until.text(language, until)
        case (let from?, let until?): AccountPhrase.fromUntil.text(language, from, until)
        }
    }

    /// `rule 'name' at file:line`; built-in rules have no line.
    func rule(_ rule: RuleReference) -> String {
        guard rule.line > 0 else {
            return Phrase.builtInRule.text(language, rule.name(in: language))
        }
        return Phrase.rule.text(language, rule.name, "\(rule.file):\(rule.line)")
    }

    /// The title where it is known, else the id.
    func name(_ product: ProductID) -> String {
        paint.links == nil ? product.text : titles()[product]?.text(language) ?? product.text
    }

    /// The state with the reason of an expiry, coloured by what it usually gives.
    ///
    /// - Parameter detail: a reason that says more.
    func state(
        _ state: EntitlementState?, _ reason: ExpiryReason?, because detail: String? = nil
    ) -> String? {
        guard let state else { return nil }
        var text = state.text(language)
        if let reason = detail ?? reason?.text(language) {
            text = Phrase.labelled.text(language, text, reason)
        }
        guard state.isRunning else { return paint(text, .bad) }
        return paint(text, [.active, .renewing].contains(state) ? .good : .care)
    }

    /// The state, and until when it is paid for.
    func standing(
        _ state: EntitlementState?, _ reason: ExpiryReason?, because detail: String? = nil,
        paidUntil: Instant?
    ) -> String? {
        guard let state = self.state(state, reason, because: detail) else { return nil }
        let paid = paidUntil.map { AccountPhrase.paidUntil.text(language, $0.date) }
        return language.clauses([state, paid].compactMap(\.self))
    }

    /// `refunded by Apple on …`
    func takenBack(_ how: TakenBack?, on instant: Instant?) -> String? {
        guard let how, let instant else { return nil }
        return ExplainPhrase.takenBackOn.text(language, how.text(language), instant.date)
    }

    /// What comes after the paid end, as Apple said it last: `renews DATE as PRODUCT, for PRICE`.
    func renewal(_ outlook: RenewalOutlook, of product: ProductID?) -> String {
        guard let willRenew = outlook.willRenew else { return RenewalPhrase.unknown.text(language) }
        guard willRenew else { return ExplainPhrase.doesNotRenew.text(language) }
        let plan = outlook.product == product ? nil : outlook.product.map { name($0) }
        let parts: [String?] = [
            outlook.at.map { at in
                plan.map { RenewalPhrase.renewsAs.text(language, at.date, $0) }
                    ?? RenewalPhrase.renewsAt.text(language, at.date)
            } ?? ExplainPhrase.renews.text(language),
            outlook.at == nil ? plan.map { ExplainPhrase.renewsAs.text(language, $0) } : nil,
            outlook.price.map { RenewalPhrase.price.text(language, $0.text) },
            outlook.offer.map(offer),
        ]
        return language.list(parts.compactMap(\.self))
    }

    /// What Apple calls the offer, with its name and length where it has them.
    func offer(_ offer: Offer) -> String {
        let parts: [String?] = [
            OfferPhrase.words(OfferWord(offer).rawValue, language), offer.period?.shown,
            offer.identifier?.shown,
        ]
        return RenewalPhrase.offer.text(
            language, parts.compactMap(\.self).joined(separator: " "))
    }

    /// The name of a unit: a lineage, or a single transaction.
    func unitName(_ unit: OwnedUnit) -> String {
        let name =
            switch unit {
            case .lineage(let key):
                AccountPhrase.lineage.text(language, name(key.originalTransactionID))
            case .purchase(let key):
                AccountPhrase.transaction.text(language, name(key.transactionID))
            }
        guard unit.environment != .production else { return name }
        return language.list([name, unit.environment.rawValue])
    }

    /// - Parameters:
    ///   - facts: those among which the decisions of persons are.
    ///   - claim: on the unit, by which the newest can be undone.
    ///   - order: that the unit pays.
    func owners(
        _ owners: [OwnershipSpan], because facts: [FactAnswer], on claim: LedgerSequence?,
        for order: OrderID? = nil
    ) -> [Branch] {
        guard !owners.isEmpty else {
            return [branch(AccountPhrase.ownedByNobody)]
        }
        let newest = owners.map(\.decision).max()
        return owners.map { owner in
            // How long a purchase is somebody's says nothing of what it gives.
            let line =
                owner.interval == .always
                ? AccountPhrase.ownedAlways.text(
                    language, name(owner.account), "\(owner.decision)")
                : AccountPhrase.ownedBy.text(
                    language, name(owner.account), span(owner.interval), "\(owner.decision)")
            let fact = facts.first { $0.sequence == owner.decision && $0.isOfPerson }
            return Branch(
                line,
                fact.map {
                    [decided($0, stands: owner.decision == newest, on: claim, for: order)]
                } ?? [])
        }
    }

    /// What a person has decided, who and why, and what takes it back while nothing came after it.
    func decided(
        _ fact: FactAnswer, stands: Bool, on claim: LedgerSequence? = nil, for order: OrderID? = nil
    ) -> Branch {
        var branches = [action(fact.action.actor ?? "", fact.action.reason ?? "")]
        if stands, let merge = fact.decision.merge, fact.decision.undoes == nil {
            branches += steps(ShellCommand("unmerge", "\(merge)"))
        } else if stands, let claim, fact.decision.verb != nil {
            branches += steps(
                ["undo --decision \(fact.sequence)", "transfer --change", "release"].map {
                    ShellCommand("claims " + $0, "\(claim)")
                })
        } else if let order, claim == nil, fact.decision.verb != nil {
            // Nobody has claimed it; the order says what takes it back.
            let title = ExplainPhrase.factGiven.text(language, "\(fact.sequence)", name(order))
            if stands { branches += steps(ShellCommand("orders undo", order.text)) }
            return Branch(title, branches)
        }
        return Branch(title(of: fact), branches)
    }

    func claim(_ claim: ClaimAnswer) -> Branch {
        let line = AccountPhrase.claim.text(
            language, paint(name(claim: claim.claim), .strong), name(claim.account),
            name(claim.transaction), claim.moment.text(language),
            claim.recordedAt.date)
        var branches = [Branch(outcome(claim.outcome, isOver: claim.supersededBy != nil))]
        let unit = claim.decision.flatMap { purchases[$0.unit] }
        if let unit {
            branches.insert(Branch(purchase(unit, at: instant ?? claim.recordedAt)), at: 0)
        }
        if let approval = claim.approval {
            branches.append(action(approval.actor, approval.reason))
        }
        if let decision = claim.decision {
            branches.append(Branch(rule(decision.rule)))
            // The decision of a claim that a person approved is the one to wait.
            let owners =
                claim.approval == nil ? decision.ownersAfter : [claim.account]
            // The line of the purchase says it.
            if unit == nil {
                branches.append(
                    Branch(
                        owners.isEmpty
                            ? AccountPhrase.noOwner.text(language)
                            : AccountPhrase.owners.text(language, names(owners))))
            }
        }
        if let other = claim.supersededBy {
            branches.append(superseded(by: other, unit))
        } else {
            branches += steps(claim.rulings.map { ShellCommand("claims " + $0, "\(claim.claim)") })
        }
        return Branch(line, branches)
    }

    /// By a decision that stands with the purchase of whom it went to.
    private func superseded(by decision: LedgerSequence, _ unit: UnitAnswer?) -> Branch {
        guard let owner = unit?.owners.first(where: { $0.decision == decision })?.account else {
            return branch(AccountPhrase.superseded, "\(decision)")
        }
        let number = paint.link("\(decision)", .account(owner))
        return Branch(
            language.list([
                AccountPhrase.superseded.text(language, number),
                ConsolePhrase.wentTo.text(language, name(owner)),
            ]))
    }

    /// What a person in a browser can do next.
    func steps(_ commands: ShellCommand...) -> [Branch] { steps(commands) }

    func steps(_ commands: [ShellCommand]) -> [Branch] {
        paint.links == nil || commands.isEmpty ? [] : [Branch(steps: commands)]
    }

    /// How a claim stands: in words, and by its code.
    ///
    /// - Parameter isOver: whether something else was decided since.
    func outcome(_ standing: ClaimStanding, isOver: Bool = false) -> String {
        let code = standing.rawValue
        let words =
            ClaimStandingPhrase(rawValue: code)?.text(language)
            ?? ClaimDenial.words(code, language)
        let text = words == code ? code : "\(words) [\(code)]"
        if isOver { return paint(text, .faint) }
        switch standing {
        case .accepted, .alreadyOwned, .approved: return paint(text, .good)
        case .waiting, .unknownTransaction, .ownedByOther: return paint(text, .care)
        case .kept, .cooldown, .limit, .denied, .token, .accountClosed: return paint(text, .bad)
        }
    }

    func grant(_ grant: GrantAnswer) -> Branch {
        var branches = [action(grant.actor, grant.reason)]
        if let end = grant.revoked {
            branches.append(Branch(paint(over(.grantOver, end), .care)))
        }
        if grant.revoked == nil { branches += steps(ShellCommand("revoke", grant.id.text)) }
        let line = AccountPhrase.given.text(
            language, grant.gift.name, span(from: grant.from, until: grant.until), name(grant.id))
        return Branch(line, branches)
    }

    func block(_ block: BlockAnswer) -> Branch {
        let isClosure = block.closes == true
        let since = block.recordedAt.date
        let line =
            if let end = block.lifted?.at.date {
                (isClosure ? AccountPhrase.closedWas : .blockWas)
                    .text(language, since, end, name(block.id))
            } else {
                (isClosure ? AccountPhrase.closedStanding : .blockStanding)
                    .text(language, since, name(block.id))
            }
        var branches = [action(block.actor, block.reason)]
        if !block.stops.isEmpty {
            let names = block.stops.joined(separator: ", ")
            branches.append(branch(AccountPhrase.blockStops, names))
        }
        if let end = block.lifted {
            branches.append(Branch(over(.blockOver, end)))
            return Branch(line, branches)
        }
        if let due = block.erasureDue {
            branches.append(branch(AccountPhrase.erasureDue, due.date))
        }
        branches += steps(
            isClosure
                ? ShellCommand("reopen", block.account.text)
                : ShellCommand("unblock", block.id.text))
        return Branch(paint(line, .bad), branches)
    }

    /// Who did something, and why.
    func action(_ actor: String, _ reason: String) -> Branch {
        branch(AccountPhrase.givenBy, actor, reason)
    }

    private func over(_ phrase: AccountPhrase, _ end: Ending) -> String {
        phrase.text(language, end.at.date, end.actor, end.reason)
    }
}

extension FactAnswer {
    /// Whether a person has decided it.
    var isOfPerson: Bool {
        action.actor != nil
            && (kind == .thaw || decision.verb != nil || decision.merge != nil)
    }
}

/// How a claim stands beyond what `ClaimDenial` names.
enum ClaimStandingPhrase: String, CaseIterable, UsherText {
    case accepted
    case alreadyOwned = "already-owned"
    case approved
    case unknownTransaction = "unknown-transaction"

    var english: String {
        switch self {
        case .accepted: "accepted"
        case .alreadyOwned: "already the owner"
        case .approved: "approved by a ruling"
        case .unknownTransaction: "the purchase is not known yet"
        }
    }
}

/// What pages say of the renewals to come.
enum RenewalPhrase: String, CaseIterable, UsherText, Wording {
    case renewsAt = "renews {0}"
    case renewsAs = "renews {0} as {1}"
    case unknown = "Apple has not said whether it renews"
    case price = "for {0}"
    case paidLast = "last paid {0}"
    case offer = "offer: {0}"
}

/// What a period was bought with: the words of conditions on `offer`.
enum OfferPhrase: String, CaseIterable, UsherText {
    case introductory, promotional, retention
    case freeTrial = "free-trial"
    case offerCode = "offer-code"
    case winBack = "win-back"
    /// Of a type that Apple added since.
    case other

    var english: String {
        switch self {
        case .introductory: "introductory offer"
        case .promotional: "promotional offer"
        case .freeTrial: "free trial"
        case .offerCode: "offer code"
        case .winBack: "win-back offer"
        case .retention: "retention offer"
        case .other: "an offer"
        }
    }
}
