internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

/// The answers to one question by what was known after each entry that may have changed it.
struct AnswersByEntry {
    /// The account's entries and the policies, in the ledger's order.
    let places: [LedgerSequence]
    private let key: RightKey
    private let account: AccountID
    private let instant: Instant
    private let policy: ActivePolicy
    private let facts: FactSet
    private let activations: [LedgerSequence]
    private var derivers: [Int: (deriver: Deriver, folds: Bool)] = [:]
    private var known: [Int: AnswerBrief] = [:]
    /// How much was derived: facts.
    private var effort = 0

    /// An account with few facts is examined at once; of one with many a page shows what was
    /// examined.
    private static let mostEffort = 400_000

    init(
        _ key: RightKey, of account: AccountID, at instant: Instant, _ appleID: AppleIDKey?,
        _ policy: ActivePolicy, _ reader: any LedgerReading
    ) throws(LedgerError) {
        (self.key, self.instant, self.policy) = (key, instant, policy)
        // Spellings are folded as the policy of each moment says.
        self.account = account
        facts =
            if let appleID {
                try policy.facts(of: account, through: appleID, reader)
            } else {
                try reader.facts(about: account)
            }
        activations = try reader.policyActivations().map(\.sequence)
        var places = EntryPlaces(facts: facts)
        FactSet.visitLists(&places)
        self.places = places.found.union(activations).sorted()
    }

    var mayDerive: Bool { effort < Self.mostEffort }

    /// How many answers were derived so far.
    var derivations: Int { known.count }

    /// The answer once so many of the entries were known.
    mutating func answer(_ count: Int) -> AnswerBrief {
        if let answer = known[count] { return answer }
        let last = count == 0 ? LedgerSequence.zero : places[count - 1]
        let answer = AnswerBrief(
            Answer(
                key: key, timeline: right(after: last), at: instant, policy: policy.digest,
                revision: last))
        effort += count + 1
        known[count] = answer
        return answer
    }

    /// The newest stretches of the right, by all that is known.
    var stretches: [RightStretch] {
        mutating get { right(after: places.last ?? .zero).spans.suffix(100).map(RightStretch.init) }
    }

    private mutating func right(after last: LedgerSequence) -> RightTimeline {
        let (deriver, folds) = deriver(after: last)
        let cut = facts.before(LedgerSequence(last.number + 1))
        let account = folds ? account.folded : account
        return deriver.deriveAccount(account, folds ? cut.foldingAccounts() : cut).right(key)
    }

    /// By the policies that were in force after an entry; before the first one by that.
    private mutating func deriver(
        after place: LedgerSequence
    ) -> (deriver: Deriver, folds: Bool) {
        let count = max(1, activations.prefix { $0 <= place }.count)
        if let deriver = derivers[count] { return deriver }
        let history = policy.history.first(count)
        let deriver = (Deriver(policies: history), history.current.foldsAccounts)
        derivers[count] = deriver
        return deriver
    }

    /// Whether the entry at the index has changed the answer.
    mutating func changed(by index: Int) -> Bool { answer(index) != answer(index + 1) }

    /// Nil for an entry whose content was erased.
    mutating func row(
        _ index: Int, _ reader: any LedgerReading
    ) throws(LedgerError) -> AnswerChange? {
        guard let entry = try reader.entry(places[index]) else { return nil }
        var fact = try reader.told(entry)
        if fact.action.actor == nil { fact.action = entry.value.action }
        var change = AnswerChange(
            fact: fact, entry: "\(entry.value.registered.kind.name)", policy: nil,
            before: answer(index), after: answer(index + 1))
        if case .policyActivation(let activation) = entry.value {
            change.policy = activation.digest
        }
        return change
    }

    func frame(
        _ reader: any LedgerReading, knownBy key: PrivacyKey?
    ) throws(LedgerError) -> AccountFrame {
        try reader.frame(of: policy.name(account), at: instant, policy, knownBy: key)
    }
}

/// Finding the change by which an answer became wrong, by few derivations.
extension AnswersByEntry {
    /// The index of the entry; nil where the answer is as expected, or never was.
    mutating func firstWrong(_ expected: ExpectedAnswer) -> Int? {
        let last = places.count
        guard !expected.matches(answer(last)) else { return nil }
        var (wrong, right) = (last, 0)
        if !expected.matches(answer(0)) {
            guard let found = newestMatch(expected, &wrong) else { return nil }
            right = found
        }
        while wrong - right > 1 {
            let middle = (right + wrong) / 2
            if expected.matches(answer(middle)) { right = middle } else { wrong = middle }
        }
        return wrong - 1
    }

    /// How far from the end the first answers are that are looked at.
    private static let distances = [1, 32, 1_024]

    /// An answer that was as expected, although the first was not: looked for near the end, then
    /// at half of what is before, again and again, and in the end one by one.
    private mutating func newestMatch(_ expected: ExpectedAnswer, _ wrong: inout Int) -> Int? {
        let last = places.count
        var probes = Self.distances.filter { $0 < last / 2 }.map { last - $0 }
        var middle = last / 2
        while middle > 0 {
            probes.append(middle)
            middle /= 2
        }
        for index in probes {
            if expected.matches(answer(index)) { return index }
            wrong = index
        }
        wrong = last
        for index in stride(from: last - 1, to: 0, by: -1) where mayDerive {
            if expected.matches(answer(index)) { return index }
            wrong = index
        }
        return nil
    }
}

/// Where the entries of a set of facts are.
private struct EntryPlaces: FactListVisitor {
    let facts: FactSet
    var found: Set<LedgerSequence> = []

    mutating func visit<Value: FactValue>(_ list: WritableKeyPath<FactSet, [Recorded<Value>]>) {
        for place in facts[keyPath: list].indices {
            found.insert(facts[keyPath: list][place].sequence)
        }
    }
}

extension LedgerEntry {
    /// Who did it, and why; nothing where nobody did.
    fileprivate var action: ActionFact {
        switch self {
        case .grant(let grant): ActionFact(actor: grant.actor, reason: grant.reason)
        case .grantRevocation(let end): ActionFact(actor: end.actor, reason: end.reason)
        case .block(let block): ActionFact(actor: block.actor, reason: block.reason)
        case .blockRemoval(let end): ActionFact(actor: end.actor, reason: end.reason)
        case .accountToken(let token): ActionFact(actor: token.actor, reason: token.reason)
        case .accountMerge(let merge): ActionFact(actor: merge.actor, reason: merge.reason)
        case .policyActivation(let policy):
            ActionFact(actor: policy.acceptance?.actor, reason: policy.acceptance?.reason)
        default: ActionFact()
        }
    }
}
