internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel

/// Where the writing of an answer gets the rights from.
protocol RightsLookup {
    func account(
        _ account: AccountID
    ) throws(LookupFailure) -> (view: AccountView, revision: LedgerSequence)

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
struct CachedLookup<Source: QuestionSource>: RightsLookup {
    let source: Source

    func account(
        _ account: AccountID
    ) throws(LookupFailure) -> (view: AccountView, revision: LedgerSequence) {
        guard let found = source.cachedAccount(account) else { throw .cold }
        return found
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
struct LoadingLookup<Source: QuestionSource>: RightsLookup {
    let source: Source

    func account(
        _ account: AccountID
    ) throws(LookupFailure) -> (view: AccountView, revision: LedgerSequence) {
        do {
            return try source.account(account)
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
