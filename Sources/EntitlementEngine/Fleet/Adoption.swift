package import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// Whether a node of a fleet goes by all that the others have written. While it cannot, it answers
/// nothing: the policy that it knows may not be in force any more.
final class Adoption: Sendable {
    private struct State {
        var failure: EngineError?
        var watchers: [@Sendable (EngineError?) -> Void] = []
    }

    /// Looked at by every question.
    private let isHalted = Atomic<Bool>(false)
    private let state = Mutex(State())
    /// Entries are adopted by one thread at a time.
    private let turn = Mutex(())

    var isGoingOn: Bool { !isHalted.load(ordering: .acquiring) }

    /// Nil while it goes on.
    var failure: EngineError? { state.withLock(\.failure) }

    /// Whether nothing but another version of the program can go on: the ledger's history holds
    /// what this one cannot read, whatever comes behind it.
    var isOver: Bool {
        guard case .policyHistoryUnreadable = failure else { return false }
        return true
    }

    func inTurn(_ body: () -> Void) { turn.withLock { _ in body() } }

    /// Hands to `tell` why adoption has halted, and nil when it goes on again, once each: at once
    /// where it has.
    func watch(_ tell: @escaping @Sendable (EngineError?) -> Void) {
        let failure = state.withLock { state in
            state.watchers.append(tell)
            return state.failure
        }
        if let failure { tell(failure) }
    }

    /// - Parameter failure: nil where everything was adopted.
    func end(with failure: EngineError?) {
        guard failure != nil || !isGoingOn else { return }
        isHalted.store(failure != nil, ordering: .releasing)
        let watchers = state.withLock { state in
            defer { state.failure = failure }
            let isNews = (state.failure == nil) != (failure == nil)
            return isNews ? state.watchers : []
        }
        for tell in watchers { tell(failure) }
    }
}

extension EntitlementEngine {
    /// Whether questions may be answered: false where another node has written what this program
    /// cannot go by, such as a policy of a newer version. Cheap.
    package var answersQuestions: Bool { adoption.isGoingOn }

    /// Why they may not; nil where they may.
    package var adoptionFailure: EngineError? { adoption.failure }

    /// The entry with the policy that this version cannot read; nil where there is none.
    package var unreadablePolicy: LedgerSequence? {
        guard case .policyHistoryUnreadable(let entry)? = adoption.failure else { return nil }
        return entry
    }

    /// Hands to `tell` why nothing is answered any more, and nil when questions are answered
    /// again, once each: at once where nothing is.
    package func watchAdoption(_ tell: @escaping @Sendable (EngineError?) -> Void) {
        adoption.watch(tell)
    }

    /// - Throws: what keeps this node from answering.
    package func requireAdoption() throws(EngineError) {
        guard !adoption.isGoingOn, let failure = adoption.failure else { return }
        throw failure
    }

    /// Tries once more what could not be read of the others' entries, if that can help. Blocks.
    package func adoptAgain() {
        guard !adoption.isGoingOn, !adoption.isOver else { return }
        adoptWhatIsThere()
    }

    /// Adopts what the ledger has now.
    func adoptWhatIsThere() {
        guard sharedLedger != nil,
            let head = try? ledger.reading({ reader throws(LedgerError) in try reader.head() })
        else { return }
        adoptEntries(through: head)
        revisionWaiters.reach(revision)
    }
}
