internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

/// Sends requests over the network: TLS with the system's roots, no proxy, no redirect, nothing
/// before the first request.
package struct NetworkTransport: AppStoreTransport {
    private let client: HTTPClient
    /// Bytes between two parts of an answer must not be apart by more. Milliseconds.
    private static let silence: Int64 = 10_000

    /// - Parameter connections: to one server at once.
    package init(connections: Int) {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.proxy = nil
        configuration.decompression = .disabled
        configuration.httpVersion = .http1Only
        configuration.timeout = .init(
            connect: .milliseconds(Self.silence), read: .milliseconds(Self.silence))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        // Attempts are counted and paused by the client.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(configuration: configuration)
    }

    /// Closes all connections; to be called once, when no call is under way any more.
    package func close() async {
        try? await client.shutdown()
    }

    package func send(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        let deadline = NIODeadline.now() + .milliseconds(request.timeout)
        let response: HTTPClientResponse
        do {
            response = try await client.execute(Self.outgoing(request), deadline: deadline)
        } catch {
            throw Self.failure(error, otherwise: .unreachable)
        }
        return TransportResponse(
            status: Int(response.status.code),
            retryAfter: response.headers.first(name: "Retry-After"),
            body: try await Self.body(of: response, limit: request.answerLimit, until: deadline))
    }

    private static func outgoing(_ request: TransportRequest) -> HTTPClientRequest {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = HTTPMethod(rawValue: request.method)
        outgoing.headers.add(name: "Accept", value: "application/json")
        outgoing.headers.add(name: "User-Agent", value: "usher")
        if let authorization = request.authorization {
            outgoing.headers.add(name: "Authorization", value: authorization.revealed)
        }
        if let body = request.body {
            outgoing.headers.add(name: "Content-Type", value: "application/json")
            outgoing.body = .bytes(body)
        }
        return outgoing
    }

    /// The deadline of the library ends with the head of the answer; this one is for all of it.
    private static func body(
        of response: HTTPClientResponse, limit: Int, until deadline: NIODeadline
    ) async throws(TransportFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var parts = response.body.makeAsyncIterator()
        while true {
            let part: ByteBuffer?
            do {
                part = try await parts.next()
            } catch {
                throw failure(error, otherwise: .brokenOff)
            }
            guard let part else { return bytes }
            guard bytes.count + part.readableBytes <= limit else { throw .tooLarge }
            bytes += part.readableBytesView
            if NIODeadline.now() > deadline { throw .timedOut }
        }
    }

    private static func failure(
        _ error: any Error, otherwise: TransportFailure
    ) -> TransportFailure {
        guard let error = error as? HTTPClientError else { return otherwise }
        switch error {
        case .readTimeout, .writeTimeout, .deadlineExceeded, .connectTimeout: return .timedOut
        case .remoteConnectionClosed, .cancelled: return .brokenOff
        default: return otherwise
        }
    }
}
