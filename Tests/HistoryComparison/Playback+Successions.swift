internal import EntitlementDerivation
internal import EntitlementModel
internal import EntitlementSpecification

/// Lineages that go on from others, decided as soon as both are known (spec 1.4).
extension Playback {
    /// After the newest transaction: what the derivation makes of it beside what it comes to.
    mutating func succeed(recordedAt: Instant) {
        guard let told = facts.transactions.last else { return }
        let isNamed = facts.transactions.contains {
            $0.value.previousOriginalTransactionID != nil
        }
        guard isNamed else { return }
        let derived = Deriver(policies: policies).successions(
            firstKnownSince: told.sequence, recordedAt: recordedAt, facts)
        var specified: [SpecifiedSuccession] = []
        while let next = Specification(policies: policies, facts: facts)
            .nextSuccession(after: told)
        {
            specified.append(next)
            coverage.visit("succession \(next.outcome.code)")
            let rule = derived.dropFirst(specified.count - 1).first?.rule
            let decision = OwnershipDecision(
                cause: next.cause, unit: next.unit, transactionID: next.transactionID,
                outcome: next.outcome, rule: rule ?? .builtIn("succession"),
                policy: policies.current.digest, ownersBefore: next.ownersBefore,
                ownersAfter: next.ownersAfter, from: next.from)
            facts.decisions.append(self.next(decision, recordedAt))
        }
        let made = derived.map(SpecifiedSuccession.init)
        if made != specified {
            disagreements.append(
                Disagreement(
                    "successions", at: recordedAt, derived: made.map { "\($0)" }.joined(),
                    specified: specified.map { "\($0)" }.joined()))
        }
    }
}

extension SpecifiedSuccession {
    fileprivate init(_ decision: OwnershipDecision) {
        self.init(
            cause: decision.cause, unit: decision.unit, transactionID: decision.transactionID,
            outcome: decision.outcome, ownersBefore: decision.ownersBefore,
            ownersAfter: decision.ownersAfter, from: decision.from)
    }
}
