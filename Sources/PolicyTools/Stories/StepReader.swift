internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import PolicyLoading
internal import Sentences
internal import StoreBox

/// Reads the steps of a story: sentences after their instants, or their long form.
struct StepReader {
    var names: StoryNames
    var problems: ProblemList
    private var last = Instant.distantPast
    /// Whether every step so far was understood.
    private var isWhole = true

    init(names: StoryNames, problems: ProblemList) {
        self.names = names
        self.problems = problems
    }

    mutating func read(_ node: YAMLNode, in file: PolicyText) -> [StoryStep] {
        guard case .list(let items) = node.content else {
            problems.add(
                .wrongType, at: node.span, .written("steps"), .form(.list), .form(.section),
                help: .writtenLike("- 2026-01-01: alice buys gold.monthly"))
            return []
        }
        let places = SourcePlaces(file)
        let steps = items.compactMap { item in
            let step = step(item, places)
            // What a broken step would have named is not missed later.
            isWhole = isWhole && step != nil
            return step
        }
        if isWhole, names.policy != nil, !steps.contains(where: \.isExpectation) {
            problems.add(.storyWithoutExpectation, at: node.span.firstLine)
        }
        return steps
    }

    private mutating func step(_ item: YAMLNode, _ places: SourcePlaces) -> StoryStep? {
        guard case .map(let entries) = item.content, let first = entries.first else {
            problems.add(
                .wrongType, at: item.span, .written("steps"), .form(.section),
                .form(.singleValue), help: .writtenLike("- 2026-01-01: alice buys gold.monthly"))
            return nil
        }
        let isLong = entries.contains { $0.key == "at" }
        guard isLong || entries.count == 1 else {
            problems.add(
                .unknownKey, at: entries[1].keySpan, .written(entries[1].key), .written("steps"),
                help: .writtenLike("- \(entries[1].key): …"))
            return nil
        }
        guard let at = isLong ? longInstant(entries) : instant(first.key, at: first.keySpan) else {
            return nil
        }
        let read = isLong ? longForm(entries) : sentence(first.value)
        guard let (sentence, text, span) = read else { return nil }
        let known = problems.problems.count
        names.check(sentence, in: span, text, isWhole: isWhole, &problems)
        guard problems.problems.count == known else { return nil }
        return StoryStep(at: at, sentence: sentence, place: places.place(of: span), text: text)
    }

    // MARK: Instants

    private mutating func instant(_ text: String, at span: SourceSpan) -> Instant? {
        guard let at = Instant(story: text) else {
            problems.add(
                .badDate, at: span, .written(text), .written("steps"),
                help: .writtenLike("2026-01-31: alice renews"))
            return nil
        }
        guard Play.dates.contains(at) else {
            problems.add(.dateOutOfRange, at: span, .written(text))
            return nil
        }
        guard at >= last else {
            problems.add(.stepBeforeLast, at: span, .written(text))
            return nil
        }
        last = at
        return at
    }

    private mutating func longInstant(_ entries: [YAMLEntry]) -> Instant? {
        guard let entry = entries.first(where: { $0.key == "at" }),
            case .text(let text, _) = entry.value.content
        else { return nil }
        return instant(text, at: entry.value.span)
    }

    // MARK: Sentences

    private typealias Read = (sentence: Sentence, text: String, span: SourceSpan)

    private mutating func sentence(_ node: YAMLNode) -> Read? {
        guard case .text(let text, _) = node.content, !node.isEmpty else {
            problems.add(
                .wrongType, at: node.span, .written("steps"), .form(.singleValue),
                .form(.section), help: .writtenLike("- 2026-01-01: alice buys gold.monthly"))
            return nil
        }
        do throws(SentenceMistake) {
            return (try storyTable.read(text), text, node.span)
        } catch {
            add(error, in: node.span, text)
            return nil
        }
    }

    private mutating func add(_ mistake: SentenceMistake, in span: SourceSpan, _ text: String) {
        let nearest = Self.nearest(mistake)
        guard let token = mistake.token else {
            problems.add(.stepEndsEarly, at: span, .written(text), help: nearest)
            return
        }
        let slot = mistake.slots.count == 1 && mistake.words.isEmpty
        problems.add(
            .unknownStep, at: span.part(token.range, of: text), .written(token.text),
            help: mistake.misspelt(token.text).map(Help.didYouMean)
                ?? (mistake.words.count > 1 && !slot && mistake.areWords
                    ? .oneOf(mistake.words) : nearest))
    }

    /// A form that has all of the sentence already is shown with what may follow.
    private static func nearest(_ mistake: SentenceMistake) -> Help? {
        guard let form = mistake.nearest, !mistake.isWithinWord else { return nil }
        guard mistake.isComplete, mistake.token != nil else { return .writtenLike(form.shortest) }
        return form.whole == form.shortest ? nil : .writtenLike(form.whole)
    }

    /// `{at: …, buys: {account: alice, product: gold}}`.
    private mutating func longForm(_ entries: [YAMLEntry]) -> Read? {
        let verbs = entries.filter { $0.key != "at" }
        guard let entry = verbs.first, verbs.count == 1, let form = storyTable[entry.key] else {
            let stranger = verbs.first { storyTable[$0.key] == nil } ?? verbs.last
            let near = stranger.flatMap {
                suggestion(for: $0.key, among: storyTable.forms.map(\.verb))
            }
            problems.add(
                .unknownKey, at: (stranger ?? entries[0]).keySpan,
                .written((stranger ?? entries[0]).key), .written("steps"),
                help: near.map(Help.didYouMean))
            return nil
        }
        var sentence = Sentence(verb: form.verb)
        let known = problems.problems.count
        let slots = Set(form.slots)
        if case .map(let values) = entry.value.content {
            for value in values { add(value, to: &sentence, form.verb, slots) }
        } else if !entry.value.isEmpty || !form.requiredSlots.isEmpty {
            problems.add(
                .wrongType, at: entry.keySpan, .written(entry.key), .form(.section),
                .form(.singleValue))
        }
        for slot in form.requiredSlots
        where sentence[slot] == nil && problems.problems.count == known {
            problems.add(
                .missingKey, at: entry.keySpan, .written(slot.rawValue), .written(entry.key))
        }
        guard problems.problems.count == known else { return nil }
        return (sentence, storyTable.write(sentence, in: .english) ?? entry.key, entry.keySpan)
    }

    private mutating func add(
        _ entry: YAMLEntry, to sentence: inout Sentence, _ verb: String, _ slots: Set<SentenceSlot>
    ) {
        guard let slot = SentenceSlot(rawValue: entry.key), slots.contains(slot) else {
            let near = suggestion(for: entry.key, among: slots.map(\.rawValue))
            problems.add(
                .unknownKey, at: entry.keySpan, .written(entry.key), .written(verb),
                help: near.map(Help.didYouMean) ?? .oneOf(slots.map(\.rawValue).sorted()))
            return
        }
        guard case .text(let text, _) = entry.value.content, slot.accepts(text) else {
            let text = if case .text(let text, _) = entry.value.content { text } else { "" }
            problems.add(.badText, at: entry.value.span, .written(text.isEmpty ? entry.key : text))
            return
        }
        sentence.values[slot] = SentenceValue(text)
    }
}

extension Instant {
    /// `2026-01-31`, `2026-01-31 10:00`, also with seconds, or an instant of RFC 3339.
    init?(story text: String) {
        guard text.utf8.count >= 10 else { return nil }
        let parts = text.split(separator: " ")
        guard parts.count == 2 else {
            guard let instant = Instant(rfc3339: text) else { return nil }
            self = instant
            return
        }
        let seconds = parts[1].utf8.count == 5 ? ":00" : ""
        guard let instant = Instant(rfc3339: "\(parts[0])T\(parts[1])\(seconds)Z") else {
            return nil
        }
        self = instant
    }
}

/// The places of a file's sentences, as an editor counts them.
struct SourcePlaces {
    private let text: PolicyText

    init(_ text: PolicyText) {
        self.text = text
    }

    func place(of span: SourceSpan) -> TextLocation {
        let problem = Problem(id: .expectationFailed, span: span)
        return diagnostics(of: [problem], in: [text]).first?.place
            ?? TextLocation(file: text.path, line: span.start.line, column: span.start.column)
    }
}

extension SentenceMistake {
    /// The word that was probably meant. Verbs are short: one that begins as it should may have
    /// two slips, as in `byes`.
    fileprivate func misspelt(_ word: String) -> String? {
        if let near = suggestion(for: word, among: words) { return near }
        let verbs = words.filter { $0.count > 3 && $0.first == word.first }
        return word.count > 3 ? suggestion(for: word, among: verbs, within: 2) : nil
    }

    /// Whether what could stand there is worth a list: a few words, not signs or single characters
    /// of Chinese ones.
    fileprivate var areWords: Bool {
        words.count < 12 && words.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isLetter } }
    }
}

extension SourceSpan {
    /// A part of the text that stands here; all of it where it is not on one line.
    func part(_ range: Range<Int>, of text: String) -> SourceSpan {
        guard start.line == end.line, !range.isEmpty else { return self }
        // A quote stands before the text.
        let quote = end.column - start.column > text.unicodeScalars.count ? 1 : 0
        let begin = start.column + quote + range.lowerBound
        return SourceSpan(
            file: file, start: SourceMark(line: start.line, column: begin),
            end: SourceMark(line: start.line, column: begin + range.count))
    }

    var firstLine: SourceSpan { SourceSpan(file: file, at: start) }
}

extension SentencePattern {
    /// Without its marks for machines: `{account} buys {product}`.
    var shown: String {
        text.replacing(/\{#[a-z_]+\}/, with: "").replacing("[ , ", with: "[, ")
    }
}

/// What a story can speak of at a step: what the policy has, and what was named before.
struct StoryNames {
    let policy: Policy?
    let words: [String: StoryProduct]
    /// Purchases, with the Apple IDs and accounts that stand for them.
    private var purchases: Set<String> = []
    private var named: [SentenceSlot: Set<String>] = [:]

    init(policy: Policy?, words: [String: StoryProduct]) {
        self.policy = policy
        self.words = words
    }

    /// Reports what a sentence names that is not there, and learns what it names itself.
    ///
    /// - Parameter isWhole: whether all names of the steps before are known.
    mutating func check(
        _ sentence: Sentence, in span: SourceSpan, _ text: String, isWhole: Bool,
        _ problems: inout ProblemList
    ) {
        for (slot, value) in sentence.values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard let problem = problem(slot, value.text, sentence),
                isWhole || problem.id != .unknownStoryName
            else { continue }
            let place = value.range.isEmpty ? span : span.part(value.range, of: text)
            problems.add(problem.id, at: place, problem.facts, help: problem.help)
        }
        learn(sentence)
    }

    private struct Stranger {
        var id: DiagnosticID
        var facts: [Fact]
        var help: Help?
    }

    private func problem(
        _ slot: SentenceSlot, _ value: String, _ sentence: Sentence
    ) -> Stranger? {
        switch slot {
        case .product:
            let known = productWords
            var found = stranger(value, among: known, .unknownProduct)
            if let help = policy?.help(forProduct: value, among: known) { found?.help = help }
            return found
        case .entitlement:
            var found = stranger(
                value, among: policy?.entitlements.keys.map(\.text), .unknownEntitlement)
            if policy?.credits.keys.contains(where: { $0.text == value }) == true {
                found?.help = Self.helpForCredit(in: sentence.verb)
            }
            return found
        case .credit:
            return stranger(value, among: policy?.credits.keys.map(\.text), .unknownCredit)
        case .purchase, .naming, .with: return unknownName(value, purchases)
        case .order where sentence.verb != StoryVerb.makesOrder.rawValue, .other:
            if AppAccountToken(value) != nil { return nil }
            return unknownName(value, named[.order] ?? [])
        case .hold, .spend, .grant, .block: return unknownName(value, named[slot] ?? [])
        default:
            guard let allowed = Self.words(for: slot, of: sentence.verb), !allowed.contains(value)
            else { return nil }
            return Stranger(
                id: .unknownWord, facts: [.written(value), .written(slot.rawValue)],
                help: suggestion(for: value, among: allowed).map(Help.didYouMean)
                    ?? .oneOf(allowed))
        }
    }

    /// How a sentence about a right is said of what is counted.
    private static func helpForCredit(in verb: String) -> Help {
        let forms: [String] =
            switch StoryVerb(rawValue: verb) {
            case .grants: [StoryVerb.grantsCredit.rawValue]
            case .blocks: [StoryVerb.blocksSpending.rawValue]
            default: [StoryExpectation.balance, .told].map(\.rawValue)
            }
        return .likeEither(forms.compactMap { storyTable[$0]?.english.first?.shortest })
    }

    private func stranger(
        _ value: String, among known: [String]?, _ id: DiagnosticID
    ) -> Stranger? {
        guard let known, !known.contains(value) else { return nil }
        return Stranger(
            id: id, facts: [.written(value)],
            help: suggestion(for: value, among: known).map(Help.didYouMean))
    }

    private func unknownName(_ value: String, _ known: Set<String>) -> Stranger? {
        guard !known.contains(value) else { return nil }
        return Stranger(
            id: .unknownStoryName, facts: [.written(value)],
            help: suggestion(for: value, among: known.sorted()).map(Help.didYouMean))
    }

    private var productWords: [String] {
        let own = Array(words.keys)
        guard let policy else { return own }
        return own + policy.products.keys.map(\.text)
            + policy.productWords.filter { $0.value.count == 1 }.keys
    }

    private mutating func learn(_ sentence: Sentence) {
        let name = sentence[.name]
        if let verb = StoreVerb(rawValue: sentence.verb) {
            let account = sentence[.account] ?? ""
            switch verb {
            case .buys, .asksToBuy:
                let appleID = sentence[.appleID] ?? account
                purchases.formUnion([account, appleID, "\(account)'s \(sentence[.product] ?? "")"])
                if let name { purchases.insert(name) }
            case .isShared: purchases.formUnion([name ?? account, account])
            default: break
            }
            return
        }
        switch StoryVerb(rawValue: sentence.verb) {
        case .makesOrder: insert(sentence[.order], .order)
        case .grants, .grantsCredit: insert(name ?? sentence[.account], .grant)
        case .blocks, .blocksSpending: insert(name ?? sentence[.account], .block)
        case .spends, .captures: insert(name ?? sentence[.account], .spend)
        case .holds: insert(name ?? sentence[.account], .hold)
        default: break
        }
    }

    private mutating func insert(_ name: String?, _ slot: SentenceSlot) {
        guard let name else { return }
        named[slot, default: []].insert(name)
    }
}

/// The words that a slot allows where they can be counted.
extension StoryNames {
    static func words(for slot: SentenceSlot, of verb: String) -> [String]? {
        let expectation = StoryExpectation(rawValue: verb)
        switch (slot, expectation) {
        case (.state, .has?), (.state, .lacks?): return all(EntitlementState.self)
        case (.reason, .has?), (.reason, .lacks?): return all(ExpiryReason.self)
        case (.state, .order?), (.state, .ownOrder?): return all(OrderState.self)
        case (.basis, _): return all(OrderMatchBasis.self)
        case (.reason, .lostOrder?), (.reason, .lostPayment?): return all(LostOrderReason.self)
        case (.state, .refundRequest?): return all(RefundState.self)
        case (.reason, .refundRequest?): return all(RefundObstacle.self)
        case (.outcome, .claim?): return all(ClaimStanding.self)
        case (.finding, _): return all(Finding.Kind.self)
        case (.verdict, _): return all(PreflightEffect.self)
        case (.code, .preflight?): return all(PreflightCode.self)
        case (.change, _): return ["gains", "loses"]
        case (.environment, _): return all(StoreEnvironment.self)
        case (.event, _): return all(OrderEventKind.self)
        default: return nil
        }
    }

    private static func all<Word: RawRepresentable & CaseIterable>(_: Word.Type) -> [String]
    where Word.RawValue == String {
        Word.allCases.map(\.rawValue)
    }
}
