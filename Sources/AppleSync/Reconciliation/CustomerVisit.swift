internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel

/// What a visit of a customer has come to. Nothing of it is written yet.
struct VisitOutcome: Sendable {
    let key: AppleIDKey
    var drift: [DriftItem] = []
    /// What the ledger has to learn.
    var news: [AnsweredEvidence] = []
    /// Newer signatures of what it knows.
    var repeated: [AnsweredEvidence] = []
    /// What to go on from the next time.
    var historyAskedAt: Instant?
    var revision: String?
    /// Pieces of Apple's answers that are refused as evidence, or do not belong there.
    var refused: Int64 = 0
    /// False where Apple's answers were of no use.
    var isAnswered = true
}

/// A part of a visit, and the rest of it where there is more.
struct CustomerResult: Sendable {
    let outcome: VisitOutcome
    var rest: CustomerVisit?
}

/// Asks Apple about one Apple ID: one call for the statuses of all its lineages, then the history
/// where something is new or may be, then the refunds (spec 3.6).
struct CustomerVisit {
    /// Bounds on what a broken or hostile server may make us read of one customer.
    static let mostPages = 1_000
    static let mostItems = 1_000
    /// Of a page of a history; Apple's have twenty.
    private static let mostOnPage = 100
    /// Pieces that are kept in memory before they are written.
    private static let mostPieces = 500
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
    private var stage = Stage.statuses
    /// Pages of the stage that were read, and where it goes on.
    private var pages = 0
    private var revision: String?
    private var isFromStart = true
    /// What was known of the owners before the first part was written; nil while none was.
    private var ownersBefore: [(account: AccountID, facts: FactSet)]?

    private enum Stage {
        case statuses, history, refunds
    }

    init(
        _ customer: CustomerOutline, _ facts: FactSet, note: CustomerNote?,
        engine: EntitlementEngine, calls: AppStoreCalls
    ) {
        self.engine = engine
        self.calls = calls
        self.customer = customer
        self.note = note
        at = engine.now()
        risk = customer.risk(at: at)
        let comparison = CustomerComparison(of: customer, facts, at: at)
        known = comparison.facts
        self.comparison = comparison
        outcome = VisitOutcome(
            key: customer.key, historyAskedAt: note?.historyAskedAt, revision: note?.revision)
    }

    /// Asks on until all is said, or as much as is to be written first.
    consuming func make() async throws(ReconciliationStop) -> CustomerResult {
        var visit = self
        var hasMore = false
        do throws(AppStoreCalls.Failure) {
            hasMore = try await !visit.ask()
        } catch {
            guard case .final = error else { throw error.stop }
            visit.outcome.isAnswered = false
        }
        if hasMore {
            let outcome = try visit.takePart()
            return CustomerResult(outcome: outcome, rest: visit)
        }
        return CustomerResult(outcome: try visit.finish())
    }

    /// - Returns: false where there is more.
    private mutating func ask() async throws(AppStoreCalls.Failure) -> Bool {
        if stage == .statuses {
            try await askStatuses()
            if needsHistory { begin(.history, after: note?.revision) } else { begin(.refunds) }
        }
        if stage == .history {
            guard try await askHistory() else { return false }
            begin(.refunds)
        }
        return RiskRules.asksRefunds(risk) ? try await askRefunds() : true
    }

    private mutating func begin(_ stage: Stage, after revision: String? = nil) {
        self.stage = stage
        self.revision = revision
        isFromStart = revision == nil
        pages = 0
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
        let isGenuine = take(texts, isCurrent: true) { evidence in
            evidence.transactions.allSatisfy { $0.lineage == lineage }
                && evidence.renewals.allSatisfy { $0.lineage == lineage }
        }
        if isGenuine { statuses[lineage] = Int64(item.status) }
    }

    private mutating func askHistory() async throws(AppStoreCalls.Failure) -> Bool {
        while true {
            try countPage()
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
            guard let page else { return true }
            try take(page, after: revision)
            revision = page.revision
            if !page.hasMore {
                outcome.revision = page.revision
                outcome.historyAskedAt = at
                return true
            }
            if comparison.pieceCount >= Self.mostPieces { return false }
        }
    }

    private mutating func askRefunds() async throws(AppStoreCalls.Failure) -> Bool {
        while true {
            try countPage()
            let after = revision
            let page = try await askByAnyName { lineage, servers throws(AppStoreFailure) in
                try await servers.refunds(
                    of: lineage.originalTransactionID, in: lineage.environment, after: after)
            }
            guard let page else { return true }
            try take(page, after: revision)
            guard page.hasMore else { return true }
            revision = page.revision
            if comparison.pieceCount >= Self.mostPieces { return false }
        }
    }

    /// A history that never ends is no answer.
    private mutating func countPage() throws(AppStoreCalls.Failure) {
        guard pages < Self.mostPages else { throw .badAnswer }
        pages += 1
    }

    /// A page that leads to itself would never end.
    private mutating func take(
        _ page: FetchedHistory, after revision: String?
    ) throws(AppStoreCalls.Failure) {
        guard page.environment == customer.environment,
            page.signedTransactions.count <= Self.mostOnPage,
            !page.hasMore || page.revision != revision
        else { throw .badAnswer }
        let environment = customer.environment
        take(page.signedTransactions, isCurrent: stage == .refunds) {
            $0.environment == environment
        }
    }

    /// Verifies what Apple has signed, and compares it.
    ///
    /// - Returns: whether all of it is genuine and belongs there.
    @discardableResult
    private mutating func take(
        _ texts: [String], isCurrent: Bool, where belongs: (VerifiedEvidence) -> Bool
    ) -> Bool {
        var isGenuine = true
        for piece in texts.map({ engine.verify(answered: $0) }) {
            switch piece.verdict {
            case .accepted(let evidence) where belongs(evidence):
                let isNews = comparison.compare(piece, evidence, isCurrent: isCurrent)
                if !isNews, !evidence.implausible.isEmpty { comparison.keep(piece) }
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

    /// What was found so far, to be written before the visit goes on.
    private mutating func takePart() throws(ReconciliationStop) -> VisitOutcome {
        let (engine, known, at) = (engine, known, at)
        var (part, comparison, owners) = (outcome, comparison, ownersBefore)
        try Self.reading(engine) { reader throws(LedgerError) in
            let rights = RightDrift(policy: engine.policy, reader: reader, at: at)
            if owners == nil { owners = try rights.ownersFacts(of: comparison.customer, known) }
            comparison.keepRenewals(where: rights.changesSomething)
            try part.take(comparison, rights.reader)
        }
        comparison.name { engine.policy.deriver.owners(ofPurchasesIn: $0, known) }
        part.drift = comparison.drift
        comparison.flush()
        (self.comparison, ownersBefore) = (comparison, owners)
        return part
    }

    private consuming func finish() throws(ReconciliationStop) -> VisitOutcome {
        var (outcome, comparison) = (outcome, comparison)
        let (known, at, statuses, engine) = (known, at, statuses, engine)
        let (policy, before) = (engine.policy, ownersBefore)
        try Self.reading(engine) { reader throws(LedgerError) in
            let rights = RightDrift(policy: policy, reader: reader, at: at)
            comparison.keepRenewals(where: rights.changesSomething)
            if comparison.hasNews {
                var owners = before
                if owners == nil { owners = try rights.ownersFacts(of: comparison.customer, known) }
                for item in rights.differences(comparison, from: known, of: owners ?? []) {
                    comparison.add(item)
                }
            }
            if outcome.refused == 0 {
                let found = rights.contradictions(comparison, statuses: statuses)
                for (lineage, status) in found {
                    comparison.add(.statusDiffers, lineage, status: status)
                }
            }
            try outcome.take(comparison, reader)
        }
        comparison.name { policy.deriver.owners(ofPurchasesIn: $0, known) }
        outcome.drift = comparison.drift
        if outcome.refused > 0 { outcome.isAnswered = false }
        // Of answers that cannot be relied on, only what they say is kept.
        if !outcome.isAnswered { outcome.repeated = [] }
        return outcome
    }

    private static func reading(
        _ engine: EntitlementEngine,
        _ body: (any LedgerReading) throws(LedgerError) -> Void
    ) throws(ReconciliationStop) {
        do throws(EngineError) {
            try engine.reading(body)
        } catch {
            throw .engine(error)
        }
    }
}

extension VisitOutcome {
    /// What is to be written of a comparison.
    fileprivate mutating func take(
        _ comparison: CustomerComparison, _ reader: any LedgerReading
    ) throws(LedgerError) {
        news = comparison.news
        for piece in comparison.kept where try !reader.hasQuarantined(piece) {
            news.append(piece)
        }
        repeated = comparison.repeated
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
