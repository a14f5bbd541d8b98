internal import HTTPTypes
internal import Logging

/// What the log tells of calls on usher.sock. Never evidence, tokens or accounts: routes, codes
/// and users of this machine are enough.
struct CallJournal: Sendable {
    let logger: Logger

    /// Every call at `debug`; what changes something at `notice`; what somebody tried who may not
    /// at `warning`; what we could not do at `error`.
    func note(
        _ request: HTTPRequest, _ caller: Caller, _ status: HTTPStatus, _ rejected: ProblemCode?,
        after duration: Duration
    ) {
        let level = level(request, status, rejected)
        guard logger.logLevel <= level else { return }
        var metadata: Logger.Metadata = [
            "method": "\(request.method.rawValue)", "route": "\(Self.route(of: request))",
            "actor": "\(caller.actor)", "status": "\(status.rawValue)",
            "milliseconds": "\(duration.wholeMilliseconds)",
        ]
        if let rejected { metadata["code"] = "\(rejected.rawValue)" }
        logger.log(level: level, "call", metadata: metadata)
    }

    /// Upkeep, before it is begun.
    func note(_ action: String, by caller: Caller, _ reason: String) {
        logger.notice(
            "upkeep",
            metadata: [
                "deed": "\(action)", "actor": "\(caller.actor)", "reason": "\(reason)",
            ])
    }

    private func level(
        _ request: HTTPRequest, _ status: HTTPStatus, _ rejected: ProblemCode?
    ) -> Logger.Level {
        if rejected == .unavailable || rejected == .fault { return .error }
        if rejected == .role { return .warning }
        return status == .ok && Self.endpoint(of: request)?.role == .admin ? .notice : .debug
    }

    /// The path as the description has it: names in a path could be anybody's.
    private static func route(of request: HTTPRequest) -> String {
        guard let endpoint = endpoint(of: request) else { return "unknown" }
        return endpoint.question == nil ? endpoint.path : "question"
    }

    private static func endpoint(of request: HTTPRequest) -> Endpoint? {
        let path = Array((request.path ?? "").utf8.prefix { $0 != ASCII.question })
        return EndpointTable.match(0..<path.count, in: path.span)?.path.endpoints.first
    }
}

extension Duration {
    var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
