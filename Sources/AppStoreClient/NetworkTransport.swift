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
        // The deadline of the library ends with the head of an answer; this one is for all of it.
        let deadline = NIODeadline.now() + .milliseconds(request.timeout)
        let call = Task { try await exchange(request) }
        let timer = client.eventLoopGroup.any().scheduleTask(deadline: deadline) {
            call.cancel()
        }
        defer { timer.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await call.value
            } onCancel: {
                call.cancel()
            }
        } catch {
            if NIODeadline.now() >= deadline { throw .timedOut }
            throw error as? TransportFailure ?? .brokenOff
        }
    }

    private func exchange(_ request: TransportRequest) async throws -> TransportResponse {
        let response: HTTPClientResponse
        do {
            response = try await client.execute(
                Self.outgoing(request), timeout: .milliseconds(request.timeout))
        } catch {
            throw Self.failure(error, otherwise: .unreachable)
        }
        return TransportResponse(
            status: Int(response.status.code),
            retryAfter: response.headers.first(name: "Retry-After"),
            body: try await Self.body(of: response, limit: request.answerLimit))
    }

    private static func outgoing(_ request: TransportRequest) -> HTTPClientRequest {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = HTTPMethod(rawValue: request.method)
        outgoing.headers.add(name: "Accept", value: "application/json")
        outgoing.headers.add(name: "User-Agent", value: "usher")
        if let authorization = request.authorization {
            outgoing.headers.add(name: "Authorization", value: authorization.revealed)
        }
        for field in request.fields { outgoing.headers.add(name: field.name, value: field.value) }
        if let body = request.body {
            outgoing.headers.add(name: "Content-Type", value: "application/json")
            outgoing.body = .bytes(body)
        }
        return outgoing
    }

    private static func body(
        of response: HTTPClientResponse, limit: Int
    ) async throws(TransportFailure) -> [UInt8] {
        let announced = response.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        guard announced <= limit else { throw .tooLarge }
        var bytes: [UInt8] = []
        var parts = response.body.makeAsyncIterator()
        while true {
            let part: ByteBuffer?
            do {
                part = try await parts.next()
            } catch {
                throw failure(error, otherwise: .brokenOff)
            }
            // A stream that was cancelled may end as if it were whole.
            guard !Task.isCancelled else { throw .timedOut }
            guard let part else { return bytes }
            guard bytes.count + part.readableBytes <= limit else { throw .tooLarge }
            bytes += part.readableBytesView
        }
    }

    private static func failure(
        _ error: any Error, otherwise: TransportFailure
    ) -> TransportFailure {
        // What came is not HTTP.
        if error is HTTPParserError { return .brokenOff }
        guard let error = error as? HTTPClientError else { return otherwise }
        switch error {
        case .readTimeout, .writeTimeout, .deadlineExceeded, .connectTimeout: return .timedOut
        case .remoteConnectionClosed, .cancelled: return .brokenOff
        default: return otherwise
        }
    }
}
