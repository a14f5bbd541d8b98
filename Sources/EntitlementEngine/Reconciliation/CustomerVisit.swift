internal import AppStoreClient
internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel

/// What a visit of a customer has come to. Nothing of it is written yet.
struct VisitOutcome: Sendable {
    let key: AppleIDKey
    var drift: [DriftItem] = []
    /// What the ledger has to learn.
    var news: [AnsweredEvidence] = []
    /// What to go on from the next time.
    var historyAskedAt: Instant?
    var revision: String?
    /// Pieces of Apple's answers that are refused as evidence, or do not belong there.
    var refused: Int64 = 0
    /// False where Apple's answers were of no use.
    var isAnswered = true
}

/// Asks Apple about one Apple ID: one call for the statuses of all its lineages, then the history
/// where something is new or may be, then the refunds (spec 3.6).
struct CustomerVisit {
    /// Bounds on what a broken or hostile server may make us read of one customer.
    static let mostPages = 1_000
    static let mostItems = 1_000
    private static let mostLineagesAsked = 50
    /// Apple does not know the revision any more.
    private static let invalidRevision = 4_000_005

    private let engine: EntitlementEngine
    private let calls: AppStoreCalls
    private let customer: CustomerOutline
    private let note: CustomerNote?
    private let risk: RiskClass
    private let at: Instant
    private let known: FactSet
    private var comparison: CustomerComparison
    private var outcome: VisitOutcome
    /// Lineages that Apple does not know.
    private var notFound: Set<LineageKey> = []
    private var statuses: [LineageKey: Int64] = [:]

    /// - Parameter assumed: what is known and not in the ledger yet, in a dry run.
    init(
        _ customer: CustomerOutline, _ facts: FactSet, assuming assumed: [VerifiedEvidence],
        note: CustomerNote?, engine: EntitlementEngine, calls: AppStoreCalls
    ) {
        self.engine = engine
        self.calls = calls
        self.customer = customer
        self.note = note
        at = engine.now()
        risk = customer.risk(at: at)
        var comparison = CustomerComparison(of: customer, facts, at: at)
        for evidence in assumed { comparison.assume(evidence) }
        known = comparison.facts
        self.comparison = comparison
        outcome = VisitOutcome(
            key: customer.key, historyAskedAt: note?.historyAskedAt, revision: note?.revision)
    }

    consuming func make() async throws(ReconciliationStop) -> VisitOutcome {
        var visit = self
        do throws(AppStoreCalls.Failure) {
            try await visit.askStatuses()
            if visit.needsHistory { try await visit.askHistory() }
            if RiskRules.asksRefunds(visit.risk) { try await visit.askRefunds() }
        } catch {
            guard case .final = error else { throw error.stop }
            visit.outcome.isAnswered = false
        }
        return try visit.finish()
    }

    /// The lineages to ask by, those first that tell most.
    private var names: [LineageKey] {
        customer.lineages.filter { !notFound.contains($0.key) }
            .sorted {
                ($0.isSubscription ? 1 : 0, $0.lastSigned) > (
                    $1.isSubscription ? 1 : 0, $1.lastSigned
                )
            }
            .map(\.key)
    }

    private var needsHistory: Bool {
        comparison.hasNewTransactions || customer.asksHistory(risk, note: note, at: at)
    }

    private mutating func askStatuses() async throws(AppStoreCalls.Failure) {
        let subscriptions = Set(customer.lineages.filter(\.isSubscription).map(\.key))
        var pending = names.filter(subscriptions.contains)
        for _ in 0..<Self.mostLineagesAsked {
            guard let lineage = pending.first else { return }
            pending.removeFirst()
            let answer = try await ask(lineage) { servers throws(AppStoreFailure) in
                try await servers.statuses(
                    of: lineage.originalTransactionID, in: lineage.environment)
            }
            guard let answer else { continue }
            guard answer.environment == customer.environment, answer.items.count <= Self.mostItems
            else { throw .badAnswer }
            for item in answer.items {
                take(item)
                pending.removeAll { $0.originalTransactionID == item.lineage }
            }
        }
    }

    private mutating func take(_ item: FetchedStatuses.Item) {
        let lineage = LineageKey(customer.environment, item.lineage)
        let texts = [item.signedTransaction] + (item.signedRenewal.map { [$0] } ?? [])
        let isGenuine = take(texts) { evidence in
            evidence.transactions.allSatisfy { $0.lineage == lineage }
                && evidence.renewals.allSatisfy { $0.lineage == lineage }
        }
        if isGenuine { statuses[lineage] = Int64(item.status) }
    }

    private mutating func askHistory() async throws(AppStoreCalls.Failure) {
        var revision = note?.revision
        var isFromStart = revision == nil
        for _ in 0..<Self.mostPages {
            let page: FetchedHistory?
            do throws(AppStoreCalls.Failure) {
                let after = revision
                page = try await askByAnyName { lineage, servers throws(AppStoreFailure) in
                    try await servers.history(
                        of: lineage.originalTransactionID, in: lineage.environment,
                        after: after)
                }
            } catch {
                guard case .final(let failure) = error, failure.code == Self.invalidRevision,
                    !isFromStart
                else { throw error }
                (revision, isFromStart) = (nil, true)
                continue
            }
            guard let page else { return }
            try take(page, after: revision)
            revision = page.revision
            if !page.hasMore {
                outcome.revision = page.revision
                outcome.historyAskedAt = at
                return
            }
        }
        throw .badAnswer
    }

    private mutating func askRefunds() async throws(AppStoreCalls.Failure) {
        var revision: String?
        for _ in 0..<Self.mostPages {
            let after = revision
            let page = try await askByAnyName { lineage, servers throws(AppStoreFailure) in
                try await servers.refunds(
                    of: lineage.originalTransactionID, in: lineage.environment, after: after)
            }
            guard let page else { return }
            try take(page, after: revision)
            guard page.hasMore else { return }
            revision = page.revision
        }
        throw .badAnswer
    }

    /// A page that leads to itself would never end.
    private mutating func take(
        _ page: FetchedHistory, after revision: String?
    ) throws(AppStoreCalls.Failure) {
        guard page.environment == customer.environment,
            page.signedTransactions.count <= Self.mostItems,
            !page.hasMore || page.revision != revision
        else { throw .badAnswer }
        let environment = customer.environment
        take(page.signedTransactions) { $0.environment == environment }
    }

    /// Verifies what Apple has signed, and compares it.
    ///
    /// - Returns: whether all of it is genuine and belongs there.
    @discardableResult
    private mutating func take(
        _ texts: [String], where belongs: (VerifiedEvidence) -> Bool
    ) -> Bool {
        var isGenuine = true
        for piece in texts.map({ engine.verify(answered: $0) }) {
            switch piece.verdict {
            case .accepted(let evidence) where belongs(evidence):
                if !comparison.compare(piece, evidence), !evidence.implausible.isEmpty {
                    comparison.keep(piece)
                }
            case .quarantined: comparison.keep(piece)
            case .accepted: isGenuine = false
            case .refused:
                isGenuine = false
                comparison.keep(piece)
            }
        }
        if !isGenuine { outcome.refused += 1 }
        return isGenuine
    }

    private consuming func finish() throws(ReconciliationStop) -> VisitOutcome {
        var (outcome, comparison) = (outcome, comparison)
        let (known, at, statuses, engine) = (known, at, statuses, engine)
        let policy = engine.policy
        do throws(EngineError) {
            comparison = try engine.ledger.reading { reader throws(LedgerError) in
                var comparison = comparison
                let rights = RightDrift(policy: policy, reader: reader, at: at)
                if comparison.hasNews {
                    for item in try rights.differences(comparison, from: known) {
                        comparison.add(item)
                    }
                }
                if outcome.refused == 0 {
                    let found = rights.contradictions(comparison, statuses: statuses)
                    for (lineage, status) in found {
                        comparison.add(.statusDiffers, lineage, status: status)
                    }
                }
                comparison.name { policy.deriver.owners(ofPurchasesIn: $0, known) }
                outcome.news = comparison.news
                for piece in comparison.kept where try !reader.hasQuarantined(piece) {
                    outcome.news.append(piece)
                }
                return comparison
            }
        } catch {
            throw .engine(error)
        }
        outcome.drift = comparison.drift
        if outcome.refused > 0 { outcome.isAnswered = false }
        return outcome
    }
}

extension CustomerVisit {
    /// - Returns: nil where Apple does not know the lineage: a difference of its own kind, by which
    ///   nobody loses anything.
    private mutating func ask<Value: Sendable>(
        _ lineage: LineageKey,
        _ call: @Sendable (any AppStoreServers) async throws(AppStoreFailure) -> Value
    ) async throws(AppStoreCalls.Failure) -> Value? {
        do throws(AppStoreCalls.Failure) {
            return try await calls.ask(call)
        } catch {
            guard case .final(let failure) = error, failure.kind == .notFound else { throw error }
            if notFound.insert(lineage).inserted { comparison.add(.lineageNotFound, lineage) }
            return nil
        }
    }

    /// By the first lineage that Apple knows: the answer is about all of them.
    private mutating func askByAnyName<Value: Sendable>(
        _ call:
            @Sendable (LineageKey, any AppStoreServers) async throws(AppStoreFailure)
            -> Value
    ) async throws(AppStoreCalls.Failure) -> Value? {
        for lineage in names.prefix(Self.mostLineagesAsked) {
            let answer = try await ask(lineage) { servers throws(AppStoreFailure) in
                try await call(lineage, servers)
            }
            if let answer { return answer }
        }
        return nil
    }
}

extension AppStoreCalls.Failure {
    /// An answer that is none.
    static let badAnswer = AppStoreCalls.Failure.final(AppStoreFailure(.badAnswer))

    var stop: ReconciliationStop {
        switch self {
        case .stop(let stop): stop
        case .final(let failure): .noAnswers(failure)
        }
    }
}

extension CustomerComparison {
    /// Whether anything follows from what was found.
    var hasNews: Bool { !drift.isEmpty && !news.isEmpty }
}

extension LedgerReading {
    /// Whether a piece that is to be kept aside is there already: signed again, it has other bytes.
    func hasQuarantined(_ piece: AnsweredEvidence) throws(LedgerError) -> Bool {
        let parts =
            switch piece.verdict {
            case .quarantined(let evidence): [evidence.part]
            case .accepted(let evidence): evidence.implausible
            case .refused: [] as [QuarantinedPart]
            }
        for part in parts {
            guard let key = part.transaction else {
                let digest = EntryHash.digest(of: piece.submission.payload)
                guard try sequence(ofEvidence: digest) != nil else { return false }
                continue
            }
            let known = try facts(forTransactions: [key]).quarantines
            guard known.contains(where: { $0.value.code == part.code.rawValue }) else {
                return false
            }
        }
        return !parts.isEmpty
    }
}
