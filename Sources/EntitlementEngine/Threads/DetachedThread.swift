internal import Glibc

/// A thread that ends with what it does, and that nobody joins.
enum DetachedThread {
    /// - Parameter precedence: nil for as urgent as the thread that starts it.
    /// - Returns: whether the machine had a thread left.
    static func start(
        taking precedence: ThreadPrecedence?, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(
            Work {
                precedence?.take()
                body()
            })
        let failure = pthread_create(
            &thread, nil,
            { pointer in
                if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard failure == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}
