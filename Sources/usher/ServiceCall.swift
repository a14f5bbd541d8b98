internal import EntitlementServer
internal import StrictJSON

/// One call to the running service, with refusals turned into failures.
struct ServiceCall {
    let socket: String

    func get(_ path: String) throws(CommandFailure) -> [UInt8] {
        try body { client throws(LocalClientError) in try client.get(path) }
    }

    func post(_ path: String, _ value: JSONValue) throws(CommandFailure) -> [UInt8] {
        try body { client throws(LocalClientError) in
            try client.post(path, json: value.serialized())
        }
    }

    /// The body of an answer; one that says what was refused in the evidence is an answer too.
    private func body(
        _ call: (LocalClient) throws(LocalClientError) -> LocalClient.Response
    ) throws(CommandFailure) -> [UInt8] {
        let response: LocalClient.Response
        do {
            response = try call(LocalClient(socketPath: socket))
        } catch {
            throw .noService(socket: socket)
        }
        guard (200..<300).contains(response.status) || response.status == 422 else {
            let problem = try? parseJSON(response.body)
            throw .serviceRefused(
                code: problem?["code"]?.string ?? "\(response.status)",
                sentence: problem?["detail"]?.string ?? "")
        }
        return response.body
    }
}
