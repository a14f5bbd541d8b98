internal import Glibc

@testable internal import EntitlementServer

/// Answers with what it was asked, so that tests see how a request was read.
///
/// A path that begins with `/cold` is answered away from the loop, and `/cold/gate` only once a
/// byte has come through the gate.
struct EchoAnswering: RequestAnswering {
    /// Where a pipe is read from.
    var gate: Int32 = -1

    mutating func answer(
        _ request: RequestHead, in bytes: Span<UInt8>, into draft: inout ResponseDraft
    ) -> AnswerProgress {
        let path = bytes.string(request.path)
        let query = request.query.map { "?" + bytes.string($0) } ?? ""
        let body = bytes.string(request.body)
        var answer = ResponseDraft()
        answer.body = Array("\(request.method) \(path)\(query) [\(body)]".utf8)
        if path == "/cold/gate" {
            return .cold(
                ColdWork { [answer, gate] in
                    var byte: UInt8 = 0
                    return read(gate, &byte, 1) == 1 ? answer : ResponseDraft()
                })
        }
        if path.hasPrefix("/cold") { return .cold(ColdWork { [answer] in answer }) }
        draft = answer
        return .answered
    }
}

/// One whole conversation: what was written back, and whether it ended in a close.
struct Conversation: Equatable {
    var output = ""
    var isClosed = false

    /// Sends the pieces one by one, doing cold work at once.
    init(_ pieces: [[UInt8]], limits: HTTPLimits = HTTPLimits()) {
        var connection = Connection(answering: EchoAnswering(), limits: limits)
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

    init(_ text: String, limits: HTTPLimits = HTTPLimits()) {
        self.init([Array(text.utf8)], limits: limits)
    }

    /// The status of the first answer.
    var status: Int? { statuses.first }

    /// The status of each answer.
    var statuses: [Int] {
        output.split(separator: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }
    }

    private mutating func take(_ connection: inout Connection) {
        output += String(decoding: connection.takeOutput(), as: UTF8.self)
    }

    private static func next(
        after step: Connection.Step,
        of connection: inout Connection
    ) -> Connection.Step? {
        switch step {
        case .wait, .close: nil
        case .full: connection.proceed()
        case .cold(let work): connection.proceed(after: work.run())
        case .later, .stream: preconditionFailure("an echo is made at once")
        }
    }
}
