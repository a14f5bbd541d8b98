internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel

/// Where the writing of an answer gets the rights from.
protocol RightsLookup {
    /// What an answer reflects at least.
    var revision: LedgerSequence { get }

    /// Every entitlement that a policy of the ledger ever named.
    var knownEntitlements: KnownEntitlements { get }

    func account(
        _ account: AccountID
    ) throws(LookupFailure) -> (packed: PackedAccount, revision: LedgerSequence)

    /// The account as far as what it has came through one Apple ID.
    func account(
        _ account: AccountID, through key: AppleIDKey
    ) throws(LookupFailure) -> (packed: PackedAccount, revision: LedgerSequence)

    func appleID(
        _ key: AppleIDKey
    ) throws(LookupFailure) -> (view: AppleIDView, revision: LedgerSequence)?

    func preflight(
        _ request: PreflightRequest, at instant: Instant
    ) throws(LookupFailure) -> PreflightAnswer
}

/// Why there are no rights to write.
enum LookupFailure: Error {
    /// They are not in memory, and this lookup reads nothing.
    case cold
    case failed(Problem)
}

/// Memory only: for the event loop.
struct CachedLookup: RightsLookup {
    let source: EntitlementEngine

    var revision: LedgerSequence { source.revision }
    var knownEntitlements: KnownEntitlements { source.policy.knownEntitlements }

    func account(
        _ account: AccountID
    ) throws(LookupFailure) -> (packed: PackedAccount, revision: LedgerSequence) {
        guard let found = source.cachedAccount(account) else { throw .cold }
        return found
    }

    func account(
        _ account: AccountID, through key: AppleIDKey
    ) throws(LookupFailure) -> (packed: PackedAccount, revision: LedgerSequence) {
        throw .cold
    }

    func appleID(
        _ key: AppleIDKey
    ) throws(LookupFailure) -> (view: AppleIDView, revision: LedgerSequence)? {
        throw .cold
    }

    func preflight(
        _ request: PreflightRequest, at instant: Instant
    ) throws(LookupFailure) -> PreflightAnswer {
        throw .cold
    }
}

/// Memory, else the ledger. Blocks.
struct LoadingLookup: RightsLookup {
    let source: EntitlementEngine

    var revision: LedgerSequence { source.revision }
    var knownEntitlements: KnownEntitlements { source.policy.knownEntitlements }

    func account(
        _ account: AccountID
    ) throws(LookupFailure) -> (packed: PackedAccount, revision: LedgerSequence) {
        do {
            return try source.account(account)
        } catch {
            throw .failed(Problem(.unavailable))
        }
    }

    func account(
        _ account: AccountID, through key: AppleIDKey
    ) throws(LookupFailure) -> (packed: PackedAccount, revision: LedgerSequence) {
        do {
            return try source.account(account, through: key)
        } catch {
            throw .failed(Problem(.unavailable))
        }
    }

    func appleID(
        _ key: AppleIDKey
    ) throws(LookupFailure) -> (view: AppleIDView, revision: LedgerSequence)? {
        do {
            return try source.appleID(key)
        } catch {
            throw .failed(Problem(.unavailable))
        }
    }

    func preflight(
        _ request: PreflightRequest, at instant: Instant
    ) throws(LookupFailure) -> PreflightAnswer {
        do {
            return try source.preflight(request, at: instant)
        } catch {
            throw .failed(Problem(.unavailable))
        }
    }
}
