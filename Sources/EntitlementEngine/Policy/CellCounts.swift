package import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// How many accounts stand in each cell of the policy's tables, as last counted. In memory only.
final class CellCounts: Sendable {
    private let last = Mutex<PolicyCountsAnswer?>(nil)

    var answer: PolicyCountsAnswer? { last.withLock { $0 } }
    func keep(_ answer: PolicyCountsAnswer) { last.withLock { $0 = answer } }
}

/// Counts them: by one walk of all accounts after a start and when another policy comes into force,
/// and again a day after the last one. It gives way to everything else.
struct CellCountJob: Job {
    weak let engine: EntitlementEngine?
    var kind: JobKind { .counts }
    /// Milliseconds until they are counted again: a day.
    private static let age: Int64 = 86_400_000
    /// How many accounts share one view of the ledger.
    private static let portion = 128

    init(engine: EntitlementEngine) {
        self.engine = engine
    }

    func run() async -> JobPause {
        guard let engine else { return JobPause() }
        let (policy, now) = (engine.policy, engine.now())
        if let last = engine.cellCounts.answer, last.policy == policy.digest, last.at <= now,
            now < last.at.advanced(byMilliseconds: Self.age)
        {
            return JobPause(due: last.at.advanced(byMilliseconds: Self.age))
        }
        // The first question about claims that wait would read the whole ledger.
        _ = try? engine.questions.waitingClaims(limit: 0)
        guard let counts = try? count(engine, by: policy, at: now) else {
            return JobPause(longest: .seconds(60), rest: JobPause.retry)
        }
        engine.cellCounts.keep(counts)
        return JobPause(due: now.advanced(byMilliseconds: Self.age))
    }

    /// - Returns: nil if it is not needed any more.
    private func count(
        _ engine: EntitlementEngine, by policy: ActivePolicy, at instant: Instant
    ) throws(EngineError) -> PolicyCountsAnswer? {
        let revision = engine.revision
        var (tally, last): ([PolicyCell: Int64], AccountID?) = ([:], nil)
        var accounts: Int64 = 0
        while true {
            guard !engine.jobs.hasStopped, engine.policy.digest == policy.digest else { return nil }
            let portion = try engine.ledger.reading { reader throws(LedgerError) in
                let names = try reader.accounts(
                    after: last, limit: Self.portion,
                    folded: policy.history.current.foldsAccounts)
                for name in names {
                    let facts = try policy.facts(of: name, throughIfAny: nil, reader)
                    let timeline = policy.deriver.deriveAccount(name, facts)
                    for cell in timeline.cells(at: instant) { tally[cell, default: 0] += 1 }
                }
                return names
            }
            guard let name = portion.last else { break }
            last = name
            accounts += Int64(portion.count)
        }
        return PolicyCountsAnswer(
            at: instant, policy: policy.digest, revision: revision, accounts: accounts,
            cells: tally.sorted { $0.key < $1.key }.map { cell, accounts in
                PolicyCellCount(kind: cell.kind, state: cell.state, accounts: accounts)
            })
    }
}

/// A kind of product in a state.
private struct PolicyCell: Hashable, Comparable {
    let kind: ProductKind
    let state: EntitlementState

    static func < (left: Self, right: Self) -> Bool {
        (left.kind.rawValue, left.state.rawValue) < (right.kind.rawValue, right.state.rawValue)
    }
}

extension AccountTimeline {
    /// The cells in which its production purchases stand at the instant, each once.
    fileprivate func cells(at instant: Instant) -> Set<PolicyCell> {
        var cells: Set<PolicyCell> = []
        for unit in units where unit.unit.environment == .production {
            let isOwned = unit.owners.contains {
                $0.account == account && $0.interval.contains(instant)
            }
            guard isOwned, let kind = unit.kind.known,
                let span = unit.states.last(where: { $0.interval.contains(instant) })
            else { continue }
            cells.insert(PolicyCell(kind: kind, state: span.state))
        }
        return cells
    }
}

extension EntitlementEngine {
    /// The accounts in each cell of the policy's tables; nil until they are counted.
    package var policyCounts: PolicyCountsAnswer? { cellCounts.answer }

    /// Begins to count them.
    package func keepCounts() { jobs.start(CellCountJob(engine: self)) }
}
