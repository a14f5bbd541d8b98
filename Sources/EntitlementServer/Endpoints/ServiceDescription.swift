internal import EntitlementAnswers
internal import EntitlementModel
internal import StrictJSON

/// The API description that `/openapi.json` serves (OpenAPI 3.1), made from the endpoint table.
enum ServiceDescription {
    /// As served.
    static let json: [UInt8] = document.serialized()

    static let document: JSONValue = {
        var schemas = WireSchemas()
        let paths = Self.paths(&schemas)
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
                """,
            ],
            "servers": [["url": "http://localhost"]],
            "paths": paths,
            "components": ["schemas": schemas.named],
        ]
    }()

    private static func paths(_ schemas: inout WireSchemas) -> JSONValue {
        var paths: JSONValue = [:]
        for endpoint in EndpointTable.all {
            var methods = paths[endpoint.path] ?? [:]
            let method = "\(endpoint.method.name)".lowercased()
            methods[method] = operation(endpoint, &schemas)
            paths[endpoint.path] = methods
        }
        return paths
    }

    private static func operation(
        _ endpoint: Endpoint, _ schemas: inout WireSchemas
    ) -> JSONValue {
        var operation: JSONValue = [
            "operationId": .string(endpoint.name), "summary": .string(endpoint.summary),
            "tags": [endpoint.question == nil ? "operations" : "questions"],
        ]
        if endpoint.question == nil { operation["x-role"] = .string(endpoint.role.rawValue) }
        var parameters = endpoint.names.map { name in
            var parameter = parameter(
                name.name, in: "path", identifier(&schemas), .string(name.example))
            parameter["required"] = true
            return parameter
        }
        for name in endpoint.query {
            parameters.append(
                parameter(name.name, in: "query", name.schema(in: &schemas), name.example))
        }
        if endpoint.takesKey {
            parameters.append(
                parameter(
                    "Idempotency-Key", in: "header", identifier(&schemas), "gift-2026-06"))
        }
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if let body = endpoint.body {
            operation["requestBody"] = [
                "required": true,
                "content": [
                    "application/json": [
                        "schema": body.schema(&schemas), "example": body.example,
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

    private static func response(
        _ answer: Endpoint.Answer, _ schemas: inout WireSchemas
    ) -> JSONValue {
        let media: JSONValue = ["schema": answer.schema(&schemas)]
        var content: JSONValue = [:]
        content[answer.mediaType] = media
        return ["description": .string(answer.summary), "content": content]
    }

    private static func parameter(
        _ name: String, in place: String, _ schema: JSONValue, _ example: JSONValue
    ) -> JSONValue {
        ["name": .string(name), "in": .string(place), "schema": schema, "example": example]
    }

    private static func identifier(_ schemas: inout WireSchemas) -> JSONValue {
        AccountID.schema(in: &schemas)
    }
}
