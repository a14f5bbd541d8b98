package import EntitlementAnswers
package import EntitlementDerivation
package import EntitlementModel
package import LedgerModel
internal import PolicyLoading
package import Sentences

/// Answers that are read from the ledger and kept nowhere: those of a service that need more
/// than a view, and those about a ledger file, read-only and safely while a service runs, by
/// the policy that was last in force in it.
package struct LedgerQuestions: Sendable {
    package let ledger: any ReadableLedger
    package let policy: ActivePolicy
    let waiting: WaitingClaims
    /// The state of attempts in this process; nil if it makes none.
    let queue: AppStoreQueue?
    /// The state of refund answers in this process; nil if it sends none.
    let refunds: RefundQueue?
    /// Whether something is assumed that has not happened: answers say so.
    package internal(set) var isAssumed = false
    /// As answers say it.
    var assumedMark: Bool? { isAssumed ? true : nil }
    let pastPolicies: PastPolicies
    /// By which an account that was erased is known again; nil where it is not.
    package var privacyKey: PrivacyKey?
    /// What they know; nil for all that is recorded.
    let past: KnownPast?

    init(
        ledger: any ReadableLedger, policy: ActivePolicy, waiting: WaitingClaims,
        queue: AppStoreQueue? = nil, refunds: RefundQueue? = nil, pastPolicies: PastPolicies,
        past: KnownPast? = nil
    ) {
        self.ledger = ledger
        self.policy = policy
        self.waiting = waiting
        self.queue = queue
        self.refunds = refunds
        self.pastPolicies = pastPolicies
        self.past = past
    }

    /// - Throws: `.noPolicy` if no policy was ever in force in the ledger.
    package init(_ ledger: any ReadableLedger) throws(EngineError) {
        guard let history = try PolicyHistory(recordedIn: ledger) else { throw .noPolicy }
        self.init(
            ledger: ledger, policy: ActivePolicy(history), waiting: WaitingClaims(),
            pastPolicies: PastPolicies())
    }

    /// Names the policy that answers are given by.
    package var policyDigest: Digest256 { policy.digest }

    /// The account, as far as what it has came through one Apple ID if one is named (spec 3.1,
    /// `apple_id`). Blocks.
    package func account(
        _ account: AccountID, throughIfAny key: AppleIDKey? = nil
    ) throws(EngineError) -> (packed: PackedAccount, revision: LedgerSequence) {
        try requireKept(account)
        return try ledger.reading { reader throws(LedgerError) in
            let view = try QuestionView(self, reader)
            return (try view.account(account, through: key), view.revision)
        }
    }
}

extension LedgerQuestions {
    /// One right of an account, as far as what it has came through an Apple ID if one is named.
    /// Reads and derives the account again; nothing is kept. Blocks.
    ///
    /// - Throws: `.unknownEntitlement`.
    package func answer(
        _ key: RightKey, of account: AccountID, at instant: Instant,
        through appleID: AppleIDKey? = nil
    ) throws(EngineError) -> Answer {
        try require(key.entitlement)
        let (view, revision) = try view(of: account, through: appleID)
        var answer = view.answer(key, at: instant, revision: revision)
        answer.isAssumed = assumedMark
        return answer
    }

    /// The account with everything that was derived, as of one revision. Blocks.
    package func view(
        of account: AccountID, through appleID: AppleIDKey?
    ) throws(EngineError) -> (view: AccountView, revision: LedgerSequence) {
        let account = policy.name(account)
        try requireKept(account)
        return try ledger.reading { reader throws(LedgerError) in
            let facts = try policy.facts(of: account, throughIfAny: appleID, reader)
            return (policy.view(of: account, facts: facts), try reader.head().sequence)
        }
    }

    /// The next accounts that any entry names, by name. Blocks.
    package func accounts(
        after account: AccountID?, limit: Int
    ) throws(EngineError) -> [AccountID] {
        try ledger.reading { reader throws(LedgerError) in
            try reader.accounts(
                after: account, limit: limit, folded: policy.history.current.foldsAccounts)
        }
    }

    /// The claims that wait for a person, in the ledger's order. Blocks; the first call reads
    /// the whole ledger.
    package func waitingClaims(
        after place: LedgerSequence = .zero, limit: Int = .max
    ) throws(EngineError) -> ClaimList {
        let (all, revision) = try waiting.all(in: ledger, through: past?.revision)
        let rest = all.drop { $0.claim.sequence <= place }
        let page = rest.prefix(limit)
        return ClaimList(
            claims: page.map(\.answer),
            next: page.count < rest.count ? page.last?.claim.sequence : nil, revision: revision)
    }
}

/// The entitlements that the policies of a ledger have named, from the first on. A question about
/// another one is an error: a misspelt name must not look like a right that nobody has.
///
/// A grant names only what a policy has, so grants add nothing.
package struct KnownEntitlements: Sendable {
    /// Sorted.
    private let names: [EntitlementName]
    private let lookup: Set<EntitlementName>

    init(_ history: PolicyHistory) {
        var names: Set<EntitlementName> = []
        for activation in history.activations {
            names.formUnion(activation.policy.entitlements.keys)
            for product in activation.policy.products.values {
                for case .entitlement(let name, _) in product.grants { names.insert(name) }
            }
        }
        lookup = names
        self.names = names.sorted()
    }

    package func contains(_ name: EntitlementName) -> Bool { lookup.contains(name) }

    /// The same for a name in bytes. There are few.
    package func contains(named name: Span<UInt8>) -> Bool {
        names.contains { $0.text.utf8.span.isSame(as: name) }
    }

    /// The name that was probably meant.
    package func nearest(to name: EntitlementName) -> EntitlementName? {
        suggestion(for: name.text, among: names.map(\.text)).flatMap { EntitlementName($0) }
    }
}

extension LedgerQuestions {
    /// - Throws: `.unknownEntitlement` for one that no policy ever named.
    package func require(_ name: EntitlementName) throws(EngineError) {
        let known = policy.knownEntitlements
        guard !known.contains(name) else { return }
        throw .unknownEntitlement(nearest: known.nearest(to: name))
    }
}

/// An account as of one revision with everything that was derived: what reports are written from.
package final class AccountView: Sendable {
    package let timeline: AccountTimeline
    /// The policy that the timeline was derived by.
    package let policy: Digest256

    init(timeline: AccountTimeline, policy: Policy) {
        self.timeline = timeline
        self.policy = policy.digest
    }

    package var account: AccountID { timeline.account }

    /// The answer for one entitlement.
    package func answer(_ key: RightKey, at instant: Instant, revision: LedgerSequence) -> Answer {
        Answer(
            key: key, timeline: timeline.right(key), at: instant, policy: policy,
            revision: revision)
    }
}

extension [CreditKey: CreditTimeline] {
    /// Those of one environment, by credit.
    func balances(in environment: StoreEnvironment, at instant: Instant) -> [CreditBalance] {
        filter { $0.key.environment == environment }
            .map { CreditBalance(credit: $0.key.credit, timeline: $0.value, at: instant) }
            .sorted { $0.credit < $1.credit }
    }
}

/// An Apple ID as of one revision.
package final class AppleIDView: Sendable {
    package let timeline: AppleIDTimeline
    package let rights: PackedRights

    init(timeline: AppleIDTimeline, rights: PackedRights) {
        self.timeline = timeline
        self.rights = rights
    }
}

/// One view of the ledger by one policy, for several questions. Nothing of it stays in memory.
package struct QuestionView {
    private let questions: LedgerQuestions
    private let reader: any LedgerReading
    package let revision: LedgerSequence

    fileprivate init(
        _ questions: LedgerQuestions, _ reader: any LedgerReading
    ) throws(LedgerError) {
        self.questions = questions
        self.reader = reader
        revision = try reader.head().sequence
    }

    package var policy: Digest256 { questions.policyDigest }
    /// Every entitlement, and every credit, that a policy has named by then.
    package var knownEntitlements: KnownEntitlements { questions.policy.knownEntitlements }
    package var knownCredits: Set<CreditName> { questions.policy.knownCredits }
    /// What a question is about that names no instant; nil for the present.
    package var knownAt: Instant? { questions.past?.instant }

    /// The same view as far as was known then.
    package func asKnown(
        at moment: KnownMoment, now: Instant
    ) throws(LedgerError) -> Result<QuestionView, EngineError> {
        switch try questions.past(at: moment, now: now, reader) {
        case .failure(let error): return .failure(error)
        case .success(let found):
            let reader = PastReading(reader, through: found.past.revision)
            return .success(try QuestionView(questions.asKnown(found), reader))
        }
    }

    /// The same view as if that had happened.
    package func assuming(
        _ assumptions: [Assumption], at instant: Instant, in environment: StoreEnvironment
    ) throws(LedgerError) -> Result<QuestionView, EngineError> {
        let assumed = AssumedEvents(
            assumptions, at: instant, in: environment, policy: questions.policy)
        switch try assumed.reading(reader) {
        case .failure(let error): return .failure(error)
        case .success(let reader): return .success(try QuestionView(questions, reader))
        }
    }

    /// Why what was known of the account then cannot be told; nil for the present, and where nothing
    /// is gone.
    package func loss(of account: AccountID) throws(LedgerError) -> EngineError? {
        try questions.loss(of: account, reader)
    }

    /// The account, as far as what it has came through an Apple ID, if one is named.
    package func account(
        _ account: AccountID, through key: AppleIDKey?
    ) throws(LedgerError) -> PackedAccount {
        let policy = questions.policy
        let account = policy.name(account)
        guard let key else {
            return policy.packed(of: account, facts: try reader.facts(forAccount: account))
        }
        return policy.packed(
            of: account, facts: try policy.facts(of: account, through: key, reader))
    }

    /// Nil for an Apple ID that no fact knows.
    package func appleID(_ key: AppleIDKey) throws(LedgerError) -> AppleIDView? {
        let policy = questions.policy
        return try policy.appleID(named: key, reader).map { policy.view($0) }
    }

    package func preflight(
        _ request: PreflightRequest, at instant: Instant
    ) throws(LedgerError) -> PreflightAnswer {
        try questions.preflight(request, at: instant, reader)
    }
}

extension EntitlementEngine {
    /// Lets the body ask several questions, all as of one revision. Blocks.
    ///
    /// What is durable and not yet published is not seen: an answer reflects its revision, all of
    /// it and nothing else.
    package func inOneView<Value>(
        _ body: (QuestionView) throws(LedgerError) -> Value
    ) throws(EngineError) -> Value {
        try requireAdoption()
        let (head, questions) = cache.published { self.questions }
        return try ledger.reading { reader throws(LedgerError) in
            let isAhead = try reader.head().sequence > head
            let reader = isAhead ? PastReading(reader, through: head) : reader
            return try body(try QuestionView(questions, reader))
        }
    }
}
