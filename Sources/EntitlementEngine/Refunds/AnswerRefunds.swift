internal import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

/// The result of one step.
package struct RefundStep: Sendable {
    /// How many requests were handled.
    package var looks = 0
    /// Why the ledger could not be read, or did not take an answer; it is sent again.
    package var error: EngineError?
    /// Requests whose answer Apple rejects, or that have lapsed although an answer was wanted.
    package var lost: [LedgerSequence] = []
}

extension EntitlementEngine {
    /// How many requests are handled in parallel.
    static let refundsAtOnce = 8

    /// Answers the refund requests that are due (spec 1.12): sends the policy's answer if the
    /// customer has consented, and records it. The answer is written before it is sent, so that
    /// repetitions are equal. Costs next to nothing while nothing is new.
    package func answerRefunds() async -> RefundStep {
        var step = RefundStep()
        do throws(EngineError) {
            try ledger.reading { reader throws(LedgerError) in
                try refundQueue.follow(RefundReading(reader: reader, policy: policy), at: now())
            }
        } catch {
            step.error = error
            return step
        }
        let begun = refundQueue.begin(by: policy.digest, at: now(), atMost: Self.refundsAtOnce)
        step.looks = begun.count
        await withTaskGroup(of: (LedgerSequence, RefundQueue.Result, Bool, EngineError?).self) {
            tasks in
            for open in begun {
                tasks.addTask { await self.look(at: open) }
            }
            for await (place, result, isLost, error) in tasks {
                refundQueue.finish(place, result, at: now())
                if isLost { step.lost.append(place) }
                step.error = step.error ?? error
            }
        }
        step.lost.sort()
        return step
    }

    /// When a request is due next; nil if none is open.
    package var nextRefundLook: Instant? { refundQueue.nextLook }

    private func look(
        at open: RefundQueue.Case
    ) async -> (LedgerSequence, RefundQueue.Result, Bool, EngineError?) {
        let place = open.event.place
        do throws(EngineError) {
            let policy = policy
            let standing = try ledger.reading { reader throws(LedgerError) in
                try RefundReading(reader: reader, policy: policy)
                    .standing(of: open.event, later: [], at: now())
            }
            guard standing.state == .open else {
                let outcome = RefundOutcome(standing.state)
                return (place, .ended(outcome), outcome == .lapsed && open.isWanted, nil)
            }
            guard let statement = standing.statement, let evaluation = standing.evaluation,
                sendsRefundAnswers, let appStore, appStore.hasServerAPI
            else { return (place, .rests(standing), false, nil) }
            guard refundQueue.mayCall(at: now()) else { return (place, .held, false, nil) }
            let decided = RefundAnswer(
                request: place, outcome: .begun, statement: statement, rule: evaluation.rule,
                policy: policy.digest)
            // A person may have answered meanwhile.
            guard var answer = try await begin(decided), let statement = answer.statement else {
                return (place, .ended(.byPerson), false, nil)
            }
            answer.outcome = .sent
            if let failure = await send(statement, about: open.event, to: appStore) {
                guard failure.meaning == .final else {
                    return (place, .failed(failure), false, nil)
                }
                answer.outcome = .refused
                answer.code = failure.closingCode
                answer.status = failure.code.map(Int64.init)
            }
            _ = try await record(answer)
            let isRefused = answer.outcome == .refused
            return (place, .ended(isRefused ? .refused : .sent), isRefused, nil)
        } catch {
            return (place, .unrecorded, false, error)
        }
    }

    private func send(
        _ statement: RefundStatement, about event: RefundEvent, to appStore: any AppStoreServers
    ) async -> AppStoreFailure? {
        guard let transaction = event.transaction else { return AppStoreFailure(.rejected) }
        let (id, environment) = (transaction.transactionID, transaction.environment)
        do throws(AppStoreFailure) {
            if statement.isFirstVersion {
                try await appStore.sendConsumption(
                    FirstConsumptionReport(statement), of: id, in: environment)
            } else {
                try await appStore.sendConsumption(
                    ConsumptionReport(statement), of: id, in: environment)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Records the answer that is going to be sent; one that was begun before stays. Nil if the
    /// request is answered.
    private func begin(_ answer: RefundAnswer) async throws(EngineError) -> RefundAnswer? {
        try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
            if try ledger.transaction.refundAnswer(to: answer.request, begun: false) != nil {
                return (nil, [])
            }
            let known = try ledger.transaction.refundAnswer(to: answer.request, begun: true)
            if let known { return (known.value, []) }
            return (try ledger.append(answer, as: .refundAnswer(answer)).value, [])
        }
    }

    /// Records an answer; one recorded meanwhile stays.
    func record(_ answer: RefundAnswer) async throws(EngineError) -> Recorded<RefundAnswer> {
        try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
            let known = try ledger.transaction.refundAnswer(to: answer.request, begun: false)
            if let known {
                return (known, [])
            }
            return (try ledger.append(answer, as: .refundAnswer(answer)), [])
        }
    }
}

extension RefundOutcome {
    /// Of a request that is not open any more.
    fileprivate init(_ state: RefundState) {
        switch state {
        case .sent: self = .sent
        case .refused: self = .refused
        case .answered: self = .byPerson
        case .decided: self = .decided
        case .superseded: self = .superseded
        case .open, .lapsed: self = .lapsed
        }
    }
}

extension ConsumptionReport {
    init(_ statement: RefundStatement) {
        let deliveries: [RefundStatement.Delivery: Delivery] = [
            .delivered: .delivered, .other: .other,
        ]
        let preferences: [RefundStatement.Preference: Preference] = [
            .grantFull: .grantFull, .grantProrated: .grantProrated, .decline: .decline,
        ]
        self.init(
            delivery: deliveries[statement.delivery] ?? .other, hadSample: statement.hadSample,
            preference: preferences[statement.preference],
            consumedMilliPercent: statement.consumed)
    }
}

extension FirstConsumptionReport {
    /// Apple's numbers; what Usher does not know is not stated.
    init(_ statement: RefundStatement) {
        self.init(hadSample: statement.hadSample, appAccountToken: statement.token?.text ?? "")
        for (name, number) in statement.firstVersion {
            let isTaken = Field(rawValue: name).map { set($0, to: number) } ?? false
            precondition(isTaken, "every number is one that Apple defines")
        }
    }
}

extension EntitlementEngine {
    /// Records a customer's consent to telling Apple about consumption (spec 1.12). A statement
    /// equal to the account's last one is not recorded again.
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
        refundQueue.wake(recorded.value.account, at: now())
        jobs.wake([.refunds])
        return recorded
    }

    /// Records that a person has answered Apple about a refund, or has decided not to.
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
