internal import Glibc

/// Who goes first where there are more threads than processors.
///
/// Threads that answer questions from memory take none of these: a question is a few
/// microseconds of work, and would otherwise wait for a share of the processor that is handed
/// out by the millisecond.
package enum ThreadPrecedence: Sendable {
    /// For what reads or writes the ledger, or verifies. Where questions alone would fill a
    /// processor, each such thread still gets a tenth of what they get.
    case afterQuestions
    /// For what nobody waits for.
    case last

    /// The kernel's niceness, for which each step is a tenth or so of the share.
    private var niceness: CInt {
        switch self {
        case .afterQuestions: 10
        case .last: 19
        }
    }

    /// Makes the calling thread, which others may come to use later, give way from now on. One
    /// that gives way more stays as it is. Costs a call of the system, or two.
    package func take() {
        let process = __priority_which_t(PRIO_PROCESS.rawValue)
        // On Linux niceness belongs to the thread, and 0 names the one that asks.
        guard getpriority(process, 0) < niceness else { return }
        setpriority(process, 0, niceness)
    }
}
