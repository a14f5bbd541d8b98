internal import NIOCore
internal import Synchronization

/// Reads the bytes of usher.sock before the library does, by the rules of query.sock: what it
/// hands on is whole heads that are right, and bodies of the length that they say, so that the
/// library finds the same requests in them.
struct RequestGate {
    enum Passage {
        /// - Parameter isTooLarge: whether it announces a body that nobody will read.
        case head(ReadHead, isTooLarge: Bool)
        case body(ByteBuffer)
        /// Nothing behind it is read.
        case rejected(ProblemCode)
    }

    private enum State {
        case head
        /// Bytes of the body that are to come.
        case body(Int)
        case chunks(ChunkReader)
        /// Nobody can say where the next request begins, or there is none to be.
        case over
    }

    private let bodyLimit: @Sendable (_ path: Span<UInt8>) -> Int
    private var parser: RequestParser
    private var state = State.head
    /// What has come of a head.
    private var held: [UInt8] = []
    private var keepsAlive = true
    /// Whether the last head could have had a body, and has not said so.
    private var awaitsNoBody = false

    /// - Parameter bodyLimit: bytes of a body that is sent to that path. Lengths that are too
    ///   large are for the responder to reject.
    init(limits: HTTPLimits, bodyLimit: @escaping @Sendable (_ path: Span<UInt8>) -> Int) {
        var limits = limits
        limits.takesChunks = true
        limits.bodyBytes = .max
        parser = RequestParser(limits: limits)
        self.bodyLimit = bodyLimit
    }

    /// Whether part of a head waits for the rest.
    var holdsHead: Bool { !held.isEmpty }

    /// Whether nothing behind what was handed on is read.
    var isOver: Bool {
        if case .over = state { true } else { false }
    }

    /// Takes some of the bytes; nil once all are taken and nothing is to be handed on.
    mutating func next(_ bytes: inout ByteBuffer) -> Passage? {
        guard bytes.readableBytes > 0 else { return nil }
        switch state {
        case .over:
            bytes.moveReaderIndex(to: bytes.writerIndex)
            return nil
        case .head: return nextHead(&bytes)
        case .body(let rest):
            let count = min(rest, bytes.readableBytes)
            state = count < rest ? .body(rest - count) : stateBetween
            return bytes.readSlice(length: count).map { .body($0) }
        case .chunks(var reader):
            let outcome = reader.read(bytes.readableBytesUInt8Span)
            switch outcome {
            case .rejected(let code): return reject(code, &bytes)
            case .more:
                state = .chunks(reader)
                return bytes.readSlice(length: bytes.readableBytes).map { .body($0) }
            case .done(let count):
                state = stateBetween
                return bytes.readSlice(length: count).map { .body($0) }
            }
        }
    }

    /// Reads no further request.
    mutating func end() {
        state = .over
        held = []
    }

    private var stateBetween: State { keepsAlive ? .head : .over }

    private mutating func reject(_ code: ProblemCode, _ bytes: inout ByteBuffer) -> Passage {
        end()
        bytes.moveReaderIndex(to: bytes.writerIndex)
        return .rejected(code)
    }

    private mutating func nextHead(_ bytes: inout ByteBuffer) -> Passage? {
        if awaitsNoBody, held.isEmpty, bytes.beginsBody { return reject(.lengthRequired, &bytes) }
        // Taken out meanwhile, so that nothing can change it under the reader.
        var whole: [UInt8] = []
        swap(&whole, &held)
        let before = whole.count
        // A head that comes whole is read where it is.
        if before > 0 { whole.append(bytes.readableBytesUInt8Span) }
        let outcome =
            before > 0 ? parser.read(whole.span) : parser.read(bytes.readableBytesUInt8Span)
        if case .rejected(let code) = outcome { return reject(code, &bytes) }
        guard let length = parser.headLength else {
            if before == 0 { whole.append(bytes.readableBytesUInt8Span) }
            bytes.moveReaderIndex(to: bytes.writerIndex)
            held = whole
            return nil
        }
        var passed = ByteBuffer(bytes: whole[..<before])
        if var rest = bytes.readSlice(length: length - before) { passed.writeBuffer(&rest) }
        let head = parser.head
        awaitsNoBody = head.lacksLength && head.method.takesBody
        // Whoever forgot to say how long the body is has not meant the call without it.
        if awaitsNoBody, bytes.beginsBody { return reject(.lengthRequired, &bytes) }
        if head.hasUpgrade { passed.hideUpgrade() }
        let limit = bodyLimit(passed.readableBytesUInt8Span.extracting(head.path))
        begin(head, bodyLimit: limit)
        let isTooLarge = parser.bodyLength > limit
        parser.reset()
        return .head(ReadHead(head: head, bytes: passed), isTooLarge: isTooLarge)
    }

    /// Expects the body that the head announces.
    private mutating func begin(_ head: RequestHead, bodyLimit: Int) {
        keepsAlive = head.keepsAlive
        if head.isChunked {
            state = .chunks(ChunkReader(bodyLimit: bodyLimit))
        } else if parser.bodyLength > bodyLimit {
            state = .over
        } else {
            state = parser.bodyLength > 0 ? .body(parser.bodyLength) : stateBetween
        }
    }
}

extension RequestHead.Method {
    fileprivate var takesBody: Bool {
        switch self {
        case .get, .head, .options: false
        case .post, .put, .patch, .delete: true
        }
    }
}

extension ByteBuffer {
    /// Whether what is there can only be a body: no request begins like that.
    fileprivate var beginsBody: Bool {
        let bytes = readableBytesUInt8Span
        guard bytes.count > 0 else { return false }
        return !bytes[0].isTokenByte && bytes[0] != ASCII.carriageReturn
            && bytes[0] != ASCII.lineFeed
    }

    /// Gives the field `Upgrade` another name: the library would read no request behind it.
    fileprivate mutating func hideUpgrade() {
        let (start, places) = (readerIndex, upgradePlaces)
        for place in places { setInteger(UInt8(ascii: "x"), at: start + place) }
    }

    /// Where lines begin with that name.
    private var upgradePlaces: [Int] {
        let name: StaticString = "upgrade:"
        let bytes = readableBytesUInt8Span
        return (1..<max(1, bytes.count - name.utf8CodeUnitCount)).filter { index in
            bytes[index - 1] == ASCII.lineFeed
                && bytes.equalsIgnoringCase(name, in: index..<(index + name.utf8CodeUnitCount))
        }
    }
}

/// The head of a request of usher.sock, as the gate has read it.
struct ReadHead: Sendable {
    let head: RequestHead
    /// What the places of `head` are in.
    let bytes: ByteBuffer

    /// The request with its body behind it, as the code that answers query.sock takes it.
    func with(body: ByteBuffer) -> (head: RequestHead, bytes: [UInt8]) {
        var (head, bytes) = (head, Array(buffer: bytes))
        let start = bytes.count
        bytes.append(contentsOf: body.readableBytesView)
        head.body = start..<bytes.count
        return (head, bytes)
    }
}

/// How far the requests of a connection have come, told by those who know: the handlers that see
/// what arrives and leaves, and the task that answers.
final class RequestProgress: Sendable {
    private struct State {
        /// Bytes of a head have come, but not all of it.
        var holdsHead = false
        var heads = 0
        /// Heads of requests whose answer was not begun.
        var unanswered = CircularBuffer<ReadHead>()
        var ends = 0
        /// Requests whose answer was begun.
        var begun = 0
        /// Requests whose answer has gone through.
        var answered = 0
        /// The request behind which there are no others.
        var last: Int?
        var isDraining = false

        var awaited: ConnectionAwaited? {
            if ends > answered { return nil }
            if heads > ends { return .body }
            return holdsHead ? .head : .request
        }
    }

    private let state = Mutex(State())

    /// - Parameter holdsHead: whether part of a head has come.
    func bytesArrived(holdsHead: Bool) {
        state.withLock { $0.holdsHead = holdsHead }
    }

    /// - Parameter isLast: whether the peer asked for the connection to end after this one.
    func headIsRead(_ head: ReadHead, isLast: Bool) {
        state.withLock { state in
            state.heads += 1
            state.unanswered.append(head)
            if isLast { state.last = state.heads }
        }
    }

    /// From here on it is our turn.
    func bodyIsRead() {
        state.withLock { $0.ends += 1 }
    }

    /// - Returns: the number and the head of the request that is answered now.
    func beginAnswer() -> (number: Int, head: ReadHead) {
        state.withLock { state in
            state.begun += 1
            return (state.begun, state.unanswered.removeFirst())
        }
    }

    func isAnswered() {
        state.withLock { $0.answered += 1 }
    }

    /// No request is taken after those that have begun.
    func drain() {
        state.withLock { $0.isDraining = true }
    }

    var isDraining: Bool { state.withLock { $0.isDraining } }

    /// Whether the connection ends after the answer to that request.
    func endsConnection(after number: Int) -> Bool {
        state.withLock { state in
            state.last == number
                || state.isDraining && state.heads == number && !state.holdsHead
        }
    }

    /// Whether requests were read that are not answered.
    var hasRequest: Bool { state.withLock { $0.heads > $0.answered } }

    /// Whether the body of a request is still to come.
    var isInBody: Bool { state.withLock { $0.heads > $0.ends } }

    var awaited: ConnectionAwaited? { state.withLock { $0.awaited } }

    func reading(sent: Int, unsent: Int) -> StallMeter.Reading {
        state.withLock {
            StallMeter.Reading(
                awaited: $0.awaited, answered: $0.answered, sent: sent, unsent: unsent)
        }
    }
}
