package import EntitlementAnswers
package import EntitlementDerivation
package import EntitlementModel
package import EvidenceVerification
internal import LedgerModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import Synchronization

/// The policy in force with everything made from it, so that its holder answers by one policy only.
/// It never changes; it is shared, since every write and question holds it.
package final class ActivePolicy: Sendable {
    package let history: PolicyHistory
    package let verifier: EvidenceVerifier
    /// The policy compiled, once for all accounts and claims.
    package let deriver: Deriver
    private let texts: SharedAnswerTexts
    /// Every entitlement that a policy of this ledger has named, in force or not.
    package let knownEntitlements: KnownEntitlements
    /// Every credit that a policy of this ledger has named, in force or not.
    package let knownCredits: Set<CreditName>
    /// By what it differs from others of the same ledger.
    let mark: PolicyMark
    /// What it changes, where that was found before it came into force.
    let difference: PolicyDifference?
    private let foldsAccounts: Bool

    package convenience init(_ history: PolicyHistory) {
        self.init(history, after: nil)
    }

    /// - Parameter difference: from the policy before it in the history.
    init(_ history: PolicyHistory, after difference: PolicyDifference?) {
        self.history = history
        self.difference = difference
        knownEntitlements = KnownEntitlements(history)
        knownCredits = Set(history.activations.flatMap(\.policy.credits.keys))
        let newest = history.activations[history.activations.count - 1]
        mark = PolicyMark(
            digest: newest.policy.digest, activatedAt: newest.activatedAt,
            activations: history.activations.count)
        foldsAccounts = newest.policy.foldsAccounts
        deriver = Deriver(policies: history)
        texts =
            difference?.texts
            ?? SharedAnswerTexts(history.current, epoch: history.activations.count)
        verifier = EvidenceVerifier(VerificationSettings(policy: history.current))
    }

    package var digest: Digest256 { mark.digest }

    /// The name under which the account is kept (spec 1.1).
    package func name(_ account: AccountID) -> AccountID {
        foldsAccounts ? account.folded : account
    }

    /// The facts with every account under that name.
    package func folding(_ facts: FactSet) -> FactSet {
        foldsAccounts ? facts.foldingAccounts() : facts
    }

    func view(of account: AccountID, facts: FactSet) -> AccountView {
        AccountView(
            timeline: deriver.deriveAccount(account, facts),
            policy: history.current)
    }

    func packed(of account: AccountID, facts: FactSet) -> PackedAccount {
        packed(deriver.deriveAccount(account, facts))
    }

    func packed(_ timeline: AccountTimeline) -> PackedAccount {
        PackedAccount(timeline, texts: texts)
    }

    /// Texts of the policy that is to come after this one.
    func continuedTexts(for policy: Policy, _ names: RuleCorrespondence) -> SharedAnswerTexts {
        SharedAnswerTexts(policy, continuing: texts.current, names)
    }

    func view(_ timeline: AppleIDTimeline) -> AppleIDView {
        AppleIDView(timeline: timeline, rights: texts.packed(of: timeline.rights))
    }
}

/// Distinguishes policies in force in one ledger.
struct PolicyMark: Hashable {
    let digest: Digest256
    let activatedAt: Instant
    /// How many there had been by then.
    let activations: Int
}

extension ActivePolicy {
    /// SHA-256 of every root that evidence may end in, sorted, for the operator's page.
    package var trustFingerprints: [Digest256] {
        let anchors = history.current.trust.jws + history.current.trust.receipt
        let digests = anchors.map { anchor in
            switch anchor.root {
            case .fingerprint(let digest): digest
            case .certificate(let der): EntryHash.digest(of: der)
            }
        }
        return Set(digests).sorted()
    }

    /// Since when it has been in force.
    package var activatedAt: Instant {
        let standing = history.activations.reversed().prefix { $0.policy.digest == digest }
        guard let first = standing.last else { preconditionFailure("a history is never empty") }
        return first.activatedAt
    }
}

extension LedgerQuestions {
    /// The policy last in force with its full text, as the ledger has it; nil where there was
    /// none. Blocks.
    package func policyInForce() throws(EngineError) -> PolicyTextAnswer? {
        let activations = try ledger.reading { reader throws(LedgerError) in
            try reader.policyActivations()
        }
        guard let activation = activations.last else { return nil }
        let files = activation.value.files.map { file in
            let text = String(validating: file.bytes, as: UTF8.self)
            return PolicyTextAnswer.File(
                path: file.path, text: text, base64: text == nil ? file.base64 : nil)
        }
        return PolicyTextAnswer(
            policy: activation.value.digest, since: policy.activatedAt, files: files,
            previous: PolicyStack(activations).previous?.digest)
    }
}

extension PolicyActivation {
    init(_ policy: Policy, texts: [PolicyText]) {
        self.init(
            digest: policy.digest,
            files: texts.map { File(path: $0.path, bytes: $0.bytes) }.sorted { $0.path < $1.path })
    }
}

extension PolicyHistory {
    /// The policies that the ledger says have been in force; nil if there was none.
    /// - Throws: `.policyHistoryUnreadable` for a text that this version cannot read: ignoring it
    ///   would change what was sold.
    init?(recordedIn ledger: any ReadableLedger) throws(EngineError) {
        let recorded = try ledger.reading { reader throws(LedgerError) in
            try reader.policyActivations()
        }
        try self.init(recorded)
    }

    /// The same for activations that were read already.
    init?(_ recorded: [Recorded<PolicyActivation>]) throws(EngineError) {
        let activations = try recorded.map { entry throws(EngineError) in
            let texts = entry.value.files.map { PolicyText(path: $0.path, bytes: $0.bytes) }
            guard let policy = loadOldPolicy(texts) else {
                throw .policyHistoryUnreadable(entry.sequence)
            }
            return Activation(policy: policy, activatedAt: entry.recordedAt)
        }
        guard let first = activations.first else { return nil }
        self.init(first)
        for activation in activations.dropFirst() {
            activate(activation.policy, at: activation.activatedAt)
        }
    }
}

/// How far the walk has come that counts who loses something by a policy, and what it has found.
package struct WaitingWalk: Sendable {
    package let policy: Digest256
    package var done: Int64 = 0
    package var total: Int64 = 0
    package var impact: PolicyImpactAnswer?
}

/// Which policy is in force: for questions, the one whose activation is durable; for the writer,
/// the one whose activation it has appended, from that entry on.
final class PolicyInForce: Sendable {
    private struct State {
        var current: ActivePolicy
        /// Appended, and not yet durable.
        var pending: (policy: ActivePolicy, activation: LedgerSequence)?
        /// Why the policy folder was last refused, until it is replaced.
        var refusal: [Diagnostic] = []
        /// The waiting policy of the folder, until it is replaced.
        var waiting: WaitingPolicy?
        /// The last walk that counted who loses something by a policy.
        var walk: WaitingWalk?
    }

    private let state: Mutex<State>

    init(_ policy: ActivePolicy) {
        state = Mutex(State(current: policy))
    }

    var current: ActivePolicy { state.withLock { $0.current } }

    /// The policy for a write: claims are judged by the policy in force in the commit that records
    /// them (spec 1.6).
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

    /// The walk that counts, or has counted, who loses something by it.
    var walk: WaitingWalk? {
        state.withLock { $0.walk?.policy == $0.waiting?.digest ? $0.walk : nil }
    }

    /// How far it has come.
    func note(_ walk: WaitingWalk) { state.withLock { $0.walk = walk } }

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

    /// The folder equals the policy in force.
    func accept() {
        state.withLock { ($0.refusal, $0.waiting) = ([], nil) }
    }

    /// An activation has been appended in a transaction that may still fail.
    func append(_ policy: ActivePolicy, at activation: LedgerSequence) {
        state.withLock { $0.pending = (policy, activation) }
    }

    /// The activation is durable: a policy is never seen both in force and waiting.
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
