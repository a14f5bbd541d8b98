internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// Apple's refund requests and the answers to them (spec 1.12).
extension Endpoint {
    static let refunds = [
        Endpoint(
            "refundRequests", .get, "/v1/refunds/requests",
            "Refund requests of Apple's, in the ledger's order: what Apple would be told and why, or "
                + "why it is told nothing. Those that Apple still takes an answer to, or with "
                + "'open=false' all. 'after' is 'next' of the page before.",
            query: [.open, .afterEntry, .limit],
            answers: [.json("As of the revision in it.", RefundRequestList.self)],
            work: .operation { call, service throws(Problem) in
                let (after, limit) = (try call.query.entry(), try call.query.limit())
                let onlyOpen = try call.query.flag(.open) ?? true
                return try await service.reading { questions throws(EngineError) in
                    try questions.refundRequests(
                        after: after, onlyOpen: onlyOpen, at: service.engine.now(), limit: limit)
                }
            }),
        Endpoint(
            "refundRequest", .get, "/v1/refunds/requests/{request:42}",
            "A refund request, named by the entry of its notification.",
            answers: [
                .json("As of now.", RefundRequestAnswer.self),
                .problem(404, "It is no refund request."),
            ],
            work: .operation { call, service throws(Problem) in
                let number = try call.position(0, "request")
                return try await service.offLoop { () throws(Problem) in
                    let found: RefundRequestAnswer?
                    do throws(EngineError) {
                        found = try service.engine.questions.refundRequest(
                            number, at: service.engine.now())
                    } catch {
                        throw Problem(error)
                    }
                    guard let found else { throw Problem(.unknownRefund, field: "request") }
                    return ResponseDraft(found)
                }
            }),
        Endpoint(
            "previewRefunds", .get, "/v1/refunds/preview",
            "What the policy in force would have answered to all refund requests of the ledger, had "
                + "every customer consented. Reads all of them; the newest are listed, and with "
                + "'after', which is 'next' of the page before, those before it.",
            query: [.afterEntry, .limit],
            answers: [.json("As of the revision in it.", RefundPreview.self)],
            work: .operation { call, service throws(Problem) in
                let (after, limit) = (try call.query.entry(), try call.query.limit())
                return try await service.reading { questions throws(EngineError) in
                    try questions.previewRefunds(
                        under: nil, after: after, at: service.engine.now(), limit: limit)
                }
            }),
        Endpoint(
            "consentToRefunds", .post, "/v1/accounts/{account:alice}/refund-consent",
            "Records whether the customer lets Apple be told what they used, when they ask for a "
                + "refund. Without it Apple is told nothing.",
            role: .ingest, isPreviewable: true,
            body: Body(
                RefundConsentBody.self,
                example: ["consented": true, "reason": "Accepted the terms of 2026-06."]),
            answers: [
                .json("Durable, or said before.", Written<RefundConsentAnswer>.self),
                .problem(403, "Not done."),
            ],
            work: .operation { call, service throws(Problem) in
                let body = try service.body(RefundConsentBody.self, of: call)
                let consent = RefundConsent(
                    account: try call.id(0, "account"), isGiven: body.hasConsented,
                    actor: call.caller.actor, reason: body.reason.text)
                do throws(EngineError) {
                    let recorded = try await service.engine.record(
                        consent, meant: call.intent)
                    return ResponseDraft(
                        Written(RefundConsentAnswer(recorded), recorded.sequence))
                } catch {
                    throw Problem(error)
                }
            }),
        action(
            "answeredRefund", .post, "/v1/refunds/requests/{request:42}/answered",
            "Records that a person has told Apple about a refund, or has decided not to.",
            RefundAnsweredAnswer.self, 404, 409,
            body: Body(
                ReasonRequest.self, example: ["reason": "Told Apple in App Store Connect."])
        ) { (body: ReasonRequest, call, engine) throws(Problem) in
            let (request, cause) = (try call.position(0, "request"), call.cause(body.reason))
            return try await done { () throws(EngineError) in
                try await engine.recordAnswered(request, cause)
            } write: {
                Written(RefundAnsweredAnswer($0), $0.sequence)
            }
        },
    ]
}
