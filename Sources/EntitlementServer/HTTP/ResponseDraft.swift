internal import EntitlementAnswers
package import EntitlementModel
internal import StrictJSON

/// An answer on its way to the wire: what both sockets share of it (spec 3.1).
///
/// One draft is used again and again, so that an answer needs no memory of its own.
package struct ResponseDraft: Sendable {
    /// What the body is.
    package enum MediaType: Sendable {
        case json
        case problem
        case text
        case metrics
        case events

        /// As written in `Content-Type`.
        package var name: StaticString {
            switch self {
            case .json: "application/json"
            case .problem: "application/problem+json"
            case .text: "text/plain; charset=utf-8"
            case .events: "text/event-stream"
            case .metrics: "text/plain; version=0.0.4; charset=utf-8"
            }
        }
    }

    package var status = HTTPStatus.ok
    package var mediaType = MediaType.json
    /// The methods of the path, where another one was tried.
    package var allow: String?
    package var body: [UInt8] = []
    /// Seconds that a caller waits at least where the answer says "not now".
    private var pause = 1
    /// Writes the body where there is no end to it: of usher.sock only.
    var stream: FeedStream?

    package init() {}

    /// An answer, and all is well.
    init(_ answer: some WireObject) {
        body = answer.json
    }

    /// Makes room for the next answer and keeps the memory.
    package mutating func clear() {
        status = .ok
        mediaType = .json
        allow = nil
        pause = 1
        stream = nil
        body.removeAll(keepingCapacity: true)
    }

    /// Makes this a rejection.
    package mutating func reject(_ problem: Problem, language: Language = .english) {
        clear()
        status = problem.code.status
        // What waits for Apple waits for minutes at least.
        pause = problem.code == .tooManyWaiting ? 60 : 1
        mediaType = .problem
        problem.append(to: &body, language: language)
    }

    /// A rejection.
    package static func rejection(
        _ problem: Problem, language: Language = .english
    ) -> ResponseDraft {
        var draft = ResponseDraft()
        draft.reject(problem, language: language)
        return draft
    }

    /// Seconds after which a caller may try again, for answers that say "not now".
    package var retryAfter: Int? {
        status == .serviceUnavailable || status == .tooManyRequests ? pause : nil
    }

    /// Appends the whole answer as HTTP/1.1.
    ///
    /// - Parameters:
    ///   - requestID: the place of the caller's request id in `request`.
    ///   - withBody: false for the answer to a HEAD request, which has none.
    package func append(
        to output: inout [UInt8], echoing requestID: Range<Int>?, of request: Span<UInt8>,
        closes: Bool, withBody: Bool = true
    ) {
        if status == .ok, mediaType == .json {
            output.append(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ")
        } else {
            appendStatusLine(to: &output)
            output.append("Content-Type: ")
            output.append(mediaType.name)
            output.append("\r\nContent-Length: ")
        }
        output.append(decimal: body.count)
        if let allow {
            output.append("\r\nAllow: ")
            output.append(contentsOf: allow.utf8)
        }
        if let retryAfter {
            output.append("\r\nRetry-After: ")
            output.append(decimal: retryAfter)
        }
        appendEnd(to: &output, echoing: requestID, of: request, closes: closes)
        if withBody { output.append(contentsOf: body) }
    }

    /// Appends the head of a streamed response.
    func appendStreamHead(
        to output: inout [UInt8], echoing requestID: Range<Int>?, of request: Span<UInt8>,
        closes: Bool, inChunks: Bool
    ) {
        appendStatusLine(to: &output)
        output.append("Content-Type: ")
        output.append(mediaType.name)
        output.append("\r\nCache-Control: no-store")
        if inChunks { output.append("\r\nTransfer-Encoding: chunked") }
        appendEnd(to: &output, echoing: requestID, of: request, closes: closes)
    }

    private func appendEnd(
        to output: inout [UInt8], echoing requestID: Range<Int>?, of request: Span<UInt8>,
        closes: Bool
    ) {
        if let requestID {
            output.append("\r\nX-Request-ID: ")
            output.append(request.extracting(requestID))
        }
        output.append(closes ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n")
    }

    private func appendStatusLine(to output: inout [UInt8]) {
        output.append("HTTP/1.1 ")
        output.append(decimal: status.rawValue)
        output.append(ASCII.space)
        output.append(status.phrase)
        output.append("\r\n")
    }
}

extension [UInt8] {
    /// Appends fixed text.
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }

    /// Appends bytes that lie elsewhere.
    mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    /// Appends a number in digits.
    mutating func append(decimal number: Int) {
        append(addingCapacity: 20) { $0.append(decimal: Int64(number)) }
    }
}
