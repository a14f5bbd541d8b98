internal import EntitlementModel
internal import StrictJSON

/// The API description that `/openapi.json` serves (OpenAPI 3.1).
///
/// It is built from the same table that the tests call the service by, so that it cannot say
/// what the service does not do.
enum ServiceDescription {
    /// As served.
    static let json: [UInt8] = document.serialized()

    static let document: JSONValue = [
        "openapi": "3.1.0",
        "info": [
            "title": "Usher", "version": "1",
            "description": """
            May this account use this entitlement, and why? HTTP/1.1 over unix domain sockets: \
            query.sock serves the paths tagged 'questions', usher.sock serves all.
            """,
        ],
        "servers": [["url": "http://localhost"]],
        "paths": paths,
        "components": ["schemas": DescribedSchemas.all],
    ]

    private static var paths: JSONValue {
        var paths: JSONValue = [:]
        for call in DescribedCall.all {
            var methods = paths[call.path] ?? [:]
            methods[call.method] = operation(call)
            paths[call.path] = methods
        }
        return paths
    }

    private static func operation(_ call: DescribedCall) -> JSONValue {
        var operation: JSONValue = [
            "operationId": .string(call.name), "summary": .string(call.summary),
            "tags": [call.isQuestion ? "questions" : "operations"],
        ]
        var parameters = pathParameters(of: call.path) + call.query.map(parameter)
        if call.takesKey { parameters.append(keyParameter) }
        if let route = OperationsRoute(rawValue: call.path) {
            operation["x-role"] = .string(route.role.rawValue)
        }
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if let body = call.body {
            operation["requestBody"] = [
                "required": true, "content": ["application/json": media(body, call.name)],
            ]
        }
        var responses: JSONValue = [:]
        for answer in call.answers {
            responses["\(answer.status)"] = response(answer)
        }
        responses["default"] = response(.problem(0, "The request cannot be answered."))
        operation["responses"] = responses
        return operation
    }

    /// What is sent, with an example of it.
    private static func media(_ schema: JSONValue, _ name: String) -> JSONValue {
        var media: JSONValue = ["schema": schema]
        media["example"] = DescribedExamples.bodies[name]
        return media
    }

    private static func response(_ answer: DescribedCall.Answer) -> JSONValue {
        var media: JSONValue = [:]
        media["schema"] = answer.schema
        var content: JSONValue = [:]
        content[answer.mediaType] = media
        return ["description": .string(answer.summary), "content": content]
    }

    private static func pathParameters(of path: String) -> [JSONValue] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { segment in
            let name = String(segment.dropFirst().dropLast())
            var parameter: JSONValue = [
                "name": .string(name), "in": "path", "required": true,
                "schema": .reference("Identifier"),
            ]
            parameter["example"] = DescribedExamples.parameters[name]
            return parameter
        }
    }

    private static let keyParameter: JSONValue = [
        "name": "Idempotency-Key", "in": "header", "schema": .reference("Identifier"),
        "example": "gift-2026-06",
    ]

    private static func parameter(_ name: String) -> JSONValue {
        let schema: JSONValue =
            switch name {
            case "at": .reference("Instant")
            case "environment": .reference("Environment")
            case "min_revision": ["type": "integer", "minimum": 0]
            case "apple_id": .reference("Identifier")
            case "kind":
                [
                    "type": "string",
                    "enum": .array(Finding.Kind.allCases.map { .string($0.rawValue) }),
                ]
            case "after": ["type": "string"]
            case "limit": ["type": "integer", "minimum": 1, "maximum": 1_000]
            default: ["type": "string", "enum": ["waiting"]]
            }
        var parameter: JSONValue = ["name": .string(name), "in": "query", "schema": schema]
        parameter["example"] = DescribedExamples.parameters[name]
        return parameter
    }
}

extension JSONValue {
    /// A schema by its name.
    static func reference(_ name: String) -> JSONValue {
        ["$ref": .string("#/components/schemas/" + name)]
    }
}
