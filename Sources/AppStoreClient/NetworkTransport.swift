package import EntitlementEngine
internal import Synchronization

/// Sends requests over the network, with the system's libcurl: https anywhere, http to this machine
/// only, TLS 1.2 or later with the system's roots, no proxy, no redirect, nothing before the first
/// request. Connections are kept for further requests until none was sent for a minute.
package struct NetworkTransport: AppStoreTransport {
    private let transfers: Transfers

    /// Whether the system has libcurl, which this opens.
    package static var isAvailable: Bool { Transfers.isAvailable }

    /// - Parameter roots: a PEM file with certificates to trust in addition to the system's.
    package init(roots: String? = nil) {
        transfers = Transfers(roots: roots)
    }

    package func send(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        // Scheme, host and port, which are all of it that says where it goes.
        let parts = request.url.split(
            separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard ServerURL(parts.prefix(3).joined(separator: "/")) != nil else { throw .unreachable }
        let transfer = Transfer(request)
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.await(continuation)
                transfers.start(transfer)
            }
        } onCancel: {
            transfer.cancel()
            transfers.wakeUp()
        }.get()
    }
}

/// A request in progress, with the part of the answer received so far, written by the thread of all
/// transfers.
final class Transfer: Sendable {
    typealias Continuation = CheckedContinuation<Result<TransportResponse, TransportFailure>, Never>

    private struct State {
        var continuation: Continuation?
        var headBytes = 0
        var isHeadWhole = false
        var retryAfter: String?
        var body: [UInt8] = []
        var isTooLarge = false
        var isCancelled = false
    }

    /// Bytes of all heads of an answer.
    private static let largestHead = 65_536

    let request: TransportRequest
    private let state = Mutex(State())

    init(_ request: TransportRequest) {
        self.request = request
    }

    var isCancelled: Bool { state.withLock(\.isCancelled) }

    func cancel() { state.withLock { $0.isCancelled = true } }

    func await(_ continuation: Continuation) {
        state.withLock { $0.continuation = continuation }
    }

    func end(_ result: Result<TransportResponse, TransportFailure>) {
        let continuation = state.withLock { $0.continuation.take() }
        continuation?.resume(returning: result)
    }

    /// Takes a line of a head, or one behind the body, with its end.
    /// - Returns: false where it was one too many.
    func take(line bytes: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            state.headBytes += bytes.count
            let line = String(decoding: bytes, as: UTF8.self)
            if line.hasPrefix("HTTP/") {
                // What came before was an interim answer (1xx).
                (state.isHeadWhole, state.retryAfter) = (false, nil)
            } else if line == "\r\n" || line == "\n" {
                state.isHeadWhole = true
            } else if !state.isHeadWhole, state.retryAfter == nil {
                let field = line.split(separator: ":", maxSplits: 1)
                if field.count == 2, field[0].lowercased() == "retry-after" {
                    let value = field[1].drop(while: \.isWhitespace).reversed()
                    state.retryAfter = String(value.drop(while: \.isWhitespace).reversed())
                }
            }
            return state.headBytes <= Self.largestHead
        }
    }

    /// Takes a part of the body.
    /// - Returns: false where it is too large with it.
    func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            state.isTooLarge = state.body.count + bytes.count > request.answerLimit
            if !state.isTooLarge { state.body += bytes }
            return !state.isTooLarge
        }
    }

    /// The result.
    /// - Parameter code: libcurl's (`CURLcode`).
    func result(_ code: Int32, _ status: Int) -> Result<TransportResponse, TransportFailure> {
        state.withLock { state in
            if state.isTooLarge { return .failure(.tooLarge) }
            switch code {
            case 0:
                // libcurl has no objections where the connection ends within a head.
                guard state.isHeadWhole, status >= 200 else { return .failure(.brokenOff) }
                return .success(
                    TransportResponse(
                        status: status, retryAfter: state.retryAfter, body: state.body))
            case 28: return .failure(.timedOut)
            // So many bytes are announced.
            case 63: return .failure(.tooLarge)
            // Not HTTP (1, 8), less than announced (18), too long a head (23), nothing (52), an
            // error of the connection (55, 56).
            case 1, 8, 18, 23, 52, 55, 56: return .failure(.brokenOff)
            default: return .failure(.unreachable)
            }
        }
    }
}
