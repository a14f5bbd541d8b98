internal import Glibc
internal import Synchronization

/// The signals that the service hears, and those that it does not mind. SIGTERM and SIGINT stop
/// it; SIGQUIT and the signals of faults end it with a dump.
enum ServeSignals {
    /// How often SIGHUP came.
    private static let hangUps = Atomic<Int>(0)

    /// To be called before anything that takes time.
    static func install() {
        // Made now: a handler may not wait for whoever makes it.
        hangUps.store(0, ordering: .relaxed)
        signal(SIGHUP) { _ in ServeSignals.hangUps.add(1, ordering: .relaxed) }
        ignoreForeign()
    }

    /// Whether SIGHUP came since the last call.
    static func takeHangUps() -> Bool { hangUps.exchange(0, ordering: .relaxed) > 0 }

    /// Ignores what by default ends a process and means nothing to this one: a person who mistypes
    /// a number, or a job that sends every program the same signal, ends no service.
    private static func ignoreForeign() {
        let named = [
            SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPIPE, SIGIO, SIGPWR, SIGSTKFLT,
            SIGXFSZ,
        ]
        let realTime = __libc_current_sigrtmin()...__libc_current_sigrtmax()
        for number in named + realTime { signal(number, SIG_IGN) }
    }
}
