@testable import EntitlementServer

/// Answers with what it was asked, so that tests see how a request was read.
///
/// A path that begins with `/cold` is cold the given number of times.
struct EchoAnswering: RequestAnswering {
    var coldTimes = 1
    private var asked = 0

    init(coldTimes: Int = 1) {
        self.coldTimes = coldTimes
    }

    mutating func answer(
        _ request: RequestHead, in bytes: Span<UInt8>, into draft: inout ResponseDraft
    ) -> AnswerProgress {
        let path = bytes.string(request.path)
        if path.hasPrefix("/cold"), asked < coldTimes {
            asked += 1
            return .cold(ColdWork { nil })
        }
        asked = 0
        let query = request.query.map { "?" + bytes.string($0) } ?? ""
        let body = bytes.string(request.body)
        draft.body = Array("\(request.method) \(path)\(query) [\(body)]".utf8)
        return .answered
    }
}

/// One whole conversation: what was written back, and whether it ended in a close.
struct Conversation: Equatable {
    var output = ""
    var isClosed = false

    /// Sends the pieces one by one, doing cold work at once.
    init(_ pieces: [[UInt8]], limits: HTTPLimits = HTTPLimits(), coldTimes: Int = 1) {
        var connection = Connection(
            answering: EchoAnswering(coldTimes: coldTimes), limits: limits)
        for piece in pieces where !isClosed {
            var step = connection.receive(piece.span)
            take(&connection)
            while !isClosed, let next = Self.next(after: step, of: &connection) {
                step = next
                take(&connection)
            }
            if case .close = step { isClosed = true }
        }
    }

    init(_ text: String, limits: HTTPLimits = HTTPLimits(), coldTimes: Int = 1) {
        self.init([Array(text.utf8)], limits: limits, coldTimes: coldTimes)
    }

    /// The status of the first answer.
    var status: Int? { statuses.first }

    /// The status of each answer.
    var statuses: [Int] {
        output.split(separator: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }
    }

    private mutating func take(_ connection: inout Connection<EchoAnswering>) {
        output += String(decoding: connection.output, as: UTF8.self)
        connection.output.removeAll()
    }

    private static func next(
        after step: Connection<EchoAnswering>.Step,
        of connection: inout Connection<EchoAnswering>
    ) -> Connection<EchoAnswering>.Step? {
        switch step {
        case .wait, .close: nil
        case .full: connection.proceed()
        case .cold: connection.proceed(after: nil)
        }
    }
}
