internal import EntitlementAnswers
internal import EntitlementModel
internal import StrictJSON

/// What query.sock serves: AuthZEN's evaluations, rights, balances and health.
extension Endpoint {
    static let questions = [
        Endpoint(
            "evaluate", .post, "/access/v1/evaluation",
            "One question of the OpenID AuthZEN Authorization API 1.0.",
            body: Body(example: .evaluation) { AuthorizationSchemas.evaluation(&$0) },
            answers: [
                .json("The decision; a denial too.", EvaluationAnswer.self),
                .problem(400, "The question cannot be read."),
            ], work: .question(.evaluation)),
        Endpoint(
            "evaluateAll", .post, "/access/v1/evaluations",
            "Many questions at once, with defaults and three ways to stop.",
            body: Body(example: .evaluations) { AuthorizationSchemas.evaluations(&$0) },
            answers: [
                Answer(
                    status: 200,
                    summary: "The decisions in the order of the questions; the decision of a "
                        + "single question where there is no list, or an empty one."
                ) { schemas in
                    [
                        "oneOf": [
                            EvaluationAnswers.schema(in: &schemas),
                            EvaluationAnswer.schema(in: &schemas),
                        ]
                    ]
                },
                .problem(400, "The questions cannot be read."),
            ], work: .question(.evaluations)),
        Endpoint(
            "metadata", .get, "/.well-known/authzen-configuration",
            "The AuthZEN endpoints that are served.",
            answers: [.json("The metadata.", AuthorizationMetadata.self)],
            work: .question(.metadata)),
        Endpoint(
            "accountEntitlements", .get, "/v1/accounts/{account:alice}/entitlements",
            "All entitlements of an account. An unknown account has none.",
            query: QueryParameter.readingOfRights,
            answers: [.json("An answer for each entitlement of the policy.", AccountRights.self)],
            work: .question(.entitlements)),
        Endpoint(
            "accountEntitlement", .get,
            "/v1/accounts/{account:alice}/entitlements/{entitlement:premium}",
            "One entitlement of an account.", query: QueryParameter.readingOfRights,
            answers: [.json("The answer.", ReplayableAnswer.self)],
            work: .question(.entitlement)),
        Endpoint(
            "accountCredits", .get, "/v1/accounts/{account:alice}/credits",
            "The balances of an account with their entries.", query: QueryParameter.reading,
            answers: [.json("The balances.", AccountCredits.self)], work: .question(.credits)),
        Endpoint(
            "appleIDEntitlements", .get,
            "/v1/apple-ids/{key:atx:production:700000000000000001}/entitlements",
            "All entitlements of an Apple ID, by any of its keys.",
            query: QueryParameter.readingOfAppleID,
            answers: [.json("Under the Apple ID's present name.", AppleIDRights.self)],
            work: .question(.appleIDEntitlements)),
    ]

    static let health = [
        Endpoint(
            "live", .get, "/livez", "Whether the service runs.", traffic: .health,
            answers: [.json("The service runs.", Health.self)], work: .question(.live)),
        Endpoint(
            "ready", .get, "/readyz", "Whether the service answers questions and accepts evidence.",
            traffic: .health,
            answers: [
                .json("The service answers questions and accepts evidence.", Health.self),
                .problem(503, "The service cannot accept evidence."),
            ], work: .question(.ready)),
    ]

    /// AuthZEN's searches: served on usher.sock only, since they read the ledger.
    static let searches = Search.Target.allCases.map { target in
        Endpoint(
            target.rawValue + "Search", .post, "/access/v1/search/" + target.rawValue,
            "AuthZEN search: each \(target.rawValue) for which an evaluation permits.",
            isLocal: true,
            body: Body(example: .search(target)) { AuthorizationSchemas.search(&$0) },
            answers: [
                .json("A page, with the token of the next one.", SearchPage.self),
                .problem(400, "The search cannot be read."),
            ],
            work: .operation { call, service throws(Problem) in
                try await service.search(for: target, call)
            })
    }
}

/// AuthZEN's entities are open: a caller may send members that are not read.
enum AuthorizationSchemas {
    static func evaluation(_ schemas: inout WireSchemas) -> JSONValue {
        open(
            "Evaluation", question(&schemas), required: ["subject", "action", "resource"],
            &schemas)
    }

    /// Members of the batch itself are defaults for each item.
    static func evaluations(_ schemas: inout WireSchemas) -> JSONValue {
        var members = question(&schemas)
        let item = open("EvaluationItem", question(&schemas), &schemas)
        members["evaluations"] = ["type": "array", "items": item]
        let semantics = EvaluationReader.Semantic.allCases.map { JSONValue.string($0.rawValue) }
        members["options"] = open(
            "EvaluationOptions",
            ["evaluations_semantic": ["type": "string", "enum": .array(semantics)]], &schemas)
        return open("Evaluations", members, &schemas)
    }

    static func search(_ schemas: inout WireSchemas) -> JSONValue {
        let page = open(
            "PageRequest",
            ["token": ["type": "string"], "limit": ["type": "integer", "minimum": 0]], &schemas)
        return open(
            "Search",
            [
                "subject": ["type": "object"], "action": ["type": "object"],
                "resource": ["type": "object"], "context": context(&schemas), "page": page,
            ], &schemas)
    }

    private static func question(_ schemas: inout WireSchemas) -> JSONValue {
        let name: JSONValue = ["type": "string", "maxLength": 262_144]
        let entity: JSONValue = ["type": name, "id": name]
        return [
            "subject": open("Subject", entity, required: ["type", "id"], &schemas),
            "action": open("Action", ["name": name], required: ["name"], &schemas),
            "resource": open("Resource", entity, required: ["type", "id"], &schemas),
            "context": context(&schemas),
        ]
    }

    private static func context(_ schemas: inout WireSchemas) -> JSONValue {
        var properties: JSONValue = [:]
        for member in QueryParameter.reading { properties[member.key] = member.schema(&schemas) }
        return open("EvaluationContext", properties, &schemas)
    }

    private static func open(
        _ name: String, _ properties: JSONValue, required: [String] = [],
        _ schemas: inout WireSchemas
    ) -> JSONValue {
        schemas.reference(name) { _ in
            var schema: JSONValue = ["type": "object", "properties": properties]
            if !required.isEmpty {
                schema["required"] = .array(required.map { .string($0) })
            }
            return schema
        }
    }
}

/// Something to try the calls with.
extension JSONValue {
    private static let alice: JSONValue = ["type": "account", "id": "alice"]
    private static let premium: JSONValue = ["type": "entitlement", "id": "premium"]

    static let evaluation: JSONValue = [
        "subject": alice, "action": ["name": "use"], "resource": premium,
    ]

    static let evaluations: JSONValue = [
        "subject": alice, "action": ["name": "use"],
        "evaluations": [
            ["resource": premium], ["resource": ["type": "entitlement", "id": "archive"]],
        ],
        "options": ["evaluations_semantic": "execute_all"],
    ]

    static func search(_ target: Search.Target) -> JSONValue {
        switch target {
        case .subject:
            [
                "subject": ["type": "account"], "action": ["name": "use"], "resource": premium,
                "page": ["limit": 100],
            ]
        case .resource:
            ["subject": alice, "action": ["name": "use"], "resource": ["type": "entitlement"]]
        case .action: ["subject": alice, "resource": premium]
        }
    }
}
