internal import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

/// A hold that is ended before its time.
package struct HoldEndRequest: Hashable, Sendable {
    /// The entry of the hold, as it was answered when it was made.
    package var hold: LedgerSequence
    /// What is spent of it; nil for all, empty where all of it is released.
    package var captured: [CreditPart]?
    package var cause: CreditCause

    package init(hold: LedgerSequence, captured: [CreditPart]?, cause: CreditCause) {
        self.hold = hold
        self.captured = captured
        self.cause = cause
    }
}

extension EntitlementEngine {
    /// Captures a hold, all of it or a part, or releases it. What is not captured is free again.
    /// The same end again is answered as the first time.
    package func endHold(_ request: HoldEndRequest) async throws(EngineError) -> CreditReport {
        try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
            try CreditLedger(ledger).end(request)
        }
    }
}

extension CreditLedger {
    fileprivate func end(_ request: HoldEndRequest) throws(LedgerError) -> Outcome {
        guard let hold = try commit.transaction.hold(request.hold, commit.policy) else {
            return (.rejected(.unknownHold), [])
        }
        let account = commit.policy.name(hold.value.account)
        let captured = request.captured ?? hold.value.parts
        if let place = try commit.transaction.end(ofHold: hold.sequence),
            let entry = try commit.transaction.entry(place), case .holdEnd(let end) = entry.value
        {
            guard end.captured == captured else { return (.rejected(.holdEnded), []) }
            return (.done(try answer(entry, of: account)), [])
        }
        guard now < hold.value.until else { return (.rejected(.holdEnded), []) }
        for part in captured {
            let held = hold.value.parts.first { $0.credit == part.credit }?.units ?? 0
            if part.units > held { return (.rejected(.tooMuch(part.credit, left: held)), []) }
        }
        let standing = commit.policy.deriver.credits(of: account, try facts(of: account))
        if let obstacle = stop(captured, in: hold.value.environment, standing) {
            return (.rejected(obstacle), [])
        }
        let entry = LedgerEntry.holdEnd(
            HoldEnd(
                hold: hold.sequence, account: account, captured: captured,
                actor: request.cause.actor, reason: request.cause.reason,
                reference: request.cause.reference))
        let recorded = try commit.append(entry, as: entry)
        return (.done(try answer(recorded, of: account)), [account])
    }

    /// What is held is there; a block and a freeze stop it from being spent nevertheless.
    private func stop(
        _ parts: [CreditPart], in environment: StoreEnvironment, _ standing: CreditStanding
    ) -> CreditRejection? {
        for part in parts where standing.isBlocked(part.credit, at: now) {
            return .blocked(part.credit)
        }
        for part in parts
        where standing.timeline(CreditKey(environment, part.credit)).isFrozen(at: now) {
            return .frozen(part.credit)
        }
        return nil
    }
}
