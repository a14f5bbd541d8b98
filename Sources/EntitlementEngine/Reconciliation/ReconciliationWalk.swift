internal import EntitlementAnswers
internal import EntitlementModel
internal import LedgerModel

/// One run: looks through the ledger for whom to ask about, compares Apple's notification history,
/// then asks about one customer after the other, the riskiest first (spec 3.6).
struct ReconciliationWalk {
    /// Customers that are asked about at once: an answer takes longer than a call's turn.
    static let concurrency = 8
    /// The journal gets a line at least after so many customers.
    static let customersPerLine: Int64 = 256
    /// So many customers in a row without a usable answer, and it is not they.
    static let mostUnansweredInRow = 50

    let engine: EntitlementEngine
    let request: ReconciliationRequest
    let calls: AppStoreCalls
    /// Nil where nothing is kept, or what is kept is of another ledger.
    var notes: CustomerNotes?
    let journal: ReconciliationJournal?
    let publish: @Sendable (ReconciliationAnswer, DriftReport) -> Void
    var answer: ReconciliationAnswer
    var report = DriftReport()
    var notifications: [StoreEnvironment: JournalLine.Notifications] = [:]
    var unansweredInRow = 0
    var visitedSinceLine: Int64 = 0
    /// What earlier parts of the same run have called.
    var earlierCalls: Int64 = 0

    /// - Parameters:
    ///   - run: the number that it gets unless it goes on with another.
    ///   - publish: gets what has become of it after each step.
    init(
        _ request: ReconciliationRequest, run: Int64, engine: EntitlementEngine,
        calls: AppStoreCalls, store: (any ReconciliationStore)?,
        publish: @escaping @Sendable (ReconciliationAnswer, DriftReport) -> Void
    ) {
        self.engine = engine
        self.request = request
        self.calls = calls
        notes = request.scope == .all ? store.map { CustomerNotes(store: $0) } : nil
        journal = request.scope == .all ? store.map { ReconciliationJournal($0) } : nil
        self.publish = publish
        answer = ReconciliationAnswer(
            run: run, state: .running, startedAt: engine.now(), isResumed: false,
            tally: ReconciliationTally())
    }

    /// Runs to its end or until it has to stop; what it has found and written stays.
    consuming func run() async -> (ReconciliationAnswer, DriftReport) {
        var walk = self
        do throws(ReconciliationStop) {
            try await walk.walk()
            walk.answer.state = .finished
        } catch {
            walk.answer.state = .stopped
            walk.answer.code = error.code
        }
        walk.answer.endedAt = walk.engine.now()
        let end = JournalLine.End(
            at: walk.engine.now(), code: walk.answer.code)
        walk.update()
        do throws(ReconciliationStop) {
            try walk.append([], end: end)
        } catch {
            walk.answer.state = .stopped
            walk.answer.code = walk.answer.code ?? error.code
            walk.update()
        }
        return (walk.answer, walk.report)
    }

    mutating func walk() async throws(ReconciliationStop) {
        let order = try begin()
        if request.scope == .all {
            for environment in environments { try await lookAtNotifications(in: environment) }
        }
        var rest = order[...]
        while !rest.isEmpty {
            if Task.isCancelled { throw .interrupted }
            let batch = rest.prefix(Self.concurrency)
            rest = rest.dropFirst(batch.count)
            try await visit(Array(batch))
        }
    }

    /// Asked about: those that the policy trusts and Apple has servers for.
    var environments: [StoreEnvironment] {
        let trusted = engine.policy.history.current.environments
        return [StoreEnvironment.production, .sandbox].filter {
            trusted[$0] == .trusted && (request.environment ?? $0) == $0
        }
    }
}

/// Writing.
extension ReconciliationWalk {
    /// First the report, then the evidence: whoever goes on after a crash in between finds the same
    /// once more, and counts it once.
    ///
    /// - Parameter repeated: newer signatures of what is known; they are not counted.
    mutating func write(
        _ drift: [DriftItem], _ news: [AnsweredEvidence], _ repeated: [AnsweredEvidence] = []
    ) async throws(ReconciliationStop) {
        let found = report.insert(drift)
        if !found.isEmpty { try append(found.map { JournalLine(drift: $0) }) }
        guard !news.isEmpty || !repeated.isEmpty else { return }
        do throws(EngineError) {
            try await engine.record(news + repeated)
        } catch {
            throw .engine(error)
        }
        answer.tally.written += Int64(news.count)
    }

    /// Adds lines to the journal, and how far it has come.
    mutating func append(
        _ lines: [JournalLine], end: JournalLine.End? = nil
    ) throws(ReconciliationStop) {
        guard let journal, request.keepsJournal else { return }
        visitedSinceLine = 0
        answer.tally.calls = earlierCalls + calls.count
        let tally = answer.tally
        try asking { walk throws(EngineError) in
            let mark = try walk.engine.ledger.reading { reader throws(LedgerError) in
                try reader.journalMark()
            }
            try EngineError.mapping { () throws(LedgerError) in
                try journal.append(lines + [JournalLine(mark: mark, tally: tally, end: end)])
            }
        }
    }

    mutating func update() {
        answer.tally.calls = earlierCalls + calls.count
        answer.drift = report.byCause
        answer.customersWithDrift = report.customerCount
        answer.accountsWithDrift = report.accountCount
        answer.unlisted = report.unlisted
        publish(answer, report)
    }

    mutating func asking<Value>(
        _ body: (inout ReconciliationWalk) throws(EngineError) -> Value
    ) throws(ReconciliationStop) -> Value {
        do throws(EngineError) {
            return try body(&self)
        } catch {
            throw .engine(error)
        }
    }
}

extension EngineError {
    static func mapping<Value>(
        _ body: () throws(LedgerError) -> Value
    ) throws(EngineError) -> Value {
        do throws(LedgerError) {
            return try body()
        } catch {
            throw .ledger(error)
        }
    }
}
