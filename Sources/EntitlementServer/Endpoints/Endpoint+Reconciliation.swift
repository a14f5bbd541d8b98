internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// Comparing the ledger with what Apple says (spec 3.6).
extension Endpoint {
    static let reconciliations = [
        Endpoint(
            "reconcile", .post, "/v1/reconciliations",
            "Begins to compare the ledger with Apple: what is missing is added, and every "
                + "difference is reported. An interrupted run is gone on with. 'dry_run' asks "
                + "Apple nothing and answers with the plan.",
            role: .admin,
            body: Body(
                ReconciliationBody.self,
                example: ["only_due": true, "reason": "The proxy was down over night."]),
            answers: [
                .json("The plan, for a dry run.", ReconciliationPlan.self),
                .json("Begun; its number is in it.", ReconciliationAnswer.self, status: 202),
                .problem(403, "Not done."), .problem(409, "Another one is running."),
                .problem(501, "No access to Apple's servers is configured."),
            ],
            work: .operation { call, service throws(Problem) in
                let body = try service.body(ReconciliationBody.self, of: call)
                let reconciler = try service.reconciler()
                let request = try ReconciliationRequest(
                    body, callsPerSecond: reconciler.callsPerSecond)
                // Of a fleet, only the node that leads asks Apple.
                guard service.engine.leads else { throw Problem(.notLeader) }
                if body.isDryRun ?? false {
                    return try await service.reading { _ throws(EngineError) in
                        try reconciler.plan(callsPerSecond: request.callsPerSecond)
                    }
                }
                guard let answer = reconciler.request(request) else {
                    throw Problem(.reconciliationRunning)
                }
                service.journal.note("reconciliation", by: call.caller, body.reason.text)
                var draft = ResponseDraft(answer)
                draft.status = .accepted
                return draft
            }),
        Endpoint(
            "reconciliation", .get, "/v1/reconciliations/{run:1}",
            "How far a reconciliation has come, or what it has come to. Only the last one is kept.",
            isOfLeader: true,
            answers: [
                .json("As of now.", ReconciliationAnswer.self),
                .problem(404, "It is not the last one."),
                .problem(501, "No access to Apple's servers is configured."),
            ],
            work: .operation { call, service throws(Problem) in
                let run = try call.position(0, "run").number
                guard let last = try service.reconciler().last, last.run == run else {
                    throw Problem(.unknownReconciliation, field: "run")
                }
                return ResponseDraft(last)
            }),
        Endpoint(
            "drift", .get, "/v1/reconciliations/{run:1}/drift",
            "The differences that a reconciliation found. 'after' is 'next' of the page before.",
            query: [.skip, .limit],
            isOfLeader: true,
            answers: [
                .json("In the order in which they were found.", DriftPage.self),
                .problem(404, "It is not the last one."),
                .problem(501, "No access to Apple's servers is configured."),
            ],
            work: .operation { call, service throws(Problem) in
                let skip = try call.query.number(.skip, in: 0...Int64.max) ?? 0
                let limit = try call.query.limit()
                let run = try call.position(0, "run").number
                let page = try service.reconciler().drift(
                    ofRun: run, after: skip, limit: Int64(limit))
                guard let page else { throw Problem(.unknownReconciliation, field: "run") }
                return ResponseDraft(page)
            }),
        Endpoint(
            "reconciliationPlan", .get, "/v1/reconciliation-plan",
            "What it costs to keep all customers compared with Apple, by class of risk. Reads the "
                + "whole ledger.",
            isOfLeader: true,
            answers: [
                .json("As of now.", ReconciliationPlan.self),
                .problem(501, "No access to Apple's servers is configured."),
            ],
            work: .operation { call, service throws(Problem) in
                let reconciler = try service.reconciler()
                return try await service.reading { _ throws(EngineError) in
                    try reconciler.plan(callsPerSecond: nil)
                }
            }),
    ]
}

extension OperationsResponder {
    fileprivate func reconciler() throws(Problem) -> any ReconciliationRunner {
        guard let reconciler = configuration.reconciler else { throw Problem(.unsupported) }
        return reconciler
    }
}

extension ReconciliationRequest {
    fileprivate init(_ body: ReconciliationBody, callsPerSecond: Int64) throws(Problem) {
        let rate = body.callsPerSecond ?? callsPerSecond
        try Problem.require(rate, in: 1...1_000, field: "calls_per_second")
        guard (body.limit ?? 1) > 0 else { throw Problem(.value, field: "limit") }
        guard body.account == nil || body.appleID == nil else {
            throw Problem(.value, field: "apple_id")
        }
        if let environment = body.environment,
            environment != .production && environment != .sandbox
        {
            throw Problem(.value, field: "environment")
        }
        self.init(callsPerSecond: rate)
        if let account = body.account { scope = .account(account) }
        if let appleID = body.appleID { scope = .appleID(appleID) }
        environment = body.environment
        isFromStart = body.isFromStart ?? false
        isOnlyDue = body.isOnlyDue ?? false
        limit = body.limit
    }
}
