internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
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
            let mark = try walk.journalMark()
            try EngineError.mapping { () throws(LedgerError) in
                try journal.append(lines + [JournalLine(mark: mark, tally: tally, end: end)])
            }
        }
    }

    private func journalMark() throws(EngineError) -> JournalLine.Mark? {
        try engine.reading { reader throws(LedgerError) in try reader.journalMark() }
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

/// The beginning: a new run, or the rest of an interrupted one.
extension ReconciliationWalk {
    /// A customer to visit: by number, or with the lineage that was asked for.
    enum JobKey: Sendable {
        case number(Int64)
        case lineage(LineageKey)
    }

    mutating func begin() throws(ReconciliationStop) -> [JobKey] {
        switch request.scope {
        case .all: return try beginWholeLedger().map { .number($0) }
        case .account, .appleID:
            let lineages = try asking { walk throws(EngineError) in try walk.namedLineages() }
            answer.tally.customers = Int64(lineages.count)
            update()
            return lineages.map { .lineage($0) }
        }
    }

    mutating func beginWholeLedger() throws(ReconciliationStop) -> [Int64] {
        let interrupted = try continueJournal()
        let at = engine.now()
        let order = try asking { walk throws(EngineError) in
            try walk.visitOrder(at: at, of: interrupted)
        }
        answer.tally.customers = answer.tally.visited + Int64(order.numbers.count)
        if interrupted == nil, let journal, request.keepsJournal {
            let beginning = JournalLine.Beginning(
                run: answer.run, startedAt: answer.startedAt, environment: request.environment,
                isOnlyDue: request.isOnlyDue, lastNumber: order.last, limit: request.limit)
            // What is known of notifications stays.
            let known = notifications.values.map { JournalLine(notifications: $0) }
            try asking { walk throws(EngineError) in
                let mark = try walk.journalMark()
                try EngineError.mapping { () throws(LedgerError) in
                    try journal.replace(with: [JournalLine(begun: beginning, mark: mark)] + known)
                }
            }
        }
        update()
        return order.numbers
    }

    /// Reads what the last run has left.
    /// - Returns: the run to go on with; nil for a new one.
    mutating func continueJournal() throws(ReconciliationStop) -> JournalLine.Beginning? {
        guard let journal else { return nil }
        let engine = engine
        let content = try asking { _ throws(EngineError) -> JournalContent? in
            let content = try EngineError.mapping { () throws(LedgerError) in
                JournalContent(try journal.lines())
            }
            let isOurs = try engine.reading { reader throws(LedgerError) in
                guard let mark = content.mark else { return false }
                return try reader.has(mark)
            }
            return isOurs ? content : nil
        }
        guard let content else {
            try forget()
            return nil
        }
        notifications = content.notifications
        answer.run = max(answer.run, (content.begun?.run ?? 0) + 1)
        guard !request.isFromStart, request.keepsJournal, let begun = content.interrupted,
            begun.environment == request.environment, begun.isOnlyDue == request.isOnlyDue
        else {
            for (environment, span) in notifications {
                notifications[environment] = span.withoutLook
            }
            return nil
        }
        answer.run = begun.run
        answer.startedAt = begun.startedAt
        answer.isResumed = true
        answer.tally = content.tally
        earlierCalls = content.tally.calls
        _ = report.insert(content.drift)
        return begun
    }

    /// What is kept is of another ledger, or of this one with entries that it does not have.
    mutating func forget() throws(ReconciliationStop) {
        try asking { walk throws(EngineError) in try walk.notes?.clear() }
    }

    /// The numbers of those to visit, the riskiest first, and the last number that there is.
    mutating func visitOrder(
        at instant: Instant, of interrupted: JournalLine.Beginning?
    ) throws(EngineError) -> (numbers: [Int64], last: Int64) {
        var order = VisitOrder()
        var visited: Int64 = 0
        var last: Int64 = 0
        let (request, notes, run) = (request, notes, answer.run)
        try engine.questions.visitCustomers(at: instant) { number, customers throws(EngineError) in
            if let interrupted, number > interrupted.lastNumber { return false }
            last = number
            let asked = customers.filter {
                (request.environment ?? $0.environment) == $0.environment
            }
            guard !asked.isEmpty else { return true }
            let kept = try asked.map { customer throws(EngineError) in
                try notes?.note(of: number, for: customer.key)
            }
            if interrupted != nil, kept.contains(where: { $0?.run == run }) {
                visited += 1
                return true
            }
            if request.isOnlyDue {
                let isDue = zip(asked, kept).contains {
                    $0.isDue($0.risk(at: instant), note: $1, at: instant)
                }
                guard isDue else { return true }
            }
            order.insert(number, asked, at: instant)
            return true
        }
        answer.tally.visited = visited
        var numbers = order.numbers()
        if let limit = interrupted?.limit ?? request.limit {
            numbers = Array(numbers.prefix(Int(max(0, limit - visited))))
        }
        return (numbers, last)
    }

    /// The lineages of one account or Apple ID; one of each Apple ID is enough.
    func namedLineages() throws(EngineError) -> [LineageKey] {
        let policy = engine.policy
        return try engine.reading { reader throws(LedgerError) in
            let lineages: [LineageKey]
            switch request.scope {
            case .all: return []
            case .appleID(let key):
                lineages = try policy.appleID(named: key, reader)?.lineages ?? []
            case .account(let account):
                let facts = policy.folding(try reader.facts(about: account))
                let timeline = policy.deriver.deriveAccount(account, facts)
                lineages = timeline.units.compactMap { unit in
                    switch unit.unit {
                    case .lineage(let key): key
                    case .purchase(let key):
                        facts.transactions.first { $0.value.key == key }?.value.lineage
                    }
                }
            }
            var named: [LineageKey] = []
            var seen: Set<LineageKey> = []
            for lineage in Set(lineages).sorted()
            where !lineage.originalTransactionID.isOfApp
                && (request.environment ?? lineage.environment) == lineage.environment
                && lineage.environment.hasServers && !seen.contains(lineage)
            {
                named.append(lineage)
                let facts = policy.folding(try reader.facts(forLineage: lineage))
                let timeline = policy.deriver.deriveAppleID(holding: lineage, facts)
                seen.formUnion(timeline?.lineages ?? [lineage])
            }
            return named
        }
    }
}

extension JournalLine.Notifications {
    /// Only how far all was looked at.
    var withoutLook: JournalLine.Notifications {
        JournalLine.Notifications(
            environment: environment, lookedAtUntil: lookedAtUntil, refused: refused)
    }
}
