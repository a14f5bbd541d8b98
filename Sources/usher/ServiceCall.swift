internal import EntitlementAnswers
internal import EntitlementModel
internal import EntitlementServer
internal import StrictJSON

/// One call to the running service, with refusals turned into failures.
struct ServiceCall {
    let socket: String

    func get(_ path: String) throws(CommandFailure) -> [UInt8] {
        try body { client throws(LocalClientError) in try client.get(path) }
    }

    /// A question that is posted, or something to be done.
    ///
    /// - Parameter key: names what is made, so that asking again makes it once.
    func ask(
        _ path: String, _ value: some WireObject, key: String? = nil
    ) throws(CommandFailure) -> [UInt8] {
        try body { client throws(LocalClientError) in
            try client.post(path, json: value.json, idempotencyKey: key)
        }
    }

    /// Takes something back.
    func delete(_ path: String, _ value: some WireObject) throws(CommandFailure) -> [UInt8] {
        try body { client throws(LocalClientError) in
            try client.delete(path, json: value.json)
        }
    }

    /// Hands in evidence: an answer that says what was refused in it is an answer too.
    func post(_ path: String, _ value: JSONValue) throws(CommandFailure) -> [UInt8] {
        try body(alsoAnswering: 422) { client throws(LocalClientError) in
            try client.post(path, json: value.serialized())
        }
    }

    private func body(
        alsoAnswering status: Int? = nil,
        _ call: (LocalClient) throws(LocalClientError) -> LocalClient.Response
    ) throws(CommandFailure) -> [UInt8] {
        let response: LocalClient.Response
        do throws(LocalClientError) {
            response = try call(LocalClient(socketPath: socket))
        } catch .notRunning {
            throw .noService(socket: socket)
        } catch {
            throw .connection(error)
        }
        guard (200..<300).contains(response.status) || response.status == status else {
            let problem = (try? parseJSON(response.body)).flatMap { try? ProblemAnswer.read($0) }
            throw .serviceRejected(
                code: problem?.code.shown ?? "\(response.status)", field: problem?.field?.shown,
                sentence: problem?.detail.shown ?? "", didYouMean: problem?.didYouMean?.shown)
        }
        return response.body
    }
}
