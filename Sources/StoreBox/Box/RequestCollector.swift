package import NIOCore
package import NIOHTTP1

/// Makes whole requests of what comes over one connection.
package struct RequestCollector {
    package enum Request {
        case incomplete
        /// Its body is longer than it may be; the rest of it is passed over.
        case tooLarge
        case whole(HTTPRequestHead, [UInt8])
    }

    private let largestBody: Int
    /// Nil between requests, and behind one that is too large.
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    package init(largestBody: Int) {
        self.largestBody = largestBody
    }

    package mutating func add(_ part: HTTPServerRequestPart) -> Request {
        switch part {
        case .head(let head): (self.head, body) = (head, [])
        case .body(let part):
            body += part.readableBytesView
            guard head != nil, body.count > largestBody else { break }
            (head, body) = (nil, [])
            return .tooLarge
        case .end:
            guard let head else { break }
            defer { (self.head, body) = (nil, []) }
            return .whole(head, body)
        }
        return .incomplete
    }
}

extension ChannelHandlerContext {
    /// Sends a whole answer, and closes the connection behind the last one.
    ///
    /// - Parameter body: nil where the head alone is sent.
    package func send(
        _ status: Int, _ headers: HTTPHeaders, _ body: [UInt8]?, isLast: Bool
    ) {
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: headers)
        write(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
        if let body {
            let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: body)))
            write(NIOAny(part), promise: nil)
        }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let sent = writeAndFlush(NIOAny(HTTPServerResponsePart.end(nil)))
        if isLast { sent.whenComplete { _ in bound.value.close(promise: nil) } }
    }
}
