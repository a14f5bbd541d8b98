internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// What Apple asks about refunds, and what it is told (spec 1.12).
extension Endpoint {
    static let refunds = [
        Endpoint(
            "refundRequests", .get, "/v1/refunds/requests",
            "Refund requests of Apple's, in the ledger's order: what Apple would be told and why, or "
                + "why it is told nothing. Those that Apple still takes an answer to, or with "
                + "'open=false' all. 'after_entry' is 'next' of the page before.",
            query: [.open, .afterEntry, .limit],
            answers: [.json("As of the revision in it.", RefundRequestList.self)],
            work: .operation { call, service throws(Problem) in
                let asked = try RefundParameters(call.head.query, in: call.bytes.span)
                return try await service.reading { questions throws(EngineError) in
                    try questions.refundRequests(
                        after: asked.after, onlyOpen: asked.onlyOpen, at: service.engine.now(),
                        limit: asked.limit)
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
                if call.head.query != nil { throw Problem(.unknownParameter, field: "query") }
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
                + "every customer consented. Reads all of them; the newest are listed.",
            query: [.limit],
            answers: [.json("As of the revision in it.", RefundPreview.self)],
            work: .operation { call, service throws(Problem) in
                let asked = try EntryParameters(
                    call.head.query, in: call.bytes.span, hasPlace: false)
                return try await service.reading { questions throws(EngineError) in
                    try questions.previewRefunds(
                        under: nil, at: service.engine.now(), limit: asked.limit)
                }
            }),
        Endpoint(
            "consentToRefunds", .post, "/v1/accounts/{account:alice}/refund-consent",
            "Records whether the customer lets Apple be told what they used, when they ask for a "
                + "refund. Without it Apple is told nothing.",
            role: .ingest,
            body: Body(
                RefundConsentBody.self,
                example: ["consented": true, "reason": "Accepted the terms of 2026-06."]),
            answers: [
                .json("Durable, or said before.", RefundConsentAnswer.self),
                .problem(403, "Not done."),
            ],
            work: .operation { call, service throws(Problem) in
                let body = try service.body(RefundConsentBody.self, of: call)
                let consent = RefundConsent(
                    account: try call.id(0, "account"), isGiven: body.hasConsented,
                    actor: call.caller.actor, reason: body.reason.text)
                do throws(EngineError) {
                    return ResponseDraft(
                        RefundConsentAnswer(try await service.engine.record(consent)))
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
                RefundAnsweredAnswer($0)
            }
        },
    ]
}

/// What the query of `GET /v1/refunds/requests` asks for.
private struct RefundParameters {
    var onlyOpen = true
    /// `next` of the page before.
    var after = LedgerSequence.zero
    var limit = 100

    /// Reads `open`, `after_entry` and `limit`, each at most once.
    init(_ query: Range<Int>?, in bytes: Span<UInt8>) throws(Problem) {
        for (name, value) in try QuestionParameters.pairs(query, in: bytes) {
            let text = String(decoding: value, as: UTF8.self)
            switch name {
            case "open":
                guard text == "true" || text == "false" else { throw Problem(.value, field: name) }
                onlyOpen = text == "true"
            case "after_entry":
                guard let number = Int64(plain: text) else { throw Problem(.number, field: name) }
                after = LedgerSequence(number)
            case "limit":
                guard let number = Int64(plain: text), (1...1_000).contains(number) else {
                    throw Problem(.number, field: name)
                }
                limit = Int(number)
            default: throw Problem(.unknownParameter, field: "query")
            }
        }
    }
}
