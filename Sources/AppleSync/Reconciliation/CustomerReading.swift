internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// Reads the customers of a ledger, a few at a time: nothing is derived but the Apple IDs that
/// share a page.
struct CustomerReading {
    let policy: ActivePolicy
    let reader: any LedgerReading

    /// How many share one view of the ledger.
    static let page = 128

    /// The Apple IDs that the facts are about, in the environments that Apple has servers for.
    func customers(in facts: FactSet, at instant: Instant) -> [CustomerOutline] {
        let known = Set(
            facts.transactions.map(\.value.lineage) + facts.renewals.map(\.value.lineage))
        var outlines = self.outlines(facts)
        var seen: Set<LineageKey> = []
        var customers: [CustomerOutline] = []
        for lineage in known.sorted()
        where lineage.environment.hasServers && !seen.contains(lineage) {
            let timeline = policy.deriver.deriveAppleID(holding: lineage, facts)
            // A renewal info may have come without its transaction.
            let key = timeline?.key ?? AppleIDKey(alone: lineage)
            let members = timeline?.lineages ?? [lineage]
            for unit in timeline?.units ?? [] {
                guard case .lineage(let key) = unit.unit else { continue }
                outlines[key]?.setState(in: unit, at: instant)
            }
            seen.formUnion(members)
            customers.append(
                CustomerOutline(
                    key: key, environment: lineage.environment,
                    lineages: members.compactMap { outlines[$0] }))
        }
        return customers
    }

    /// The facts of what may be one Apple ID, as they are derived from, without the app itself, of
    /// which Apple's calls do not tell.
    func facts(of lineage: LineageKey) throws(LedgerError) -> FactSet {
        var facts = policy.folding(try reader.facts(forLineage: lineage))
        facts.transactions.removeAll { $0.value.productID == .app }
        return facts
    }

    private func outlines(_ facts: FactSet) -> [LineageKey: LineageOutline] {
        var outlines: [LineageKey: LineageOutline] = [:]
        var newest: [TransactionKey: TransactionSnapshot] = [:]
        for fact in facts.transactions {
            let snapshot = fact.value
            let outline = outlines[snapshot.lineage] ?? LineageOutline(key: snapshot.lineage)
            outlines[snapshot.lineage] = outline.adding(snapshot)
            if let other = newest[snapshot.key], !other.isOutranked(by: snapshot) { continue }
            newest[snapshot.key] = snapshot
        }
        for snapshot in newest.values {
            outlines[snapshot.lineage]?.transactions += 1
            guard let date = snapshot.revocation?.date, !snapshot.isUpgraded else { continue }
            let last = outlines[snapshot.lineage]?.lastRevocation ?? .distantPast
            outlines[snapshot.lineage]?.lastRevocation = max(last, date)
        }
        for fact in facts.renewals {
            var outline =
                outlines[fact.value.lineage] ?? LineageOutline(key: fact.value.lineage)
            outline.isSubscription = true
            outline.lastSigned = max(outline.lastSigned, fact.value.signedDate)
            outlines[fact.value.lineage] = outline
        }
        return outlines
    }
}

extension LineageOutline {
    fileprivate func adding(_ snapshot: TransactionSnapshot) -> LineageOutline {
        var outline = self
        outline.lastSigned = max(lastSigned, snapshot.signedDate)
        if snapshot.isOfSubscription { outline.isSubscription = true }
        return outline
    }

    fileprivate mutating func setState(in unit: UnitTimeline, at instant: Instant) {
        guard let span = unit.states.last(where: { $0.interval.start <= instant }) else { return }
        state = span.state
        // Auto-renew may be turned off and on within a state: what counts is when that ends.
        let later = unit.states.first {
            $0.interval.start > instant && $0.state != span.state
        }
        stateSpan = Interval(
            from: span.enteredAt, to: later?.interval.start ?? unit.states.last?.interval.end)
    }
}

extension TransactionSnapshot {
    var isOfSubscription: Bool {
        kind.map { $0.known == .autoRenewable } ?? (expiresDate != nil)
    }

    /// Whether another snapshot of the same transaction holds instead (spec 1.2).
    func isOutranked(by other: TransactionSnapshot) -> Bool {
        let (isImported, otherIsImported) = (
            source.trust == .imported, other.source.trust == .imported
        )
        if isImported != otherIsImported { return isImported }
        if signedDate != other.signedDate { return signedDate < other.signedDate }
        if (source.form == .jws) != (other.source.form == .jws) {
            return other.source.form == .jws
        }
        return source.canonicalDigest < other.source.canonicalDigest
    }
}

extension StoreEnvironment {
    /// Whether Apple has servers for it: Xcode has none.
    var hasServers: Bool { self == .production || self == .sandbox }
}

extension AppleIDKey {
    /// Of a lineage that is not known to belong to others (spec 1.3).
    init(alone lineage: LineageKey) {
        self.init(
            unchecked:
                "otx:\(lineage.environment.rawValue):\(lineage.originalTransactionID.text)")
    }
}

/// Why a reconciliation ended before its end.
enum ReconciliationStop: Error {
    /// The service stops, or somebody has stopped it.
    case interrupted
    /// Apple's servers give no answers.
    case noAnswers(AppStoreFailure)
    case engine(EngineError)

    /// Stable.
    var code: String {
        switch self {
        case .interrupted: "reconciliation.interrupted"
        case .noAnswers(let failure): "app-store." + failure.kind.rawValue
        case .engine(let error): error.code
        }
    }
}

/// Calls of Apple's servers at a rate, repeated while that may help.
final class AppStoreCalls: Sendable {
    /// Why a call came to nothing.
    enum Failure: Error {
        /// Nobody else can be asked about either.
        case stop(ReconciliationStop)
        /// Apple says no more about this customer; the others can be asked about.
        case final(AppStoreFailure)
    }

    /// How often a call is repeated that finds no server, and how long the first wait is: it
    /// doubles, so that all of them take about two minutes.
    private static let repetitions = 7
    private static let firstWait: Int64 = 1_000
    /// How often in a row Apple may say that there were too many calls, and for how long it may
    /// have us wait: its limits are by the hour.
    private static let mostRateWaits = 12
    private static let longestRateWait: Int64 = 3_900_000
    /// Where Apple does not say when.
    private static let usualRateWait: Int64 = 60_000

    private struct State {
        var next = Instant.distantPast
        var calls: Int64 = 0
    }

    private let servers: any AppStoreServers
    private let context: any ClientContext
    /// Between two calls, in milliseconds.
    private let spacing: Int64
    private let state = Mutex(State())

    init(
        _ servers: any AppStoreServers, perSecond: Int64, context: any ClientContext
    ) {
        self.servers = servers
        self.context = context
        spacing = 1_000 / max(1, perSecond)
    }

    /// How many were made.
    var count: Int64 { state.withLock { $0.calls } }

    /// The answer, however long it takes.
    func ask<Value: Sendable>(
        _ call: @Sendable (any AppStoreServers) async throws(AppStoreFailure) -> Value
    ) async throws(Failure) -> Value {
        var wait = Self.firstWait
        var (repetitions, rateWaits) = (0, 0)
        while true {
            try await waitForTurn()
            let failure: AppStoreFailure
            do throws(AppStoreFailure) {
                return try await call(servers)
            } catch {
                failure = error
            }
            switch failure.kind {
            case .rateLimited where rateWaits < Self.mostRateWaits:
                rateWaits += 1
                await pause(until: retryInstant(failure))
            case .unavailable where repetitions < Self.repetitions,
                .network where repetitions < Self.repetitions:
                repetitions += 1
                await pause(until: context.now().advanced(byMilliseconds: wait))
                wait *= 2
            case .rateLimited, .unavailable, .network, .unauthorized:
                throw .stop(.noAnswers(failure))
            case .notFound, .badAnswer, .rejected:
                throw .final(failure)
            }
        }
    }

    /// Shorter where it is cancelled, which the next turn finds.
    private func pause(until instant: Instant) async {
        try? await context.wait(until: instant)
    }

    private func retryInstant(_ failure: AppStoreFailure) -> Instant {
        let now = context.now()
        guard let told = failure.retryAt, told > now else {
            return now.advanced(byMilliseconds: Self.usualRateWait)
        }
        return min(told, now.advanced(byMilliseconds: Self.longestRateWait))
    }

    private func waitForTurn() async throws(Failure) {
        let now = context.now()
        let turn = state.withLock { state in
            state.calls += 1
            // A clock that was set back must not stop everything.
            let earliest = state.next > now.advanced(byMilliseconds: 60_000) ? now : state.next
            let turn = max(now, earliest)
            state.next = turn.advanced(byMilliseconds: spacing)
            return turn
        }
        if turn > now { await pause(until: turn) }
        if Task.isCancelled { throw .stop(.interrupted) }
    }
}
