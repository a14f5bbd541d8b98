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
            var answer = tell(history, revision: try reader.head().sequence)
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
                at: instant, asks: room != nil, tickets: [], next: nil, revision: revision)
            for place in places.prefix(limit) {
                guard let history = try reader.ticket(place) else { continue }
                list.tickets.append(tell(history, revision: revision))
            }
            if places.count > limit { list.next = places[limit - 1] }
            return list
        }
    }

    /// With what this process knows of attempts.
    private func tell(_ history: TicketHistory, revision: LedgerSequence) -> TicketAnswer {
        var answer = TicketAnswer(history, revision: revision)
        guard history.closing == nil else { return answer }
        guard let room else {
            answer.failure = TicketFailure(.notConfigured)
            return answer
        }
        guard let visitor = room[history.ticket.sequence] else { return answer }
        answer.attempts = visitor.attempts
        answer.lastAttempt = visitor.lastAttempt
        answer.nextAttempt = room.nextAttempt(of: visitor)
        answer.failure = room.failure(of: visitor).flatMap { failure in
            AppStoreTrouble(rawValue: failure.closingCode).map {
                TicketFailure($0, status: failure.code.map(Int64.init))
            }
        }
        return answer
    }

    /// How many transactions of one answer are told.
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

extension WaitingRoom {
    /// When the visitor is asked about next, if its service answers by then.
    func nextAttempt(of visitor: Visitor) -> Instant {
        state.withLock { $0.instant(of: visitor) }
    }

    /// Why the visitor has to wait; nil where it was not asked about yet, and its service answers.
    func failure(of visitor: Visitor) -> AppStoreFailure? {
        state.withLock { $0.failure(of: visitor) }
    }
}

extension EntitlementEngine {
    /// What waits for Apple, counted.
    package func waitingRoomReport(at instant: Instant) -> WaitingRoomAnswer {
        WaitingRoomAnswer(
            asks: appStore != nil, tickets: Int64(waitingRoom.count),
            oldestSeconds: waitingRoom.oldestSince.map {
                max(0, instant.milliseconds(since: $0)) / 1_000
            } ?? 0,
            nextAttempt: appStore == nil ? nil : waitingRoom.wakesAt)
    }

    /// How many tickets wait, by what they ask.
    package var waitingTicketCounts: [EvidenceTicket.Form: Int64] {
        waitingRoom.counts.filter { $0.value > 0 }
    }

    /// What came of the attempts of this process.
    package var appStoreAttempts: [AttemptOutcome: Int64] { waitingRoom.attempts }

    /// Whether one of Apple's services fails everybody who asks, or nobody asks although something
    /// waits.
    package var isAppStoreOutOfReach: Bool {
        waitingRoom.isShutOut || appStore == nil && waitingRoom.count > 0
    }

    /// Whether Apple is to be asked about something now.
    package var hasTicketsDue: Bool { waitingRoom.wakesAt.map { $0 <= now() } ?? false }

    /// How many tickets were looked at to see whether they are due: what waiting costs.
    package var ticketsExamined: Int64 { waitingRoom.examined }
}
