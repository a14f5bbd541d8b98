internal import EntitlementAnswers
internal import EntitlementModel
internal import StrictJSON

/// The API description that `/openapi.json` serves (OpenAPI 3.1), made from the endpoint table.
enum ServiceDescription {
    /// - Parameter now: what the instants of examples lie ahead of.
    static func document(at now: Instant) -> JSONValue {
        var schemas = WireSchemas()
        let paths = Self.paths(at: now, &schemas)
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Usher", "version": "1",
                "description": """
                May this account use this entitlement, and why? HTTP/1.1 over unix domain \
                sockets: query.sock serves the paths tagged 'questions', usher.sock serves all.

                Evidence has a 'moment', which says what the customer did: 'purchase' right after \
                the payment sheet, 'restore' only if the customer asked for what was bought \
                before, 'listed' for what the device lists at the app's start or after a sign-in \
                (it takes nothing from another account), 'support' if a person presents it. If \
                omitted: 'purchase' for what the customer bought in the last 24 hours and nobody \
                has presented, else 'listed'.

                A peer that the service's settings call a delegate says with each call of usher.sock \
                for whom it asks: Usher-Actor, a name of at most 255 printable characters without \
                spaces, and Usher-Role, 'query', 'ingest' or 'admin'. From other peers both are 403.
                """,
            ],
            "servers": [["url": "http://localhost"]],
            "paths": paths,
            "components": [
                "schemas": schemas.named, "headers": headers,
                "parameters": ["RequestID": requestID],
            ],
        ]
    }

    private static let headers: JSONValue = [
        "RetryAfter": [
            "description": "Seconds after which the call may be tried again.",
            "schema": ["type": "integer", "minimum": 1],
        ],
        "RequestID": [
            "description": "As the caller sent it.", "schema": ["type": "string"],
        ],
    ]

    private static let requestID: JSONValue = [
        "name": "X-Request-ID", "in": "header",
        "description": "Any text: the answer has it, too.",
        "schema": ["type": "string"], "example": "7f3a",
    ]

    private static func paths(at now: Instant, _ schemas: inout WireSchemas) -> JSONValue {
        var paths: JSONValue = [:]
        for endpoint in EndpointTable.all {
            var methods = paths[endpoint.path] ?? [:]
            let method = "\(endpoint.method.name)".lowercased()
            methods[method] = operation(endpoint, at: now, &schemas)
            paths[endpoint.path] = methods
        }
        return paths
    }

    private static func operation(
        _ endpoint: Endpoint, at now: Instant, _ schemas: inout WireSchemas
    ) -> JSONValue {
        var operation: JSONValue = [
            "operationId": .string(endpoint.name), "summary": .string(endpoint.summary),
            "tags": [endpoint.question == nil ? "operations" : "questions"],
        ]
        if endpoint.question == nil { operation["x-role"] = .string(endpoint.role.rawValue) }
        operation["parameters"] = .array(parameters(of: endpoint, &schemas))
        if let body = endpoint.body {
            operation["requestBody"] = [
                // A DELETE may say why in its query.
                "required": .bool(endpoint.method != .delete),
                "content": [
                    "application/json": [
                        "schema": body.schema(&schemas), "example": body.example(at: now),
                    ]
                ],
            ]
        }
        var responses: JSONValue = [:]
        for answer in endpoint.answers {
            responses["\(answer.status)"] = response(answer, &schemas)
        }
        responses["default"] = response(
            .problem(0, "The request cannot be answered."), &schemas)
        operation["responses"] = responses
        return operation
    }

    private static func parameters(
        of endpoint: Endpoint, _ schemas: inout WireSchemas
    ) -> [JSONValue] {
        var parameters = endpoint.names.map { name in
            parameter(
                name.name, in: "path", name.schema(in: &schemas), name.exampleValue,
                isRequired: true)
        }
        for name in endpoint.query {
            parameters.append(
                parameter(name.name, in: "query", name.schema(&schemas), name.example))
        }
        if endpoint.key != .none {
            parameters.append(
                parameter(
                    "Idempotency-Key", in: "header", GrantID.schema(in: &schemas), "gift-17",
                    isRequired: endpoint.key == .required))
        }
        if endpoint.answers.contains(where: \.isStreamed) {
            parameters.append(
                parameter(
                    "Last-Event-ID", in: "header", FeedCursor.schema(in: &schemas),
                    QueryParameter.afterChange.example))
        }
        return parameters + [["$ref": "#/components/parameters/RequestID"]]
    }

    private static func response(
        _ answer: Endpoint.Answer, _ schemas: inout WireSchemas
    ) -> JSONValue {
        let media: JSONValue = ["schema": answer.schema(&schemas)]
        var content: JSONValue = [:]
        content[answer.mediaType] = media
        if answer.isStreamed { content["text/event-stream"] = ["schema": ["type": "string"]] }
        var headers: JSONValue = ["X-Request-ID": ["$ref": "#/components/headers/RequestID"]]
        // A status that is not described separately may mean "try again later".
        if [0, 429, 503].contains(answer.status) {
            headers["Retry-After"] = ["$ref": "#/components/headers/RetryAfter"]
        }
        return [
            "description": .string(answer.summary), "headers": headers, "content": content,
        ]
    }

    private static func parameter(
        _ name: String, in place: String, _ schema: JSONValue, _ example: JSONValue,
        isRequired: Bool = false
    ) -> JSONValue {
        var parameter: JSONValue = [
            "name": .string(name), "in": .string(place), "schema": schema, "example": example,
        ]
        if isRequired { parameter["required"] = true }
        return parameter
    }
}
