/// One connection on query.sock: bytes in, answers in order out.
///
/// It belongs to no event loop, and is not generic: what a loop calls through a protocol would
/// not be compiled for the type. Whoever does hands it what was read, sends what `takeOutput()`
/// hands over, and does what the step says. Any number of requests in one read become one run of
/// output.
package struct Connection {
    package enum Step {
        /// Everything that has come is answered as far as it goes: read on.
        case wait
        /// Enough output waits: send it, then call `proceed()`. Read nothing until then.
        case full
        /// Send the output, do the work, then call `proceed(after:)`. Read nothing until then.
        case cold(ColdWork)
        /// Send the output, then close.
        case close
    }

    /// Answers that nobody has taken yet.
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
    /// Nothing more will come.
    private var inputHasEnded = false
    private let limits: HTTPLimits

    private enum State {
        case open
        case cold
        case closed
    }

    package init(answering: any RequestAnswering, limits: HTTPLimits) {
        self.answering = answering
        self.limits = limits
        parser = RequestParser(limits: limits)
    }

    /// Takes what was read.
    package mutating func receive(_ bytes: Span<UInt8>) -> Step {
        guard state == .open, waiting.isEmpty else {
            if state != .closed { waiting.append(bytes) }
            return proceed()
        }
        let (step, read) = answerAll(bytes)
        waiting.append(bytes.extracting(read...))
        return step
    }

    /// Hands over the answers that nobody has taken yet. They are gone from here before anybody
    /// can send them, so whatever sending calls back finds nothing to send a second time.
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

    /// Goes on after output was taken, or looks again at what waits.
    package mutating func proceed() -> Step {
        switch state {
        case .closed: return .close
        case .cold: return .wait
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
            connection.finish(head, length: length, in: bytes)
            return (connection.state == .closed ? .close : .wait, length)
        }
        guard case .wait = step else { return step }
        return proceed()
    }

    /// Answers what has come and then closes; closes at once if nothing has.
    package mutating func drain() -> Step {
        isDraining = true
        if state == .open, waiting.isEmpty { state = .closed }
        return proceed()
    }

    /// The peer will send no more: what is whole is answered, then it is closed.
    package mutating func endOfInput() -> Step {
        inputHasEnded = true
        return drain()
    }

    /// What the connection is waiting for; nil where it waits for its own side.
    package var awaited: ConnectionAwaited? {
        guard state == .open else { return nil }
        if waiting.isEmpty { return .request }
        return parser.part == .body ? .body : .head
    }

    /// Gives up on a request that does not arrive.
    package mutating func expire() -> Step {
        if awaited != .request { reject(.timeout) }
        state = .closed
        return .close
    }

    /// Lets `body` read the waiting bytes and drops those that it has dealt with.
    private mutating func readingWhatWaits(
        _ body: (inout Self, Span<UInt8>) -> (step: Step, read: Int)
    ) -> Step {
        // Taken out meanwhile, so that nothing can change them under the reader.
        var bytes: [UInt8] = []
        swap(&bytes, &waiting)
        let (step, read) = body(&self, bytes.span)
        bytes.removeFirst(read)
        swap(&bytes, &waiting)
        return step
    }

    private mutating func answerAll(_ bytes: Span<UInt8>) -> (step: Step, read: Int) {
        var read = 0
        while state == .open, read < bytes.count {
            guard output.count < limits.waitingOutputBytes else { return (.full, read) }
            let rest = bytes.extracting(read...)
            switch parser.read(rest) {
            case .incomplete where inputHasEnded:
                state = .closed
                return (.close, bytes.count)
            case .incomplete: return (.wait, read)
            case .rejected(let code):
                reject(code)
                return (.close, bytes.count)
            case .complete(let head, let length):
                if let work = answer(head, length: length, in: rest) {
                    return (.cold(work), read)
                }
                read += length
            }
        }
        if isDraining, state == .open, read == bytes.count { state = .closed }
        return (state == .closed ? .close : .wait, state == .closed ? bytes.count : read)
    }

    /// Answers one request, or returns what has to be done first.
    private mutating func answer(
        _ head: RequestHead, length: Int, in bytes: Span<UInt8>
    ) -> ColdWork? {
        draft.clear()
        if case .cold(let work) = answering.answer(head, in: bytes, into: &draft) {
            state = .cold
            return work
        }
        finish(head, length: length, in: bytes)
        return nil
    }

    private mutating func finish(_ head: RequestHead, length: Int, in bytes: Span<UInt8>) {
        let closes = !head.keepsAlive || isDraining && length == bytes.count
        draft.append(
            to: &output, echoing: head.requestID, of: bytes, closes: closes,
            withBody: head.method != .head)
        if closes { state = .closed }
        answered += 1
        parser.reset()
    }

    private mutating func reject(_ code: ProblemCode) {
        draft.reject(Problem(code))
        let nothing: [UInt8] = []
        draft.append(to: &output, echoing: nil, of: nothing.span, closes: true)
        state = .closed
    }
}

/// What a connection can wait for from its peer.
package enum ConnectionAwaited: Sendable {
    case request
    case head
    case body
}
