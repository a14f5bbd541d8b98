internal import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel

extension EntitlementEngine {
    /// Records what Apple answered, with the claims that it makes, and closes the ticket in the same
    /// commit; nothing where the ticket was closed meanwhile.
    func close(
        _ number: LedgerSequence, with answer: [AnsweredEvidence]
    ) async throws(AttemptError) {
        let called = clock.now()
        do throws(EngineError) {
            _ = try await commit(calledAt: called) { [refusals] ledger throws(LedgerError) in
                guard try ledger.waiting(number) != nil else { return ((), []) }
                var recorder = EvidenceRecorder(ledger, calledAt: called, refusals: refusals)
                for piece in answer {
                    try recorder.record(piece.submission, piece.verdict)
                }
                var closing = TicketClosing(ticket: number, outcome: .judged)
                if case .refused(let refusal)? = answer.first?.verdict {
                    closing.outcome = .refused
                    closing.code = refusal.code.rawValue
                } else if let digest = answer.first?.verdict.digest {
                    closing.evidence = try ledger.transaction.sequence(ofEvidence: digest)
                }
                _ = try ledger.transaction.append(.ticketClosed(closing), at: ledger.now)
                return ((), recorder.touched)
            }
        } catch {
            throw .engine(error)
        }
    }

    /// Closes a ticket that Apple does not answer, or answers with no; nothing where it was closed
    /// meanwhile.
    func close(_ closing: TicketClosing) async throws(AttemptError) {
        do throws(EngineError) {
            _ = try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
                if try ledger.waiting(closing.ticket) != nil {
                    _ = try ledger.transaction.append(.ticketClosed(closing), at: ledger.now)
                }
                return ((), [])
            }
        } catch {
            throw .engine(error)
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
            for ticket in page.tickets { waitingRoom.add(ticket, startedAt: started) }
            guard let next = page.last else { return }
            last = next
        }
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
