internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import PolicyLoading
internal import StoreBox

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
            return stranger(
                value, among: policy?.entitlements.keys.map(\.text), .unknownEntitlement)
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
