internal import EntitlementAnswers
internal import EntitlementModel

/// One connection on either socket: bytes in, answers in order out.
///
/// It knows no event loop and is not generic, so that the compiler specialises it. The caller
/// passes in what was read, sends what `takeOutput()` returns, and does what the step says. Any
/// number of requests in one read become one piece of output.
package struct Connection {
    package enum Step {
        /// Everything that has come is answered as far as it goes: read on.
        case wait
        /// Enough output waits: send it, then call `proceed()`. Read nothing until then.
        case full
        /// Send the output, do the work, then call `proceed(after:)`. Read nothing until then.
        case cold(ColdWork)
        /// The same, by a task.
        case later(LaterAnswer)
        /// Send the output, then what the stream writes, then call `endStream()`. Read nothing
        /// until then.
        case stream(FeedStream)
        /// Send the output, then close.
        case close
    }

    /// Answers that are not taken yet.
    package private(set) var output: [UInt8] = []
    /// How many requests were answered.
    package private(set) var answered = 0
    private var answering: any RequestAnswering
    private var parser: RequestParser
    private var draft = ResponseDraft()
    /// What came after the last request that is answered.
    private var waiting: [UInt8] = []
    private var state = State.open
    /// It closes once everything that has come is answered.
    private var isDraining = false
    /// The last request could have had a body, and has not said so.
    private var lacksBody = false
    /// Whether the stream that is being written comes in chunks, and whether it is the last answer.
    private var stream = (hasChunks: false, isLast: false)
    /// Nothing more will come.
    private var inputHasEnded = false
    private let limits: HTTPLimits

    private enum State {
        case open
        case cold
        case streaming
        case closed
    }

    package init(answering: any RequestAnswering, limits: HTTPLimits) {
        self.answering = answering
        self.limits = limits
        parser = RequestParser(limits: limits)
    }

    /// Takes bytes that were read.
    package mutating func receive(_ bytes: Span<UInt8>) -> Step {
        guard state == .open, waiting.isEmpty else {
            if state != .closed { waiting.append(bytes) }
            return proceed()
        }
        let (step, read) = answerAll(bytes)
        waiting.append(bytes.extracting(read...))
        dropChunks()
        return step
    }

    /// Returns the answers that are not taken yet, and removes them before they are sent: a
    /// callback of the send finds nothing to send twice.
    ///
    /// - Parameter memory: an array whose memory the next answers may use.
    package mutating func takeOutput(
        reusing memory: consuming [UInt8] = []
    ) -> [UInt8] {
        var taken = memory
        taken.removeAll(keepingCapacity: true)
        swap(&taken, &output)
        return taken
    }

    /// Continues after output was taken, or with requests that wait.
    package mutating func proceed() -> Step {
        switch state {
        case .closed: return .close
        case .cold, .streaming: return .wait
        case .open:
            return readingWhatWaits { connection, bytes in
                connection.answerAll(bytes)
            }
        }
    }

    /// Goes on after cold work, with the answer that it made.
    package mutating func proceed(after answer: ResponseDraft) -> Step {
        precondition(state == .cold, "only a question that found something cold is resumed")
        state = .open
        draft = answer
        let step = readingWhatWaits { connection, bytes in
            guard case .complete(let head, let length) = connection.parser.read(bytes) else {
                preconditionFailure("the request that waited is whole")
            }
            let stream = connection.draft.stream
            connection.finish(head, length: length, in: bytes)
            if connection.state == .streaming, let stream { return (.stream(stream), length) }
            return (connection.state == .closed ? .close : .wait, length)
        }
        guard case .wait = step else { return step }
        // A client that does not read gets no further task: tasks have no bound of their own.
        return limits.takesChunks && !output.isEmpty ? .full : proceed()
    }

    /// A part of a stream as it is sent.
    package func framed(_ part: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        if stream.hasChunks { bytes += "\(String(part.count, radix: 16))\r\n".utf8 }
        bytes.append(part)
        if stream.hasChunks { bytes.append("\r\n") }
        return bytes
    }

    /// Goes on after a stream.
    package mutating func endStream() -> Step {
        precondition(state == .streaming, "only a stream is ended")
        if stream.hasChunks { output.append("0\r\n\r\n") }
        answered += 1
        state = stream.isLast || isDraining && waiting.isEmpty ? .closed : .open
        return proceed()
    }

    /// Answers the requests received so far, then closes.
    package mutating func drain() -> Step {
        isDraining = true
        if state == .open, waiting.isEmpty { state = .closed }
        return proceed()
    }

    /// The peer sends no more: complete requests are answered, then the connection is closed.
    package mutating func endOfInput() -> Step {
        inputHasEnded = true
        return drain()
    }

    /// What the connection waits for from its peer; nil if it waits for the service.
    package var awaited: ConnectionAwaited? {
        guard state == .open else { return nil }
        if waiting.isEmpty { return .request }
        return parser.part == .body ? .body : .head
    }

    /// Gives up on a request that does not arrive.
    package mutating func expire() -> Step {
        if awaited != .request { _ = reject(.timeout) }
        state = .closed
        return .close
    }

    /// Lets `body` read the waiting bytes and drops those that it has dealt with.
    private mutating func readingWhatWaits(
        _ body: (inout Self, Span<UInt8>) -> (step: Step, read: Int)
    ) -> Step {
        // Moved out, so that nothing changes the bytes while they are read.
        var bytes: [UInt8] = []
        swap(&bytes, &waiting)
        let (step, read) = body(&self, bytes.span)
        bytes.removeFirst(read)
        swap(&bytes, &waiting)
        dropChunks()
        return step
    }

    /// Lets go of chunks once they are read: what surrounds their data may be more than that.
    private mutating func dropChunks() {
        guard limits.takesChunks, state == .open else { return }
        waiting.removeLast(parser.chunkBytesRead(of: waiting.count))
    }

    private mutating func answerAll(_ bytes: Span<UInt8>) -> (step: Step, read: Int) {
        var read = 0
        while state == .open, read < bytes.count {
            guard output.count < limits.waitingOutputBytes else { return (.full, read) }
            let rest = bytes.extracting(read...)
            if lacksBody, rest[0].beginsBody { return (reject(.lengthRequired), bytes.count) }
            switch parser.read(rest) {
            case .incomplete where inputHasEnded:
                state = .closed
                guard parser.expectsBody else { return (.close, bytes.count) }
                return (reject(Problem(.malformed), of: parser.head, in: rest), bytes.count)
            case .incomplete: return (.wait, read)
            case .rejected(let code):
                let head = parser.expectsBody ? parser.head : nil
                return (reject(Problem(code), of: head, in: rest), bytes.count)
            case .head(let head, let announced):
                if let step = expectBody(of: head, announced, in: rest) {
                    return (step, bytes.count)
                }
            case .complete(let head, let length):
                if let step = answer(head, length: length, in: rest) { return (step, read) }
                read += length
            }
        }
        if isDraining, state == .open, read == bytes.count { state = .closed }
        return (state == .closed ? .close : .wait, state == .closed ? bytes.count : read)
    }

    /// Begins to read the body of a request, or ends the connection.
    private mutating func expectBody(
        of head: RequestHead, _ announced: Int, in bytes: Span<UInt8>
    ) -> Step? {
        let end = parser.headLength ?? bytes.count
        lacksBody = head.mayLackLength
        // A request without a length that is followed by a body is not one without a body.
        if lacksBody, end < bytes.count, bytes[end].beginsBody { return reject(.lengthRequired) }
        do throws(Problem) {
            let limit = try answering.bodyLimit(of: head, announcing: announced, in: bytes)
            guard announced <= limit else { throw Problem(.tooLarge) }
            parser.expectBody(upTo: limit)
        } catch {
            return reject(error, of: head, in: bytes)
        }
        let isAwaited = end == bytes.count && (announced > 0 || head.isChunked)
        if head.expectsContinue, isAwaited { output.append("HTTP/1.1 100 Continue\r\n\r\n") }
        return nil
    }

    /// Answers one request, or returns the step that has to be done first.
    private mutating func answer(
        _ head: RequestHead, length: Int, in bytes: Span<UInt8>
    ) -> Step? {
        draft.clear()
        let progress: AnswerProgress
        if head.isChunked, let data = parser.chunkData {
            var (head, whole) = (head, [UInt8]())
            whole.append(bytes.extracting(..<head.body.lowerBound))
            whole += data
            head.body = head.body.lowerBound..<whole.count
            progress = answering.answer(head, in: whole.span, into: &draft)
        } else {
            progress = answering.answer(head, in: bytes, into: &draft)
        }
        switch progress {
        case .answered:
            finish(head, length: length, in: bytes)
            return nil
        case .cold(let work):
            state = .cold
            return .cold(work)
        case .later(let answer):
            state = .cold
            return .later(answer)
        }
    }

    private mutating func finish(_ head: RequestHead, length: Int, in bytes: Span<UInt8>) {
        let closes = !head.keepsAlive || isDraining && length == bytes.count
        parser.reset()
        if draft.stream != nil {
            stream = (hasChunks: !head.isVersion10, isLast: closes)
            draft.appendStreamHead(
                to: &output, echoing: head.requestID, of: bytes, closes: closes,
                inChunks: stream.hasChunks)
            draft.stream = nil
            state = .streaming
            return
        }
        draft.append(
            to: &output, echoing: head.requestID, of: bytes, closes: closes,
            withBody: head.method != .head)
        if closes { state = .closed }
        answered += 1
    }

    private mutating func reject(_ code: ProblemCode) -> Step {
        let nothing: [UInt8] = []
        return reject(Problem(code), of: nil, in: nothing.span)
    }

    /// Rejects a request that is not read to its end, and closes: the next request boundary is
    /// unknown.
    ///
    /// - Parameter head: nil where nothing of it is to be repeated.
    private mutating func reject(
        _ problem: Problem, of head: RequestHead?, in bytes: Span<UInt8>
    ) -> Step {
        answering.noteRejection(problem.code, of: head, in: bytes)
        draft.reject(
            problem, language: Language(acceptLanguage: head?.acceptLanguage, in: bytes))
        draft.append(
            to: &output, echoing: head?.requestID, of: bytes, closes: true,
            withBody: head?.method != .head)
        state = .closed
        return .close
    }
}

extension UInt8 {
    /// Whether it can only be of a body: no request begins like that.
    fileprivate var beginsBody: Bool {
        !isTokenByte && self != ASCII.carriageReturn && self != ASCII.lineFeed
    }
}

/// What a connection can wait for from its peer.
package enum ConnectionAwaited: Sendable {
    case request
    case head
    case body
}
