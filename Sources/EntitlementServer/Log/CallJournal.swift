internal import EntitlementModel
internal import HTTPTypes
package import Logging
internal import Synchronization

/// What the log tells of calls on usher.sock. Never evidence, tokens or accounts: routes, codes
/// and users of this machine are enough.
struct CallJournal: Sendable {
    let logger: Logger
    private let repeated = RepeatedLines()

    init(logger: Logger) {
        self.logger = logger
    }

    /// Every call at `debug`; what changes something at `notice`; what somebody tried who may not
    /// at `warning`; what we could not do at `error`. Of the latter two a peer gets one line a
    /// minute of each kind, which says how many there were since the last one.
    func note(
        _ request: HTTPRequest, _ caller: Caller, _ status: HTTPStatus, _ rejected: ProblemCode?,
        after duration: Duration
    ) {
        let level = level(request, status, rejected)
        guard logger.logLevel <= level else { return }
        var omitted = 0
        if level >= .warning {
            let line = RepeatedLines.Line(user: caller.credentials.user, code: rejected)
            guard let since = repeated.admit(line, at: .now) else { return }
            omitted = since
        }
        var metadata: Logger.Metadata = [
            "method": "\(request.method.rawValue)", "route": "\(Self.route(of: request))",
            "actor": "\(caller.actor)", "status": "\(status.rawValue)",
            "milliseconds": "\(duration.wholeMilliseconds)",
        ]
        if let rejected { metadata["code"] = "\(rejected.rawValue)" }
        if omitted > 0 { metadata["omitted"] = "\(omitted)" }
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

/// Lines of the log that anybody can have written as often as they like: one of each kind a minute.
final class RepeatedLines: Sendable {
    /// There are no more of them than users of the machine and codes of problems.
    struct Line: Hashable {
        let user: UInt32
        let code: ProblemCode?
    }

    private struct Written {
        var at: ContinuousClock.Instant
        var omitted = 0
    }

    private static let span = Duration.seconds(60)

    private let written = Mutex<[Line: Written]>([:])

    /// Whether the line is written now.
    ///
    /// - Returns: how many like it were omitted since the last one; nil where this one is, too.
    func admit(_ line: Line, at now: ContinuousClock.Instant) -> Int? {
        written.withLock { written in
            if let last = written[line], now - last.at < Self.span {
                written[line]?.omitted += 1
                return nil
            }
            defer { written[line] = Written(at: now) }
            return written[line]?.omitted ?? 0
        }
    }
}

extension Duration {
    var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}

extension Logger {
    /// Says which files the policy before had, and this one has not; nothing where there are none.
    package func tell(missingFiles files: [String]) {
        guard !files.isEmpty else { return }
        let named = files.prefix(5).map(\.shown).joined(separator: ", ")
        warning(
            "files of the policy before are missing",
            metadata: ["files": "\(named)", "count": "\(files.count)"])
    }
}
