internal import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel

extension EntitlementEngine {
    /// Records what Apple answered, with the claims that it makes for each of the tickets, in the
    /// order in which they came, and closes them in the same commit; nothing for those that were
    /// closed meanwhile.
    func close(
        _ visitors: [WaitingRoom.Visitor], with answer: [AnsweredEvidence]
    ) async throws(AttemptError) {
        let called = clock.now()
        do throws(EngineError) {
            _ = try await commit(calledAt: called) { [refusals] ledger throws(LedgerError) in
                var recorder = EvidenceRecorder(ledger, calledAt: called, refusals: refusals)
                for visitor in visitors where try ledger.waiting(visitor.number) != nil {
                    for piece in answer {
                        try recorder.record(piece.submission(under: visitor), piece.verdict)
                    }
                    var closing = TicketClosing(ticket: visitor.number, outcome: .judged)
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

extension AnsweredEvidence {
    /// What verifyReceipt answers is presented as what waited was, and when; all else is presented
    /// by nobody.
    fileprivate func submission(under visitor: WaitingRoom.Visitor) -> EvidenceSubmission {
        let ticket = visitor.ticket
        guard ticket.form == .receipt || ticket.form == .oldReceipt else { return submission }
        var presented = submission
        presented.account = ticket.account
        presented.moment = ticket.moment
        presented.order = ticket.order
        presented.presentedAt = visitor.since
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
