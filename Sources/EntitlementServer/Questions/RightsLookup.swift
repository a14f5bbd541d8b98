internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel

/// Where the answers to questions get the rights from.
struct RightsLookup: Sendable {
    /// How far it goes for what is not in memory.
    enum Reach: Sendable {
        /// Memory only: for the event loop.
        case memory
        /// Memory, else the ledger; what was read is kept. Blocks.
        case ledger
        /// The same, and nothing is kept: a search walks over accounts that nobody else asks
        /// about. Blocks.
        case ledgerInPassing
    }

    /// An account's rights, and as of which revision.
    typealias Account = (packed: PackedAccount, revision: LedgerSequence)

    private let engine: EntitlementEngine
    private let reach: Reach

    init(_ engine: EntitlementEngine, _ reach: Reach) {
        self.engine = engine
        self.reach = reach
    }

    /// What an answer reflects at least.
    var revision: LedgerSequence { engine.revision }

    /// Every entitlement that a policy of the ledger ever named.
    var knownEntitlements: KnownEntitlements { engine.policy.knownEntitlements }

    /// The account as far as what it has came through an Apple ID, if one is named.
    func account(
        _ account: AccountID, through key: AppleIDKey?
    ) throws(LookupFailure) -> Account {
        if let key {
            return try reading { () throws(EngineError) in
                try engine.questions.account(account, through: key)
            }
        }
        switch reach {
        case .memory:
            guard let found = engine.cachedAccount(account) else { throw .cold }
            return found
        case .ledger:
            return try reading { () throws(EngineError) in try engine.account(account) }
        case .ledgerInPassing:
            if let cached = engine.cachedAccount(account) { return cached }
            return try reading { () throws(EngineError) in
                try engine.questions.account(account)
            }
        }
    }

    /// Nil for an Apple ID that no fact knows.
    func appleID(
        _ key: AppleIDKey
    ) throws(LookupFailure) -> (view: AppleIDView, revision: LedgerSequence)? {
        try reading { () throws(EngineError) in try engine.appleID(key) }
    }

    func preflight(
        _ request: PreflightRequest, at instant: Instant
    ) throws(LookupFailure) -> PreflightAnswer {
        try reading { () throws(EngineError) in
            try engine.questions.preflight(request, at: instant)
        }
    }

    private func reading<Value>(
        _ body: () throws(EngineError) -> Value
    ) throws(LookupFailure) -> Value {
        guard reach != .memory else { throw .cold }
        do {
            return try body()
        } catch {
            throw .failed(Problem(.unavailable))
        }
    }
}

/// Why there are no rights to write.
enum LookupFailure: Error {
    /// They are not in memory, and this lookup reads nothing.
    case cold
    case failed(Problem)
}
