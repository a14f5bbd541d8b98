internal import EntitlementAnswers
internal import EntitlementEngine
internal import StrictJSON

/// Evidence, and the service's own state.
extension Endpoint {
    static let evidence = [
        Endpoint(
            "submitEvidence", .post, "/v1/evidence",
            "Submits evidence: one item or a list. With 'verify': 'remote' Apple is asked too.",
            role: .ingest,
            traffic: .evidence, isPreviewable: true,
            body: Body(example: ["account": "alice", "payload": jws]) { schemas in
                let piece = EvidenceBody.schema(in: &schemas)
                return ["oneOf": [piece, ["type": "array", "maxItems": 1_000, "items": piece]]]
            },
            answers: [
                Answer(
                    status: 200, summary: "Evaluated and durable; for a list, item by item."
                ) { schemas in
                    let report = EvidenceAnswer.schema(in: &schemas)
                    let waiting = WaitingEvidence.schema(in: &schemas)
                    let problem = ProblemAnswer.schema(in: &schemas)
                    return schemas.reference("EvidenceAnswer") { _ in
                        [
                            "oneOf": [
                                report,
                                [
                                    "type": "array",
                                    "items": ["oneOf": [report, waiting, problem]],
                                ],
                            ]
                        ]
                    }
                },
                .json(
                    "Durable; Apple is asked. What the evidence proves by itself is judged.",
                    WaitingEvidence.self, status: 202),
                .problem(422, "The evidence is refused."),
                .problem(429, "Too much of the caller's evidence is refused."),
                .problem(501, "Only Apple can verify it, and no client is configured."),
            ],
            work: .operation { call, service throws(Problem) in
                try await service.evidenceCall(call).answer(
                    call, depth: service.configuration.limits.jsonDepth)
            }),
        Endpoint(
            "submitNotification", .post, "/v1/notifications",
            "Submits an App Store Server Notification V2, as Apple posts it.", role: .ingest,
            traffic: .notifications,
            body: Body(NotificationBody.self, example: ["signedPayload": jws]),
            answers: [
                .json("Durable; Apple need not send it again.", EvidenceAnswer.self),
                .problem(422, "Not signed by Apple."),
                .problem(429, "Too much of the caller's evidence is refused."),
            ],
            work: .operation { call, service throws(Problem) in
                try await service.evidenceCall(call).answerNotification(call.body)
            }),
    ]

    /// What waits for Apple.
    static let tickets = [
        Endpoint(
            "waitingEvidence", .get, "/v1/evidence",
            "What waits for Apple, oldest first. 'after' is 'next' of the page before.",
            query: [.afterEntry, .limit],
            answers: [.json("As of the revision in it.", TicketList.self)],
            work: .operation { call, service throws(Problem) in
                let (after, limit) = (try call.query.entry(), try call.query.limit())
                return try await service.reading { questions throws(EngineError) in
                    try questions.waitingTickets(
                        after: after, at: service.engine.now(), limit: limit)
                }
            }),
        Endpoint(
            "evidenceTicket", .get, "/v1/evidence/{ticket:42}",
            "A ticket: whether it waits, how often Apple was asked, and what came of it.",
            answers: [
                .json("As of the revision in it.", TicketAnswer.self),
                .problem(404, "No ticket has this number."),
            ],
            work: .operation { call, service throws(Problem) in
                let number = try call.position(0, "ticket")
                return try await service.offLoop { () throws(Problem) in
                    let found: TicketAnswer?
                    do throws(EngineError) {
                        found = try service.engine.questions.ticket(number)
                    } catch {
                        throw Problem(error)
                    }
                    guard let found else { throw Problem(.unknownTicket, field: "ticket") }
                    return ResponseDraft(found)
                }
            }),
    ]

    static let service = [
        Endpoint(
            "policy", .get, "/v1/policy", "The text of the policy in force, file by file.",
            answers: [.json("The policy in force.", PolicyTextAnswer.self)],
            work: .operation { _, service throws(Problem) in
                try await service.reading { questions throws(EngineError) in
                    guard let policy = try questions.policyInForce() else { throw .noPolicy }
                    return policy
                }
            }),
        page(
            "policyCounts", "/v1/policy/counts",
            "How many accounts stand in each cell of the policy's tables, as last counted: once "
                + "after the start and when another policy comes into force, then daily.",
            .json("None until they are counted.", PolicyCountsReport.self)
        ) { service in
            ResponseDraft(PolicyCountsReport(service.engine.policyCounts))
        },
        page(
            "waitingPolicy", "/v1/policy/waiting",
            "The policy that waits, how far the walk has come that counts whom it concerns, and "
                + "who gains and who loses what.",
            .json("As far as they are counted.", WaitingPolicyReport.self)
        ) { service in
            let (waiting, walk) = (service.engine.waitingPolicy, service.engine.waitingWalk)
            return ResponseDraft(
                WaitingPolicyReport(
                    waiting: waiting.map(WaitingPolicyAnswer.init), done: walk?.done ?? 0,
                    total: walk?.total ?? 0, impact: walk?.impact))
        },
        page(
            "status", "/status", "The state of the service, for operators.", traffic: .health,
            .json("The state of the service.", StatusReport.self)
        ) { service in
            ResponseDraft(service.status.report(service.engine))
        },
        page(
            "metrics", "/metrics", "Counts and gauges in Prometheus' text format.",
            traffic: .health,
            Answer(status: 200, summary: "The metrics.", mediaType: "text/plain") { _ in
                ["type": "string"]
            }
        ) { service in
            var draft = ResponseDraft()
            draft.mediaType = .metrics
            draft.body = service.status.metrics(service.engine)
            return draft
        },
        page(
            "description", "/openapi.json", "This OpenAPI description.",
            Answer(status: 200, summary: "OpenAPI 3.1.") { _ in ["type": "object"] }
        ) { service in
            var draft = ResponseDraft()
            draft.body = ServiceDescription.document(at: service.engine.now()).serialized()
            return draft
        },
    ]

    private static func page(
        _ name: String, _ path: String, _ summary: String, traffic: Traffic = .usual,
        _ answer: Answer, make: @escaping @Sendable (OperationsResponder) -> ResponseDraft
    ) -> Endpoint {
        Endpoint(
            name, .get, path, summary, traffic: traffic, answers: [answer], work: .page(make))
    }

    /// Too short to be believed.
    private static let jws: JSONValue = "eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.AA"
}
