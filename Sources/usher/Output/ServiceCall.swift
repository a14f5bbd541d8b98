internal import EntitlementAnswers
internal import EntitlementModel
internal import EntitlementServer
internal import StrictJSON

/// One call to the running service, with refusals turned into failures.
struct ServiceCall {
    let socket: String

    func get(_ path: String) throws(CommandFailure) -> [UInt8] {
        try body(SentCall(path)) { client throws(LocalClientError) in try client.get(path) }
    }

    /// A question that is posted, or something to be done.
    ///
    /// - Parameter key: names what is made, so that asking again makes it once.
    func ask(
        _ path: String, _ value: some WireObject, key: String? = nil
    ) throws(CommandFailure) -> [UInt8] {
        let json = value.json
        return try body(SentCall(path, body: try? parseJSON(json), key: key)) {
            client throws(LocalClientError) in
            try client.post(path, json: json, idempotencyKey: key)
        }
    }

    /// Takes something back.
    func delete(_ path: String, _ value: some WireObject) throws(CommandFailure) -> [UInt8] {
        let json = value.json
        return try body(SentCall(path, body: try? parseJSON(json))) {
            client throws(LocalClientError) in
            try client.delete(path, json: json)
        }
    }

    /// Hands in evidence: an answer that says what was refused in it is an answer too.
    func post(_ path: String, _ values: [some WireObject]) throws(CommandFailure) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 2_048)
        values.write(to: &writer)
        return try body(SentCall(path), alsoAnswering: 422) { client throws(LocalClientError) in
            try client.post(path, json: writer.bytes)
        }
    }

    private func body(
        _ sent: SentCall, alsoAnswering status: Int? = nil,
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
            let undoable = problem?.decision.map { ["--decision \($0)"] }
            throw .serviceRejected(
                RejectedCall(
                    code: problem?.code.shown ?? "\(response.status)",
                    field: problem?.field?.shown,
                    value: problem?.field.flatMap(sent.value),
                    sentence: problem?.detail.shown ?? "",
                    didYouMean: (problem?.didYouMean ?? problem?.mergedInto?.text)?.shown,
                    legal: problem?.legal?.map(\.shown) ?? undoable ?? [],
                    left: problem.flatMap(UnitsLeft.init),
                    loss: problem.flatMap(SchedulingLoss.init)))
        }
        return response.body
    }
}

extension UnitsLeft {
    /// Nil for a problem that is about no balance.
    fileprivate init?(_ problem: ProblemAnswer) {
        guard let credit = problem.credit, let units = problem.balance else { return nil }
        self.init(credit: credit.text, units: units)
    }
}

extension SchedulingLoss {
    /// Nil for a problem that is about no loss.
    fileprivate init?(_ problem: ProblemAnswer) {
        guard let losing = problem.losing, let replaces = problem.replaces else { return nil }
        self.init(accounts: losing, replaces: replaces)
    }
}

/// An answer of the service, or the same made from a ledger file.
struct Answered<Shape: WireObject> {
    let value: Shape
    /// As it came.
    private let received: [UInt8]?

    init(_ value: Shape) {
        self.value = value
        received = nil
    }

    init(received bytes: [UInt8]) throws(CommandFailure) {
        // The service is trusted; what it says of an account may be long.
        let limits = JSONLimits(bytes: bytes.count, values: bytes.count)
        guard let json = try? parseJSON(bytes, limits: limits),
            let value = try? Shape.read(json)
        else { throw .unreadableAnswer }
        self.value = value
        received = bytes
    }

    /// The same bytes wherever it comes from.
    var json: [UInt8] { received ?? value.json }
}

extension Instant {
    /// A date for people, as `--at` reads it: without milliseconds, which are zero nearly always.
    var date: String {
        let text = rfc3339
        return text.hasSuffix(".000Z") ? text.dropLast(5) + "Z" : text
    }
}

extension JSONValue {
    /// The members that have a value.
    static func object(known members: [(String, JSONValue?)]) -> JSONValue {
        .object(
            members.compactMap { name, value in value.map { JSONMember(name, $0) } })
    }
}
