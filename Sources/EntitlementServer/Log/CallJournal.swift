internal import EntitlementAnswers
internal import EntitlementModel
package import Logging
internal import Synchronization

/// Writes calls of usher.sock to the log. Never evidence, tokens or accounts: routes, codes and
/// names of callers are enough.
struct CallJournal: Sendable {
    let logger: Logger
    private let repeated = RepeatedLines()

    init(logger: Logger) {
        self.logger = logger
    }

    /// Logs each call at `debug`, changes at `notice`, forbidden calls at `warning`, failures of
    /// the service at `error`. Of the latter two a peer gets one line a minute of each kind, with
    /// the number since the last one.
    ///
    /// - Parameter path: nil where nothing is served.
    func note(
        _ method: RequestHead.Method, _ path: EndpointPath?, _ caller: Caller,
        _ status: HTTPStatus, _ rejected: ProblemCode?, after duration: Duration
    ) {
        let endpoint = path?.endpoints.first
        let level = level(endpoint, status, rejected)
        guard logger.logLevel <= level else { return }
        var omitted = 0
        if level >= .warning {
            let line = RepeatedLines.Line(user: caller.counted, code: rejected)
            guard let since = repeated.admit(line, at: .now) else { return }
            omitted = since
        }
        var metadata: Logger.Metadata = [
            "method": "\(method.name)", "route": "\(Self.route(of: endpoint))",
            "actor": "\(caller.actor)", "status": "\(status.rawValue)",
            "milliseconds": "\(duration.wholeMilliseconds)",
        ]
        if let rejected { metadata["code"] = "\(rejected.rawValue)" }
        if omitted > 0 { metadata["omitted"] = "\(omitted)" }
        logger.log(level: level, "call", metadata: metadata)
    }

    /// Logs a maintenance action before it begins.
    func note(_ action: String, by caller: Caller, _ reason: String) {
        logger.notice(
            "upkeep",
            metadata: [
                "deed": "\(action)", "actor": "\(caller.actor)", "reason": "\(reason)",
            ])
    }

    private func level(
        _ endpoint: Endpoint?, _ status: HTTPStatus, _ rejected: ProblemCode?
    ) -> Logger.Level {
        if rejected == .unavailable || rejected == .fault { return .error }
        if rejected == .role || rejected == .notDelegate { return .warning }
        return status == .ok && endpoint?.role == .admin ? .notice : .debug
    }

    /// The path as described: names in a path could be anybody's.
    private static func route(of endpoint: Endpoint?) -> String {
        guard let endpoint else { return "unknown" }
        return endpoint.question == nil ? endpoint.path : "question"
    }
}

/// Log lines that peers can cause at will: one of each kind a minute.
final class RepeatedLines: Sendable {
    struct Line: Hashable {
        let user: String
        let code: ProblemCode?
    }

    private struct Written {
        var at: ContinuousClock.Instant
        var omitted = 0
    }

    private static let span = Duration.seconds(60)
    /// Then all are forgotten: delegates can ask for anybody.
    private static let limit = 1_024

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
            let omitted = written[line]?.omitted ?? 0
            if written.count >= Self.limit { written = [:] }
            written[line] = Written(at: now)
            return omitted
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
