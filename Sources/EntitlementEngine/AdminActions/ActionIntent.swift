package import EntitlementAnswers
package import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// How an action is meant (spec 3.1).
package enum ActionIntent: Hashable, Sendable {
    case act
    /// Only if nothing that concerns the same accounts was recorded after that entry.
    case actUnlessChanged(since: LedgerSequence)
    /// Nothing is done: the rehearsal learns what it would change.
    case preview(Rehearsal)

    /// More of what has changed is not named.
    static let mostChanged = 32

    /// Whether it is to be done.
    package var acts: Bool {
        if case .preview = self { false } else { true }
    }
}

/// Where a preview leaves what the action would change.
package final class Rehearsal: Hashable, Sendable {
    private let state = Mutex<Written<EffectAnswer>?>(nil)

    package init() {}

    /// Nil before the action was tried. The revision is the entry before it.
    package var effect: Written<EffectAnswer>? { state.withLock(\.self) }

    func note(_ effect: Written<EffectAnswer>) { state.withLock { $0 = effect } }

    package static func == (one: Rehearsal, other: Rehearsal) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension EngineTransaction {
    /// What was recorded after `revision`, up to `last`, that concerns the accounts and orders
    /// which the entries after `last` concern; nothing where there are none.
    ///
    /// - Parameter touched: accounts that they concern in any case.
    func entries(
        after revision: LedgerSequence, concerning touched: Set<AccountID>,
        before last: LedgerSequence
    ) throws(LedgerError) -> [ChangedEntry] {
        let appended = try entries(after: last)
        guard revision < last, !appended.isEmpty else { return [] }
        var (reading, concerned) = (ChangeReading(transaction), ChangedAnswers())
        for entry in appended { concerned.formUnion(try reading.changes(by: entry, policy)) }
        let accounts = concerned.accounts.union(concerned.deniedOwners).union(touched)
        let meant = LedgerSequence(revision.number + 1)...last
        var found: [LedgerSequence: AccountID] = [:]
        for account in Set(accounts.map(policy.name)).sorted() {
            let places = try reading.facts(of: account).places(in: meant)
            found.merge(places.map { ($0, account) }) { first, _ in first }
        }
        for id in concerned.orders {
            guard let order = try transaction.order(id) else { continue }
            let places = [order.order.sequence] + order.events.map(\.sequence)
            for place in places where meant.contains(place) { found[place] = order.account }
        }
        let activations = try transaction.policyActivations().map(\.sequence)
        let places = Set(found.keys).union(activations.filter(meant.contains))
        var changed: [ChangedEntry] = []
        for place in places.sorted().prefix(ActionIntent.mostChanged) {
            let kind = try transaction.entry(place)?.value.registered.kind
            changed.append(
                ChangedEntry(
                    entry: place, kind: kind.map { "\($0.name)" }, account: found[place]))
        }
        return changed
    }

    /// All entries after that one.
    func entries(after last: LedgerSequence) throws(LedgerError) -> [Recorded<LedgerEntry>] {
        let count = try transaction.head().sequence.number - last.number
        return count > 0 ? try transaction.entries(after: last, limit: Int(count)) : []
    }
}

extension FactSet {
    /// Which entries of these it has.
    fileprivate func places(in range: ClosedRange<LedgerSequence>) -> Set<LedgerSequence> {
        var reading = PlaceReading(facts: self, range: range)
        Self.visitLists(&reading)
        return reading.places
    }

    private struct PlaceReading: FactListVisitor {
        let facts: FactSet
        let range: ClosedRange<LedgerSequence>
        var places: Set<LedgerSequence> = []

        mutating func visit<Value: FactValue>(
            _ list: WritableKeyPath<FactSet, [Recorded<Value>]>
        ) {
            places.formUnion(
                facts[keyPath: list].lazy.map(\.sequence).filter(range.contains))
        }
    }
}
