internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel

/// Apple's notification history.
extension ReconciliationWalk {
    mutating func lookAtNotifications(
        in environment: StoreEnvironment
    ) async throws(ReconciliationStop) {
        let at = engine.now()
        var longest: Int64?
        var rereads = true
        while let span = NotificationSpan(
            in: environment, after: notifications[environment], under: engine.policy.digest,
            at: at, longest: longest, rereads: rereads)
        {
            rereads = false
            let failure: AppStoreFailure?
            do throws(ReconciliationStop) {
                failure = try await look(at: span, in: environment)
            } catch {
                guard case .noAnswers(let failure) = error, failure.kind == .badAnswer else {
                    throw error
                }
                return try await leaveNotifications(of: environment)
            }
            guard let failure else { continue }
            // The token became too old before the look was at its end: shorter looks from here on.
            // What was read is known by now, and only the calls are made again.
            guard longest ?? .max > NotificationSpan.shortest else { throw .noAnswers(failure) }
            longest = max(NotificationSpan.shortest, span.milliseconds / 2)
            notifications[environment] = notifications[environment]?.withoutLook
        }
    }

    /// What Apple has answered cannot be read: that is told, the customers are asked about all the
    /// same, and the next run looks from the beginning.
    private mutating func leaveNotifications(
        of environment: StoreEnvironment
    ) async throws(ReconciliationStop) {
        answer.tally.unanswered += 1
        try await write([DriftItem(.notificationsUnreadable, in: environment)], [])
        if let line = notifications[environment]?.withoutLook {
            notifications[environment] = line
            try append([JournalLine(notifications: line)])
        }
        update()
    }

    /// Reads a part of the history to its end.
    /// - Returns: why Apple does not go on with it; nil where it was read.
    private mutating func look(
        at span: NotificationSpan, in environment: StoreEnvironment
    ) async throws(ReconciliationStop) -> AppStoreFailure? {
        var span = span
        var progress = PageProgress()
        for _ in 0..<NotificationSpan.mostPages {
            if Task.isCancelled { throw .interrupted }
            let (from, until, token) = (span.from, span.until, span.token)
            let page: FetchedNotifications
            do throws(AppStoreCalls.Failure) {
                page = try await calls.ask { servers throws(AppStoreFailure) in
                    try await servers.notifications(
                        in: environment, from: from, to: until, after: token)
                }
            } catch {
                guard case .final(let failure) = error, failure.kind == .rejected, token != nil
                else { throw error.stop }
                return failure
            }
            guard page.signedPayloads.count <= CustomerVisit.mostItems else {
                throw AppStoreCalls.Failure.badAnswer.stop
            }
            let refused = answer.tally.refused
            try await take(page, of: &span, in: environment)
            guard progress.goesOn(behind: page, refused: answer.tally.refused - refused) else {
                throw AppStoreCalls.Failure.badAnswer.stop
            }
            guard let next = page.nextToken else { return nil }
            span.token = next
        }
        throw AppStoreCalls.Failure.badAnswer.stop
    }

    mutating func take(
        _ page: FetchedNotifications, of span: inout NotificationSpan,
        in environment: StoreEnvironment
    ) async throws(ReconciliationStop) {
        var comparison = NotificationComparison(engine: engine, environment: environment)
        try comparison.compare(page.signedPayloads)
        answer.tally.notifications += Int64(page.signedPayloads.count)
        answer.tally.refused += comparison.refused
        if comparison.refused > 0 {
            span.refused = JournalLine.Refused(
                from: min(span.refused?.from ?? span.from, span.from),
                under: comparison.isClockSuspect ? nil : engine.policy.digest)
        }
        let line =
            page.nextToken.map { span.line(in: environment, token: $0) }
            ?? span.endLine(in: environment)
        notifications[environment] = line
        try await write(comparison.drift, comparison.news)
        // Only once what was found is written.
        try append([JournalLine(notifications: line)])
        update()
    }
}

/// Whether pages come to an end, or seem to.
private struct PageProgress {
    /// So many pages in a row may bring nothing that Apple has signed.
    private static let mostInVain = 100

    private var tokens: Set<Int> = []
    private var pages: Set<Int> = []
    private var inVain = 0

    /// False where one leads back to one before it, brings the same again, or many have brought
    /// nothing.
    mutating func goesOn(behind page: FetchedNotifications, refused: Int64) -> Bool {
        guard let token = page.nextToken else { return true }
        let isInVain = refused == Int64(page.signedPayloads.count)
        inVain = isInVain ? inVain + 1 : 0
        let isNew =
            page.signedPayloads.isEmpty
            || pages.insert(page.signedPayloads.hashValue).inserted
        return tokens.insert(token.hashValue).inserted && isNew && inVain < Self.mostInVain
    }
}

/// The customers.
extension ReconciliationWalk {
    /// A customer, and what is known of it.
    struct CustomerJob: Sendable {
        var number: Int64?
        let customer: CustomerOutline
        let facts: FactSet
        let note: CustomerNote?
    }

    /// How a part of a visit came out, or why it did not.
    private struct EndedVisit: Sendable {
        let index: Int
        let part: CustomerResult?
        let stop: ReconciliationStop?
    }

    mutating func visit(_ keys: [JobKey]) async throws(ReconciliationStop) {
        let customerJobs = try asking { walk throws(EngineError) in
            try walk.customerJobs(keys)
        }
        var visits = customerJobs.enumerated().map { index, job in
            (
                index,
                CustomerVisit(
                    job.customer, job.facts, note: job.note,
                    engine: engine, calls: calls)
            )
        }
        var done: [(CustomerJob, VisitOutcome)] = []
        var stop: ReconciliationStop?
        // One that has found much is written in parts, so that no history is kept in memory.
        while !visits.isEmpty, stop == nil {
            let ended = await Self.make(visits)
            visits = []
            for visit in ended {
                stop = stop ?? visit.stop
                guard let part = visit.part else { continue }
                guard let rest = part.rest else {
                    done.append((customerJobs[visit.index], part.outcome))
                    continue
                }
                try await write(part.outcome.drift, part.outcome.news, part.outcome.repeated)
                visits.append((visit.index, rest))
            }
        }
        try await record(done)
        // Those that the ledger does not have any more.
        if stop == nil { answer.tally.visited += Int64(keys.count - keyCount(of: done)) }
        update()
        if let stop { throw stop }
        if unansweredInRow >= Self.mostUnansweredInRow {
            throw AppStoreCalls.Failure.badAnswer.stop
        }
    }

    private static func make(_ visits: [(Int, CustomerVisit)]) async -> [EndedVisit] {
        await withTaskGroup(of: EndedVisit.self) { group in
            for (index, visit) in visits {
                group.addTask {
                    do throws(ReconciliationStop) {
                        return EndedVisit(index: index, part: try await visit.make(), stop: nil)
                    } catch {
                        return EndedVisit(index: index, part: nil, stop: error)
                    }
                }
            }
            // A list: optimised code of Swift 6.3 finds nothing in a dictionary of such results.
            var ended: [EndedVisit] = []
            for await visit in group { ended.append(visit) }
            return ended.sorted { $0.index < $1.index }
        }
    }

    func keyCount(of done: [(CustomerJob, VisitOutcome)]) -> Int {
        let numbers = Set(done.compactMap(\.0.number))
        return numbers.count + done.filter { $0.0.number == nil }.count
    }

    func customerJobs(_ keys: [JobKey]) throws(EngineError) -> [CustomerJob] {
        let policy = engine.policy
        let at = engine.now()
        let found = try engine.reading { reader throws(LedgerError) in
            let reading = CustomerReading(policy: policy, reader: reader)
            var found: [(number: Int64?, customer: CustomerOutline, facts: FactSet)] = []
            for key in keys {
                let lineage: LineageKey
                var number: Int64?
                switch key {
                case .lineage(let named): lineage = named
                case .number(let place):
                    // Two customers may have turned out to be one.
                    let next = try reader.clusters(after: place - 1, limit: 1).first
                    guard let next, next.number == place else { continue }
                    (lineage, number) = (next.lineage, place)
                }
                let facts = try reading.facts(of: lineage)
                for customer in reading.customers(in: facts, at: at) where includes(customer, key) {
                    found.append((number, customer, facts))
                }
            }
            return found
        }
        return try found.map { found throws(EngineError) in
            var note: CustomerNote?
            if let notes, let number = found.number {
                note = try notes.note(of: number, for: found.customer.key)
            }
            return CustomerJob(
                number: found.number, customer: found.customer, facts: found.facts, note: note)
        }
    }

    func includes(_ customer: CustomerOutline, _ key: JobKey) -> Bool {
        guard (request.environment ?? customer.environment) == customer.environment else {
            return false
        }
        guard case .lineage(let lineage) = key else { return true }
        return customer.lineages.contains { $0.key == lineage }
    }

    mutating func record(
        _ done: [(CustomerJob, VisitOutcome)]
    ) async throws(ReconciliationStop) {
        try await write(
            done.flatMap(\.1.drift), done.flatMap(\.1.news), done.flatMap(\.1.repeated))
        for (_, outcome) in done {
            answer.tally.refused += outcome.refused
            if !outcome.isAnswered { answer.tally.unanswered += 1 }
            unansweredInRow = outcome.isAnswered ? 0 : unansweredInRow + 1
        }
        try asking { walk throws(EngineError) in try walk.note(done) }
        let count = Int64(keyCount(of: done))
        answer.tally.visited += count
        visitedSinceLine += count
        if visitedSinceLine >= Self.customersPerLine { try append([]) }
    }

    /// One note for what may be one Apple ID; where it is two after all, both are asked from the
    /// beginning.
    func note(_ done: [(CustomerJob, VisitOutcome)]) throws(EngineError) {
        guard let notes else { return }
        for (job, outcome) in done {
            guard let number = job.number else { continue }
            let last = job.note?.askedAt ?? Instant(milliseconds: 0)
            var note = CustomerNote(
                run: answer.run, askedAt: outcome.isAnswered ? engine.now() : last,
                historyAskedAt: outcome.historyAskedAt, revision: outcome.revision)
            // What was refused, perhaps by a clock of ours that is slow, is asked for again.
            if outcome.refused > 0 {
                note.historyAskedAt = job.note?.historyAskedAt
                note.revision = job.note?.revision
            }
            try notes.setNote(note, of: number, for: job.customer.key)
        }
    }
}
