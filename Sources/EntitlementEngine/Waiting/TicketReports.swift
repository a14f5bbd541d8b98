package import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel
internal import Synchronization

extension LedgerQuestions {
    /// What waits for Apple under the ticket, and what came of it; nil for what is no ticket. Blocks.
    package func ticket(_ number: LedgerSequence) throws(EngineError) -> TicketAnswer? {
        try ledger.reading { reader throws(LedgerError) in
            guard let history = try reader.ticket(number) else { return nil }
            var answer = answer(about: history, revision: try reader.head().sequence)
            answer.transactions = try transactions(of: history, reader)
            return answer
        }
    }

    /// What waits, the oldest first; from the next one on. Blocks.
    package func waitingTickets(
        after sequence: LedgerSequence, at instant: Instant, limit: Int
    ) throws(EngineError) -> TicketList {
        try ledger.reading { reader throws(LedgerError) in
            let revision = try reader.head().sequence
            let places = try reader.tickets(onlyWaiting: true, after: sequence, limit: limit + 1)
            var list = TicketList(
                at: instant, asks: queue != nil, tickets: [], next: nil, revision: revision)
            for place in places.prefix(limit) {
                guard let history = try reader.ticket(place) else { continue }
                list.tickets.append(answer(about: history, revision: revision))
            }
            if places.count > limit { list.next = places[limit - 1] }
            return list
        }
    }

    /// With what this process knows of attempts.
    private func answer(about history: TicketHistory, revision: LedgerSequence) -> TicketAnswer {
        var answer = TicketAnswer(history, revision: revision)
        guard history.closing == nil else { return answer }
        guard let queue else {
            answer.failure = TicketFailure(.notConfigured)
            return answer
        }
        guard let pending = queue[history.ticket.sequence] else { return answer }
        answer.attempts = pending.attempts
        answer.lastAttempt = pending.lastAttempt
        answer.nextAttempt = queue.nextAttempt(of: pending)
        answer.failure = queue.failure(of: pending).flatMap { failure in
            AppStoreTrouble(rawValue: failure.closingCode).map {
                TicketFailure($0, status: failure.code.map(Int64.init))
            }
        }
        return answer
    }

    /// How many transactions of one answer are listed.
    private static var mostTransactions: Int { 1_000 }

    /// What the answer that closed the ticket was about, and where the account stands with it.
    private func transactions(
        of history: TicketHistory, _ reader: any LedgerReading
    ) throws(LedgerError) -> [TransactionAnswer] {
        let keys = try answeredTransactions(of: history, reader).prefix(Self.mostTransactions)
        guard !keys.isEmpty else { return [] }
        var account: AccountID?
        if let presented = history.ticket.value.account {
            account = try reader.account(standingFor: policy.name(presented), policy)
        }
        let facts = policy.folding(try reader.facts(forTransactions: Array(keys)))
        let holdings = policy.deriver.holdings(of: Array(keys), facts)
        var told: [TransactionAnswer] = []
        for key in keys {
            let newest = facts.transactions.map(\.value).filter { $0.key == key }
                .max { $0.signedDate < $1.signedDate }
            guard let newest else { continue }
            let owners = holdings[key]?.owners ?? []
            let denial = account.flatMap { facts.denial(of: key, to: $0) }
            let isOwner = account.map(owners.contains) ?? false
            told.append(
                TransactionAnswer(
                    key, lineage: newest.lineage, product: newest.productID,
                    verdict: isOwner ? .owned : denial == nil ? .recorded : .denied,
                    code: isOwner ? nil : denial, rule: nil,
                    owners: owners.map { $0 == account ? $0.text : $0.masked }, finish: true))
        }
        return told
    }

    /// Read again from the answer's own bytes; where it brought nothing new, what was asked about.
    private func answeredTransactions(
        of history: TicketHistory, _ reader: any LedgerReading
    ) throws(LedgerError) -> [TransactionKey] {
        guard let closing = history.closing?.value, closing.outcome == .judged else { return [] }
        if let place = closing.evidence, let entry = try reader.entry(place),
            case .evidence(let record) = entry.value, !record.bytes.isEmpty,
            case .accepted(let evidence)? = policy.verifier.verifyAgain(
                record, recordedAt: entry.recordedAt)
        {
            var seen: Set<TransactionKey> = []
            return evidence.transactions.map(\.key).filter { seen.insert($0).inserted }
        }
        guard let id = history.ticket.value.transaction else { return [] }
        for environment in [StoreEnvironment.production, .sandbox] {
            let key = TransactionKey(environment, id)
            if try reader.lineage(of: key) != nil { return [key] }
        }
        return []
    }
}

extension FactSet {
    /// Why the account was denied the transaction, where it was the last time that it claimed it.
    fileprivate func denial(of key: TransactionKey, to account: AccountID) -> ClaimDenial? {
        let claim = claims.last { $0.value.transaction == key && $0.value.account == account }
        let decision = decisions.last { $0.value.cause == claim?.sequence }
        guard case .denied(let denial)? = decision?.value.outcome else { return nil }
        return denial
    }
}

extension AppStoreQueue {
    /// When the ticket is asked about next, if its service answers by then.
    func nextAttempt(of pending: PendingTicket) -> Instant {
        state.withLock { $0.instant(of: pending) }
    }

    /// Why the ticket has to wait; nil where it was not asked about yet, and its service answers.
    func failure(of pending: PendingTicket) -> AppStoreFailure? {
        state.withLock { $0.failure(of: pending) }
    }
}

extension EntitlementEngine {
    /// What waits for Apple, counted.
    package func appStoreQueueReport(at instant: Instant) -> AppStoreQueueAnswer {
        AppStoreQueueAnswer(
            asks: appStore != nil, tickets: Int64(appStoreQueue.count),
            oldestSeconds: appStoreQueue.oldestSince.map {
                max(0, instant.milliseconds(since: $0)) / 1_000
            } ?? 0,
            nextAttempt: appStore == nil ? nil : appStoreQueue.wakesAt)
    }

    /// How many tickets wait, by what they ask.
    package var waitingTicketCounts: [EvidenceTicket.Form: Int64] {
        appStoreQueue.counts.filter { $0.value > 0 }
    }

    /// What came of the attempts of this process.
    package var appStoreAttempts: [AttemptOutcome: Int64] { appStoreQueue.attempts }

    /// Whether one of Apple's services fails everybody who asks, or nobody asks although something
    /// waits.
    package var isAppStoreOutOfReach: Bool {
        appStoreQueue.isUnavailable || appStore == nil && appStoreQueue.count > 0
    }

    /// How many tickets were looked at to see whether they are due: what waiting costs.
    package var ticketsExamined: Int64 { appStoreQueue.examined }
}

extension EntitlementEngine {
    /// Records what Apple answered, with the claims that it makes for each of the tickets, in the
    /// order in which they came, and closes them in the same commit; nothing for those that were
    /// closed meanwhile.
    package func close(
        _ tickets: [PendingTicket], with answer: [AnsweredEvidence]
    ) async throws(EngineError) {
        let called = clock.now()
        _ = try await commit(calledAt: called) { [refusals] ledger throws(LedgerError) in
            var recorder = EvidenceRecorder(ledger, calledAt: called, refusals: refusals)
            for pending in tickets where try ledger.waiting(pending.number) != nil {
                for piece in answer {
                    try recorder.record(piece.submission(under: pending), piece.verdict)
                }
                var closing = TicketClosing(ticket: pending.number, outcome: .judged)
                if case .refused(let refusal)? = answer.first?.verdict {
                    closing.outcome = .refused
                    closing.code = refusal.code.rawValue
                } else if let digest = answer.first?.verdict.digest {
                    closing.evidence = try ledger.transaction.sequence(ofEvidence: digest)
                }
                _ = try ledger.transaction.append(.ticketClosed(closing), at: ledger.now)
            }
            return ((), recorder.touched)
        }
    }

    /// Closes a ticket that Apple does not answer, or answers with no; nothing where it was closed
    /// meanwhile.
    package func close(_ closing: TicketClosing) async throws(EngineError) {
        _ = try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
            if try ledger.waiting(closing.ticket) != nil {
                _ = try ledger.transaction.append(.ticketClosed(closing), at: ledger.now)
            }
            return ((), [])
        }
    }

    /// Takes in what waited when the engine was opened.
    func loadTickets() throws(EngineError) {
        let started = now()
        var last = LedgerSequence.zero
        while true {
            let page = try ledger.reading { [last] reader throws(LedgerError) in
                var found: [Recorded<EvidenceTicket>] = []
                let places = try reader.tickets(onlyWaiting: true, after: last, limit: 256)
                for place in places {
                    if let history = try reader.ticket(place) { found.append(history.ticket) }
                }
                return (tickets: found, last: places.last)
            }
            for ticket in page.tickets { appStoreQueue.add(ticket, startedAt: started) }
            guard let next = page.last else { return }
            last = next
        }
    }
}

extension AnsweredEvidence {
    /// What verifyReceipt answers is presented as what waited was, and when; all else is presented
    /// by nobody.
    fileprivate func submission(under pending: PendingTicket) -> EvidenceSubmission {
        let ticket = pending.ticket
        guard ticket.form == .receipt || ticket.form == .oldReceipt else { return submission }
        var presented = submission
        presented.account = ticket.account
        presented.moment = ticket.moment
        presented.order = ticket.order
        presented.presentedAt = pending.since
        return presented
    }
}

extension EvidenceVerdict {
    fileprivate var digest: Digest256 {
        switch self {
        case .accepted(let evidence): evidence.digest
        case .quarantined(let evidence): evidence.digest
        case .refused(let refusal): refusal.digest
        }
    }
}
