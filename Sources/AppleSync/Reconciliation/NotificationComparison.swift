internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel

/// Compares a page of Apple's notification history with the ledger.
struct NotificationComparison {
    let engine: EntitlementEngine
    let environment: StoreEnvironment
    private(set) var drift: [DriftItem] = []
    private(set) var news: [AnsweredEvidence] = []
    private(set) var refused: Int64 = 0
    /// Whether one of them was refused because it is of the future by our clock.
    private(set) var isClockSuspect = false

    mutating func compare(_ payloads: [String]) throws(ReconciliationStop) {
        let pieces = payloads.map { engine.verify(answered: $0) }
        let (policy, at) = (engine.policy, engine.now())
        var found = self
        do throws(EngineError) {
            found = try engine.reading { reader throws(LedgerError) in
                var found = found
                for piece in pieces { try found.compare(piece, reader, policy, at) }
                return found
            }
        } catch {
            throw .engine(error)
        }
        self = found
    }

    private mutating func compare(
        _ piece: AnsweredEvidence, _ reader: any LedgerReading, _ policy: ActivePolicy,
        _ at: Instant
    ) throws(LedgerError) {
        switch piece.verdict {
        case .refused(let refusal):
            refused += 1
            isClockSuspect = isClockSuspect || refusal.code == .chainTime
            news.append(piece)
        case .quarantined:
            if try !reader.hasQuarantined(piece) { news.append(piece) }
        case .accepted(let evidence):
            guard let head = evidence.notification, evidence.environment == environment else {
                refused += 1
                return
            }
            guard try reader.sequence(ofNotification: head.uuid) == nil else { return }
            try add(piece, evidence, head.uuid, reader, policy, at)
        }
    }

    private mutating func add(
        _ piece: AnsweredEvidence, _ evidence: VerifiedEvidence, _ uuid: String,
        _ reader: any LedgerReading, _ policy: ActivePolicy, _ at: Instant
    ) throws(LedgerError) {
        news.append(piece)
        let transaction = evidence.transactions.first
        let lineage = transaction?.lineage ?? evidence.renewals.first?.lineage
        var item = DriftItem(
            .missedNotification, in: environment,
            lineage: lineage?.originalTransactionID, transaction: transaction?.transactionID,
            product: transaction?.productID, notification: uuid)
        guard let lineage else {
            drift.append(item)
            return
        }
        let reading = CustomerReading(policy: policy, reader: reader)
        let facts = try reading.facts(of: lineage)
        let customer =
            reading.customers(in: facts, at: at).first { customer in
                customer.lineages.contains { $0.key == lineage }
            }
            ?? CustomerOutline(
                key: AppleIDKey(alone: lineage), environment: environment,
                lineages: [LineageOutline(key: lineage)])
        item.appleID = customer.key
        item.accounts = policy.deriver.owners(ofPurchasesIn: [lineage], facts)
        drift.append(item)
        var comparison = CustomerComparison(of: customer, facts, at: at)
        let known = comparison.facts
        guard comparison.compare(piece, evidence) else { return }
        let rights = RightDrift(policy: policy, reader: reader, at: at)
        drift += rights.differences(
            comparison, from: known, of: try rights.ownersFacts(of: customer, known))
    }
}

/// Which part of Apple's notification history is looked at (spec 3.6).
struct NotificationSpan: Equatable {
    /// How many pages of one span are read: a million notifications.
    static let mostPages = 50_000

    var from: Instant
    var until: Instant
    /// Where a look that was interrupted goes on.
    var token: String?
    /// What was refused so far.
    var refused: JournalLine.Refused?

    /// What Apple keeps, in milliseconds: 180 days in production, 30 in the sandbox; an hour less,
    /// since its bound moves while we read.
    private static func longest(in environment: StoreEnvironment) -> Int64 {
        (environment == .production ? 180 : 30) * RiskRules.day - RiskRules.hour
    }

    /// What Apple sent last may be on its way still.
    private static let inFlight: Int64 = 15 * 60_000

    /// The shortest part of the history that is looked at by itself, in milliseconds.
    static let shortest = RiskRules.hour

    /// From where the last look ended; nil where nothing is left to look at. What was refused is
    /// looked at once more under another policy, or by a clock that was mended: it may be genuine
    /// by then.
    ///
    /// - Parameters:
    ///   - policy: that is in force.
    ///   - longest: how many milliseconds one look spans at most; nil for all that there is.
    ///   - rereads: whether what was refused is looked at again; once a run.
    init?(
        in environment: StoreEnvironment, after last: JournalLine.Notifications?,
        under policy: Digest256, at instant: Instant, longest: Int64? = nil,
        rereads: Bool = true
    ) {
        let earliest = instant.advanced(byMilliseconds: -Self.longest(in: environment))
        if let last, let from = last.from, let until = last.until, from >= earliest {
            (self.from, self.until, token) = (from, until, last.token)
            refused = last.refused
            return
        }
        var start = last?.lookedAtUntil ?? earliest
        refused = last?.refused
        if rereads, let earlier = last?.refused, earlier.under != policy {
            start = min(start, earlier.from)
            refused = nil
        }
        let begin = max(earliest, start)
        let end = instant.advanced(byMilliseconds: -Self.inFlight)
        from = begin
        until = longest.map { min(end, begin.advanced(byMilliseconds: $0)) } ?? end
        guard from < until else { return nil }
    }

    var milliseconds: Int64 { until.milliseconds(since: from) }

    /// While it is looked at.
    func line(in environment: StoreEnvironment, token: String?) -> JournalLine.Notifications {
        JournalLine.Notifications(
            environment: environment, lookedAtUntil: from, from: from, until: until,
            token: token, refused: refused)
    }

    /// Once all of it was.
    func endLine(in environment: StoreEnvironment) -> JournalLine.Notifications {
        JournalLine.Notifications(
            environment: environment, lookedAtUntil: until, refused: refused)
    }
}
