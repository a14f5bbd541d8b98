package import EntitlementModel
internal import LedgerModel

/// What became of a report about the store.
package enum StoreReportOutcome: Sendable {
    /// Durable, or known before.
    case done(StoreReportStanding)
    /// The account has reported as often as one may.
    case tooMany
}

/// What stands after a report of an account.
package struct StoreReportStanding: Sendable {
    package var account: AccountID
    package var environment: StoreEnvironment
    /// What the newest report calls invalid.
    package var invalidProducts: [ProductID]
    /// Those of the report that were not known.
    package var newPayments: [FailedPayment]
    /// The entry that was written; nil where everything was known.
    package var entry: LedgerSequence?
    package var revision: LedgerSequence
}

extension EntitlementEngine {
    /// How many reports of one account are recorded in any 24 hours.
    package static let storeReportsPerDay = 100

    /// Records what a client found at the store (spec 1.8). What an earlier report of the account
    /// said already is not recorded again.
    package func record(
        _ report: StoreReport
    ) async throws(EngineError) -> StoreReportOutcome {
        try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
            (try ledger.record(report), [])
        }
    }
}

extension EngineTransaction {
    private static let day: Int64 = 86_400_000

    fileprivate func record(_ report: StoreReport) throws(LedgerError) -> StoreReportOutcome {
        var report = report
        report.account = try standing(for: report.account)
        let (account, environment) = (report.account, report.environment)
        let own = try policy.folding(transaction.facts(forAccount: account)).storeReports
            .filter { $0.value.account == account }
        let known = own.map(\.value).filter { $0.environment == environment }
        let listed = known.last { $0.invalidProducts != nil }?.invalidProducts ?? []
        var standing = StoreReportStanding(
            account: account, environment: environment,
            invalidProducts: report.invalidProducts ?? listed,
            newPayments: report.payments.unknown(to: known), entry: nil,
            revision: try transaction.head().sequence)
        let isListNew = report.invalidProducts.map { $0 != listed } ?? false
        guard isListNew || !standing.newPayments.isEmpty else { return .done(standing) }
        let dayBefore = now.advanced(byMilliseconds: -Self.day)
        guard own.count(where: { $0.recordedAt > dayBefore }) < EntitlementEngine.storeReportsPerDay
        else { return .tooMany }
        if !isListNew { report.invalidProducts = nil }
        report.payments = standing.newPayments
        let recorded = try append(report, as: .storeReport(report))
        standing.entry = recorded.sequence
        standing.revision = recorded.sequence
        return .done(standing)
    }
}

extension [FailedPayment] {
    /// Those that no report told of, each once; without an instant of its own each is another one.
    fileprivate func unknown(to known: [StoreReport]) -> [FailedPayment] {
        var told = Set(known.flatMap(\.payments).filter { $0.occurredAt != nil })
        return filter { $0.occurredAt == nil || told.insert($0).inserted }
    }
}
