internal import Glibc
internal import Synchronization

@testable internal import EntitlementServer

/// A value that several threads of one test may touch.
final class Locked<Value: Sendable>: Sendable {
    private let storage: Mutex<Value>

    init(_ value: Value) {
        storage = Mutex(value)
    }

    var value: Value { storage.withLock { $0 } }

    func set(_ value: Value) {
        storage.withLock { $0 = value }
    }

    func change(_ body: (inout Value) -> Void) {
        storage.withLock { body(&$0) }
    }
}

/// Runs what blocks on a thread of its own, so that no task of the pool waits for it.
func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
        startThread { continuation.resume(with: Result(catching: body)) }
    }
}

/// Writes on a thread of its own while `body` reads.
func whileWriting<Output>(
    _ bytes: [UInt8], to connection: LocalConnection, _ body: () throws -> Output
) throws -> Output {
    let writing = startThread { try? connection.write(bytes) }
    defer { pthread_join(writing, nil) }
    do {
        return try body()
    } catch {
        // Nobody will read what would let the writing go on.
        connection.endWriting()
        throw error
    }
}

@discardableResult
private func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body)).toOpaque()
    pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }, work)
    return thread
}

extension LocalConnection {
    /// Reads what has come, once something has.
    func readSome() throws -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        return Array(chunk.prefix(max(0, count)))
    }

    /// Writes everything, to a peer that has to take it.
    func writeAll(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw LocalClientError.system(call: "send", errno: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Ends our side only.
    func endWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }
}
