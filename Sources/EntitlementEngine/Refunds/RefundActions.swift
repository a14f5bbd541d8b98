package import EntitlementModel
internal import LedgerModel

extension EntitlementEngine {
    /// Records whether a customer lets Apple be told what they used (spec 1.12). What the account said
    /// last already is not recorded again.
    package func record(
        _ consent: RefundConsent
    ) async throws(EngineError) -> Recorded<RefundConsent> {
        let recorded = try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
            var consent = consent
            consent.account = try ledger.standing(for: consent.account)
            let said = try ledger.policy.folding(
                ledger.transaction.facts(forAccount: consent.account)
            ).refundConsents.last { $0.value.account == consent.account }
            if let said, said.value.isGiven == consent.isGiven { return (said, []) }
            let recorded = try ledger.append(consent, as: .refundConsent(consent))
            return (recorded, [consent.account])
        }
        refundDesk.wake(recorded.value.account, at: now())
        return recorded
    }

    /// Records that a person has told Apple something about a refund, or has decided not to.
    package func recordAnswered(
        _ request: LedgerSequence, _ cause: AdminActionCause
    ) async throws(EngineError) -> AdminActionReport<Recorded<RefundAnswer>> {
        let answer = RefundAnswer(
            request: request, outcome: .byPerson, actor: cause.actor, reason: cause.reason)
        return try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
            guard case .notification(let fact)? = try ledger.transaction.entry(request)?.value,
                fact.type == RefundRequest.notificationType
            else { return (.rejected(.unknownRefund), []) }
            if let known = try ledger.transaction.refundAnswer(to: request, begun: false) {
                let isSame = known.value == answer
                return (isSame ? .done(known) : .rejected(.refundAnswered), [])
            }
            return (.done(try ledger.append(answer, as: .refundAnswer(answer))), [])
        }
    }
}
