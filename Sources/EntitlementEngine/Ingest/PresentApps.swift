internal import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel

/// Presents app transactions again that were recorded before a policy said what the app itself
/// gives.
struct AppPurchaseJob: Job {
    let engine: EntitlementEngine
    var kind: JobKind { .appPurchases }
    /// The policy under which all were looked at.
    private var done: Digest256?

    init(engine: EntitlementEngine) {
        self.engine = engine
    }

    mutating func run() async -> JobPause {
        let policy = engine.policy.history.current
        guard engine.leads, !policy.appRules.isEmpty, done != policy.digest else {
            return JobPause()
        }
        do throws(EngineError) {
            try await engine.presentAppsAgain()
            done = policy.digest
            return JobPause()
        } catch {
            return JobPause(longest: .seconds(60), rest: JobPause.retry)
        }
    }
}

extension EntitlementEngine {
    /// How many are recorded in one commit.
    private static let appsAtOnce = 100

    /// Makes the purchases of the app that no entry has, from the evidence of the app transactions
    /// that were recorded, for the accounts that presented them, in the order in which they did
    /// (spec 1.13). Nothing that is recorded changes.
    package func presentAppsAgain() async throws(EngineError) {
        let places = try ledger.reading { reader throws(LedgerError) in
            try reader.presentations()
        }
        for start in stride(from: 0, to: places.count, by: Self.appsAtOnce) {
            let portion = places[start..<min(start + Self.appsAtOnce, places.count)]
            let verifier = policy.verifier
            let found = try ledger.reading { reader throws(LedgerError) in
                var found: [(submission: EvidenceSubmission, verdict: SubmissionVerdict)] = []
                for place in portion {
                    guard let app = try reader.unreadApp(at: place),
                        case .accepted(let verified)? = verifier.verifyAgain(
                            app.evidence.value, recordedAt: app.evidence.recordedAt)
                    else { continue }
                    found.append(
                        (
                            EvidenceSubmission(
                                payload: app.evidence.value.bytes, account: app.account,
                                moment: nil),
                            .judged(.accepted(verified))
                        ))
                }
                return found
            }
            guard !found.isEmpty else { continue }
            _ = try await record([
                VerifiedSubmissions(
                    submissions: found.map(\.submission), verdicts: found.map(\.verdict),
                    calledAt: clock.now(), refusalNanoseconds: 0)
            ])
        }
    }
}

extension LedgerReading {
    /// Who presented the app in an entry, with the evidence; nil where its purchase is known.
    fileprivate func unreadApp(
        at place: LedgerSequence
    ) throws(LedgerError) -> (account: AccountID, evidence: Recorded<EvidenceRecord>)? {
        guard case .appTransaction(let fact)? = try entry(place)?.value,
            let account = fact.account, let id = fact.snapshot.appTransactionID,
            let app = TransactionID(app: id),
            try lineage(of: TransactionKey(fact.snapshot.environment, app)) == nil,
            let evidence = try entry(fact.evidence), case .evidence(let record) = evidence.value
        else { return nil }
        return (account, evidence.with(record))
    }
}
