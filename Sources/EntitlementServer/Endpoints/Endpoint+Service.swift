internal import EntitlementAnswers
internal import EntitlementEngine
internal import StrictJSON

/// What is handed in, and what the service says of itself.
extension Endpoint {
    static let evidence = [
        Endpoint(
            "submitEvidence", .post, "/v1/evidence",
            "Submits signed evidence: one item or a list.", role: .ingest,
            traffic: .evidence,
            body: Body(example: ["account": "alice", "payload": jws]) { schemas in
                let piece = EvidenceBody.schema(in: &schemas)
                return ["oneOf": [piece, ["type": "array", "maxItems": 1_000, "items": piece]]]
            },
            answers: [
                Answer(
                    status: 200, summary: "Evaluated and durable; for a list, item by item."
                ) { schemas in
                    let report = EvidenceAnswer.schema(in: &schemas)
                    let problem = ProblemAnswer.schema(in: &schemas)
                    return schemas.reference("EvidenceAnswer") { _ in
                        [
                            "oneOf": [
                                report,
                                ["type": "array", "items": ["oneOf": [report, problem]]],
                            ]
                        ]
                    }
                }, .problem(422, "The evidence is refused."),
                .problem(429, "Too much of the caller's evidence is refused."),
            ],
            work: .operation { call, service throws(Problem) in
                let document = try call.json(depth: service.configuration.limits.jsonDepth)
                return try await service.evidenceCall(call).answer(document)
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
        ) { _ in
            var draft = ResponseDraft()
            draft.body = ServiceDescription.json
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
