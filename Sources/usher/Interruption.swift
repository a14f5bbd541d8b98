internal import Glibc
internal import Synchronization

/// Ctrl-C and SIGTERM, held back once so that work under way is finished first: whoever has
/// called `holdBack` asks `isPending` now and then. The second time they end the program at once.
enum Interruption {
    private static let wasAsked = Atomic(false)

    /// Whether the user wants it to end.
    static var isPending: Bool { wasAsked.load(ordering: .relaxed) }

    static func holdBack() {
        // Made before a signal can ask for it: its making is not safe in a handler.
        _ = isPending
        var action = sigaction()
        // A closure without captures, and all that it does is safe in a handler.
        action.__sigaction_handler.sa_handler = { _ in
            Interruption.wasAsked.store(true, ordering: .relaxed)
        }
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESTART) | UInt32(SA_RESETHAND))
        for signal in [SIGINT, SIGTERM] { sigaction(signal, &action, nil) }
    }
}
