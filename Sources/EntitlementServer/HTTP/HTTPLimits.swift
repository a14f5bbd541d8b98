/// How much of a request is read, and how much of an answer is held (spec 3.1).
package struct HTTPLimits: Sendable {
    /// Bytes of the request line and of each field line.
    package var lineBytes = 8 * 1_024
    /// Bytes of the request line and all field lines together.
    package var headBytes = 16 * 1_024
    package var fieldCount = 64
    package var bodyBytes = 256 * 1_024
    /// How deep JSON may nest.
    package var jsonDepth = 32
    /// Bytes of answers that may wait for a slow reader before its next request is answered.
    package var waitingOutputBytes = 256 * 1_024
    /// Whether bodies may come in chunks, and may be announced with `Expect: 100-continue`.
    var takesChunks = false

    package init() {}
}

/// How long a connection may take over a step, in seconds (spec 3.1).
package struct ConnectionPatience: Sendable {
    package var head = 10
    package var body = 30
    /// Between requests.
    package var idle = 60
    /// Without one byte being taken of an answer that is ready.
    package var write = 10

    package init() {}

    /// Of a connection that gets one answer: for its head to arrive, and for its peer to read.
    static let brief = 2
}
