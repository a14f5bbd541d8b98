internal import Glibc
internal import Synchronization

/// Ctrl-C and SIGTERM, held back once so that work under way is finished first: whoever has
/// called `holdBack` asks `isPending` now and then. The second time they end the program at once.
enum Interruption {
    private static let wasAsked = Atomic(false)
    /// The address of what is said then: made before, because a handler may make nothing.
    private static let notice = Atomic<UInt>(0)

    /// Whether the user wants it to end.
    static var isPending: Bool { wasAsked.load(ordering: .sequentiallyConsistent) }

    /// - Parameter notice: told on standard error once the user wants it to end.
    static func holdBack(saying notice: String) {
        // Kept for as long as the program runs.
        Interruption.notice.store(
            UInt(bitPattern: strdup(notice)), ordering: .sequentiallyConsistent)
        var action = sigaction()
        // A closure without captures, and all that it does is safe in a handler.
        action.__sigaction_handler.sa_handler = { _ in
            Interruption.wasAsked.store(true, ordering: .sequentiallyConsistent)
            let address = Interruption.notice.load(ordering: .sequentiallyConsistent)
            guard let notice = UnsafePointer<CChar>(bitPattern: address) else { return }
            _ = write(STDERR_FILENO, notice, strlen(notice))
        }
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESTART) | UInt32(SA_RESETHAND))
        // Made before a signal can ask for it: its making is not safe in a handler.
        _ = isPending
        for signal in [SIGINT, SIGTERM] { sigaction(signal, &action, nil) }
    }
}
