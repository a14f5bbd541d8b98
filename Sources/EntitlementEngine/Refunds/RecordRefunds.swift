internal import EntitlementAnswers
package import EntitlementModel
internal import LedgerModel

/// For what tells Apple.
extension EntitlementEngine {
    /// Takes in what is new of refund requests, and begins to look at those that are due, that which
    /// lapses first before all others. `finish` must follow for each. Blocks.
    package func beginRefunds(atMost limit: Int) throws(EngineError) -> [RefundQueue.Case] {
        try reading { reader throws(LedgerError) in
            try refundQueue.follow(RefundReading(reader: reader, policy: policy), at: now())
        }
        return refundQueue.begin(by: policy.digest, at: now(), atMost: limit)
    }

    /// Where the request stands now. Blocks.
    package func standing(
        of open: RefundQueue.Case, by policy: ActivePolicy
    ) throws(EngineError) -> RefundStanding {
        try reading { reader throws(LedgerError) in
            try RefundReading(reader: reader, policy: policy)
                .standing(of: open.event, later: [], at: now())
        }
    }

    /// When a request is looked at again; nil where none is open.
    package var nextRefundLook: Instant? { refundQueue.nextLook }

    /// Records what Apple is going to be told; what was begun before stays. Nil where the request
    /// is answered.
    package func begin(_ answer: RefundAnswer) async throws(EngineError) -> RefundAnswer? {
        try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
            if try ledger.transaction.refundAnswer(to: answer.request, begun: false) != nil {
                return (nil, [])
            }
            let known = try ledger.transaction.refundAnswer(to: answer.request, begun: true)
            if let known { return (known.value, []) }
            return (try ledger.append(answer, as: .refundAnswer(answer)).value, [])
        }
    }

    /// Records an answer; what was answered meanwhile stays.
    package func record(_ answer: RefundAnswer) async throws(EngineError) -> Recorded<RefundAnswer>
    {
        try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
            let known = try ledger.transaction.refundAnswer(to: answer.request, begun: false)
            if let known {
                return (known, [])
            }
            return (try ledger.append(answer, as: .refundAnswer(answer)), [])
        }
    }
}

extension EntitlementEngine {
    /// Records whether a customer lets Apple be told what they used (spec 1.12). What the account said
    /// last already is not recorded again.
    package func record(
        _ consent: RefundConsent, meant intent: ActionIntent = .act
    ) async throws(EngineError) -> Recorded<RefundConsent> {
        let recorded = try await commit(calledAt: clock.now(), meant: intent) {
            ledger throws(LedgerError) in
            var consent = consent
            consent.account = try ledger.standing(for: consent.account)
            let said = try ledger.policy.folding(
                ledger.transaction.facts(forAccount: consent.account)
            ).refundConsents.last { $0.value.account == consent.account }
            if let said, said.value.isGiven == consent.isGiven { return (said, []) }
            let recorded = try ledger.append(consent, as: .refundConsent(consent))
            return (recorded, [consent.account])
        }
        guard intent.acts else { return recorded }
        refundQueue.wake(recorded.value.account, at: now())
        jobs.wake([.refunds])
        return recorded
    }

    /// Records that a person has told Apple something about a refund, or has decided not to.
    package func recordAnswered(
        _ request: LedgerSequence, _ cause: AdminActionCause
    ) async throws(EngineError) -> AdminActionReport<Recorded<RefundAnswer>> {
        let answer = RefundAnswer(
            request: request, outcome: .byPerson, actor: cause.actor, reason: cause.reason)
        return try await commit(calledAt: clock.now(), meant: cause.intent) {
            ledger throws(LedgerError) in
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
