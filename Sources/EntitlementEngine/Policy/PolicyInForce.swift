internal import EntitlementModel
internal import LedgerModel
internal import PolicyLoading
internal import Synchronization

/// Which policy is in force: for questions, the one whose activation is durable; for the writer,
/// the one whose activation it has appended, from that entry on.
final class PolicyInForce: Sendable {
    private struct State {
        var current: ActivePolicy
        /// Appended, and not yet durable.
        var pending: (policy: ActivePolicy, activation: LedgerSequence)?
        /// What the policy folder was last refused for, while nothing better came.
        var refusal: [Diagnostic] = []
        /// What the policy folder holds back for, while nothing better came.
        var waiting: WaitingPolicy?
    }

    private let state: Mutex<State>

    init(_ policy: ActivePolicy) {
        state = Mutex(State(current: policy))
    }

    var current: ActivePolicy { state.withLock { $0.current } }

    /// The policy that a write has to judge by: claims are judged by the policy in force in the
    /// commit that records them (spec 1.6).
    func policy(for transaction: any LedgerReading) throws(LedgerError) -> ActivePolicy {
        let (current, pending) = state.withLock { ($0.current, $0.pending) }
        guard let pending else { return current }
        // An activation whose commit failed is not there: its number names something else.
        guard case .policyActivation(let entry)? = try transaction.entry(pending.activation)?.value,
            entry.digest == pending.policy.digest
        else { return current }
        return pending.policy
    }

    /// What keeps the policy folder from coming into force; empty while nothing does.
    var refusal: [Diagnostic] { state.withLock { $0.refusal } }

    /// What waits to be accepted; nil while nothing does.
    var waiting: WaitingPolicy? { state.withLock { $0.waiting } }

    /// - Returns: whether it was not known before.
    @discardableResult
    func refuse(_ diagnostics: [Diagnostic]) -> Bool {
        state.withLock { state in
            defer { (state.refusal, state.waiting) = (diagnostics, nil) }
            return state.refusal != diagnostics
        }
    }

    /// - Returns: whether it was not known before.
    @discardableResult
    func wait(_ policy: WaitingPolicy) -> Bool {
        state.withLock { state in
            defer { (state.refusal, state.waiting) = ([], policy) }
            return state.waiting != policy
        }
    }

    /// The same while the accounts that lose something are counted; what they were is kept.
    func expect(_ policy: WaitingPolicy) {
        state.withLock { state in
            let known = state.waiting
            guard known?.digest != policy.digest || known?.replaces != policy.replaces else {
                return
            }
            (state.refusal, state.waiting) = ([], policy)
        }
    }

    /// What the folder says is in force already.
    func accept() {
        state.withLock { ($0.refusal, $0.waiting) = ([], nil) }
    }

    /// An activation has been appended in a transaction that may still fail.
    func append(_ policy: ActivePolicy, at activation: LedgerSequence) {
        state.withLock { $0.pending = (policy, activation) }
    }

    /// The activation is durable: nobody sees the policy in force and still waiting.
    func commit(_ policy: ActivePolicy) {
        state.withLock { $0 = State(current: policy) }
    }
}

/// An error of a policy folder that was not put into force, for the operator's page.
package struct PolicyProblem: Hashable, Sendable {
    /// The diagnostic's stable id.
    package let id: String
    /// Relative to the policy folder.
    package let file: String
    package let line: Int
    package let column: Int

    init(_ diagnostic: Diagnostic) {
        id = diagnostic.id.rawValue
        file = diagnostic.place.file
        line = diagnostic.place.line
        column = diagnostic.place.column
    }
}
