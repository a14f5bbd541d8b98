internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import Sentences

/// A question about rights, read out of a request: everything that its answer depends on.
enum Question: Sendable {
    case entitlement(EntitlementName, AccountID, QuestionParameters)
    case entitlements(AccountID, QuestionParameters)
    case appleID(AppleIDKey, QuestionParameters)
    case credits(AccountID, QuestionParameters)
    case evaluation(Evaluation)
    case evaluations(EvaluationReader.Batch)

    /// Nil for what asks about no rights.
    init?(
        _ kind: QuestionKind, _ match: PathMatch, _ request: RequestHead, in bytes: Span<UInt8>,
        _ jsonDepth: Int = HTTPLimits().jsonDepth
    ) throws(Problem) {
        switch kind {
        case .live, .ready, .metadata: return nil
        case .evaluation:
            try Self.requireJSON(request)
            self = .evaluation(
                try EvaluationReader.single(
                    bytes.extracting(request.body), depth: jsonDepth))
        case .evaluations:
            try Self.requireJSON(request)
            let body = bytes.extracting(request.body)
            if let batch = try EvaluationReader.batch(body, depth: jsonDepth) {
                self = .evaluations(batch)
            } else {
                self = .evaluation(try EvaluationReader.single(body, depth: jsonDepth))
            }
        case .entitlement:
            let account: AccountID = try bytes.identifier(match.first, field: "account")
            let parameters = try QuestionParameters(
                request.query, in: bytes, taking: QueryParameter.readingOfRights)
            let name: EntitlementName = try bytes.identifier(match.second, field: "entitlement")
            self = .entitlement(name, account, parameters)
        case .entitlements:
            self = .entitlements(
                try bytes.identifier(match.first, field: "account"),
                try QuestionParameters(
                    request.query, in: bytes, taking: QueryParameter.readingOfRights))
        case .credits:
            self = .credits(
                try bytes.identifier(match.first, field: "account"),
                try QuestionParameters(request.query, in: bytes))
        case .appleIDEntitlements:
            self = .appleID(
                try bytes.identifier(match.first, field: "apple_id"),
                try QuestionParameters(
                    request.query, in: bytes, taking: QueryParameter.readingOfAppleID))
        }
    }

    /// The oldest revision that may be answered: the caller has seen it.
    var minimumRevision: LedgerSequence {
        switch self {
        case .entitlement(_, _, let parameters), .entitlements(_, let parameters),
            .appleID(_, let parameters), .credits(_, let parameters):
            parameters.minimumRevision
        case .evaluation(let evaluation): evaluation.minimumRevision
        case .evaluations(let batch):
            batch.questions.compactMap { try? $0.get().minimumRevision }.max() ?? .zero
        }
    }

    /// Of what is asked in a query; evaluations say each themselves what they are about.
    var parameters: QuestionParameters? {
        switch self {
        case .entitlement(_, _, let parameters), .entitlements(_, let parameters),
            .appleID(_, let parameters), .credits(_, let parameters):
            parameters
        case .evaluation, .evaluations: nil
        }
    }

    /// Whether the database of a fleet has to be asked for its newest revision first.
    var isFresh: Bool {
        switch self {
        case .entitlement(_, _, let parameters), .entitlements(_, let parameters),
            .appleID(_, let parameters), .credits(_, let parameters):
            parameters.isFresh
        case .evaluation(let evaluation): evaluation.isFresh
        case .evaluations(let batch):
            batch.questions.contains { (try? $0.get().isFresh) ?? false }
        }
    }

    private static func requireJSON(_ request: RequestHead) throws(Problem) {
        guard request.bodyKind == .json else { throw Problem(.contentType, field: "Content-Type") }
    }
}

/// Finds the rights that questions are answered from.
struct RightsLookup {
    /// Where it looks for an account that is not in memory.
    enum Reach: Sendable {
        /// Memory only: for the event loop.
        case memory
        /// Memory, else the ledger; what was read stays in memory. Blocks.
        case ledger
        /// The same, but nothing stays in memory: searches read accounts that are not asked about
        /// otherwise. Blocks.
        case ledgerInPassing
    }

    /// An account's rights, and as of which revision.
    typealias Account = (packed: PackedAccount, revision: LedgerSequence)

    private let engine: EntitlementEngine
    private let reach: Reach
    /// Accounts that were found together, as of one revision.
    private var found: [AccountID: PackedAccount] = [:]
    private var foundAt = LedgerSequence.zero
    /// The view that the rest is read from; nil for the newest revision each time.
    private var view: QuestionView?

    init(_ engine: EntitlementEngine, _ reach: Reach) {
        self.engine = engine
        self.reach = reach
    }

    /// Lets the body ask several questions, all answered as of one revision.
    ///
    /// - Parameters:
    ///   - accounts: all that are asked about whole.
    ///   - readsLedger: whether the ledger is needed for more than the accounts.
    func asOfOneRevision<Value>(
        _ accounts: [AccountID], readsLedger: Bool,
        _ body: (RightsLookup) throws(LookupFailure) -> Value
    ) throws(LookupFailure) -> Value {
        guard readsLedger else { return try body(try pinned(to: accounts)) }
        return try reading { view throws(LedgerError) -> Result<Value, LookupFailure> in
            let pinned = try pinned(to: accounts, in: view)
            return Result { () throws(LookupFailure) in try body(pinned) }
        }.get()
    }

    /// Lets the body ask by what was known then. Nothing of it is kept.
    func asKnown<Value>(
        at moment: KnownMoment, now: Instant,
        _ body: (RightsLookup) throws(LookupFailure) -> Value
    ) throws(LookupFailure) -> Value {
        try reading { view throws(LedgerError) -> Result<Value, LookupFailure> in
            asking(try view.asKnown(at: moment, now: now), body)
        }.get()
    }

    /// The same as if that had happened.
    func assuming<Value>(
        _ assumptions: [Assumption], at instant: Instant, in environment: StoreEnvironment,
        _ body: (RightsLookup) throws(LookupFailure) -> Value
    ) throws(LookupFailure) -> Value {
        try reading { view throws(LedgerError) -> Result<Value, LookupFailure> in
            asking(try view.assuming(assumptions, at: instant, in: environment), body)
        }.get()
    }

    private func asking<Value>(
        _ found: Result<QuestionView, EngineError>,
        _ body: (RightsLookup) throws(LookupFailure) -> Value
    ) -> Result<Value, LookupFailure> {
        switch found {
        case .failure(let error): return .failure(.failed(Problem(error)))
        case .success(let view):
            var lookup = RightsLookup(engine, reach)
            (lookup.view, lookup.foundAt) = (view, view.revision)
            return Result { () throws(LookupFailure) in try body(lookup) }
        }
    }

    /// What a question is about that names no instant; nil for the present.
    var knownAt: Instant? { view?.knownAt }

    private func pinned(
        to accounts: [AccountID], in view: QuestionView
    ) throws(LedgerError) -> RightsLookup {
        var pinned = self
        (pinned.view, pinned.foundAt) = (view, view.revision)
        if let cached = engine.cachedAccounts(accounts), cached.revision == view.revision,
            cached.packedAccounts.allSatisfy({ $0.policy == view.policy })
        {
            pinned.found = Dictionary(uniqueKeysWithValues: zip(accounts, cached.packedAccounts))
        } else {
            for account in accounts {
                pinned.found[account] = try view.account(account, through: nil)
            }
        }
        return pinned
    }

    private func pinned(to accounts: [AccountID]) throws(LookupFailure) -> RightsLookup {
        guard !accounts.isEmpty else { return self }
        let all: (packedAccounts: [PackedAccount], revision: LedgerSequence)
        if let cached = engine.cachedAccounts(accounts) {
            all = cached
        } else if reach == .memory {
            throw .cold
        } else {
            do {
                all = try engine.accounts(accounts)
            } catch {
                throw .failed(Problem(.unavailable))
            }
        }
        var pinned = self
        pinned.found = Dictionary(uniqueKeysWithValues: zip(accounts, all.packedAccounts))
        pinned.foundAt = all.revision
        return pinned
    }

    /// What an answer reflects at least.
    var revision: LedgerSequence { view?.revision ?? engine.revision }

    /// Every entitlement that a policy of the ledger ever named.
    var knownEntitlements: KnownEntitlements {
        view?.knownEntitlements ?? engine.policy.knownEntitlements
    }
    /// All known credits.
    var knownCredits: Set<CreditName> { view?.knownCredits ?? engine.policy.knownCredits }

    /// The account as far as what it has came through an Apple ID, if one is named.
    func account(
        _ account: AccountID, through key: AppleIDKey?
    ) throws(LookupFailure) -> Account {
        if key == nil, let packed = found[account] { return (packed, foundAt) }
        if key == nil, view == nil {
            if let cached = engine.cachedAccount(account) { return cached }
            if reach == .ledger {
                do {
                    return try engine.account(account)
                } catch {
                    throw .failed(Problem(.unavailable))
                }
            }
        }
        return try reading { view throws(LedgerError) -> Result<Account, LookupFailure> in
            if let error = try view.loss(of: account) { return .failure(.failed(Problem(error))) }
            return .success((try view.account(account, through: key), view.revision))
        }.get()
    }

    /// Nil for an Apple ID that no fact knows.
    func appleID(
        _ key: AppleIDKey
    ) throws(LookupFailure) -> (view: AppleIDView, revision: LedgerSequence)? {
        try reading { view throws(LedgerError) in
            try view.appleID(key).map { ($0, view.revision) }
        }
    }

    func preflight(
        _ request: PreflightRequest, at instant: Instant
    ) throws(LookupFailure) -> PreflightAnswer {
        try reading { view throws(LedgerError) in try view.preflight(request, at: instant) }
    }

    /// In the view that there is, else in one of the newest revision.
    private func reading<Value>(
        _ body: (QuestionView) throws(LedgerError) -> Value
    ) throws(LookupFailure) -> Value {
        guard reach != .memory else { throw .cold }
        do {
            if let view { return try body(view) }
            return try engine.inOneView(body)
        } catch {
            throw .failed(Problem(.unavailable))
        }
    }
}

/// Why there are no rights to write.
enum LookupFailure: Error {
    /// An account is not in memory, and this lookup does not read the ledger.
    case cold
    case failed(Problem)
}
