package import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// Keeps the list of all findings of a ledger up to date, a portion at a time: first by one scan of
/// everything, then by what new entries concern.
///
/// The list is in memory only. It follows from the ledger and the policy, and is made again in the
/// background at every start and with every policy.
final class LedgerFindings: Sendable {
    private struct Progress {
        var table = FindingTable()
        var scan: Scan? = .beginning
        /// Entries up to this one are reflected, as far as `scan` has come.
        var place: LedgerSequence?
        /// The policy of the list; results of another one are discarded.
        var policy: Digest256?
        /// Counts updates: what another thread began before the last one is discarded.
        var turn = 0
    }

    /// The next part of the scan.
    private enum Scan {
        case quarantines(after: LedgerSequence)
        case lineages(after: Int64)
        case accounts(after: AccountID?)
        case orders(after: LedgerSequence)
        case tickets(after: LedgerSequence)
        case notices(after: LedgerSequence)
        case refunds
        /// What a new policy may change, in place of everything.
        case someLineages(ArraySlice<LineageKey>, then: ArraySlice<AccountID>)
        case someAccounts(ArraySlice<AccountID>)

        static let beginning = Scan.quarantines(after: .zero)

        /// What does not follow from a policy stays.
        init(_ difference: PolicyDifference) {
            switch difference.lineages {
            case .all: self = .lineages(after: 0)
            case .these(let lineages):
                self = .someLineages(lineages[...], then: difference.accounts[...])
            }
        }
    }

    /// How many entries, or things to derive, share one view of the ledger.
    private static let portion = 128

    /// By which payments of those who were erased are known.
    private let privacyKey: PrivacyKey?
    /// Never held while the ledger is read: readers of the list would wait for a thread of low
    /// priority.
    private let progress = Mutex(Progress())

    init(privacyKey: PrivacyKey?) {
        self.privacyKey = privacyKey
    }

    /// Derives the next portion. Findings that have ended by the instant are discarded, and all if
    /// another thread was faster: the list never gets older.
    ///
    /// - Parameter isGivenUp: whether the portion is not needed any more.
    /// - Returns: false once nothing is left to derive.
    func advance(
        _ ledger: any ReadableLedger, by policy: ActivePolicy, at instant: Instant,
        unless isGivenUp: @escaping () -> Bool = { false }
    ) throws(EngineError) -> Bool {
        let begun = begin(by: policy)
        return try ledger.reading { reader throws(LedgerError) in
            let head = try reader.head().sequence
            // Entries recorded during the scan are found by it, or after it.
            let place = begun.place ?? head
            let work = Work(
                reader: reader, policy: policy, privacyKey: privacyKey, instant: instant,
                isGivenUp: isGivenUp)
            if let scan = begun.scan {
                let (found, next) = try work.look(at: scan)
                if isGivenUp() { return false }
                _ = keep(found, place, at: instant, after: begun, next: next)
                return true
            }
            guard place < head else { return false }
            let entries = try reader.entries(after: place, limit: Self.portion)
            let last = entries.count < Self.portion ? head : entries.last?.sequence ?? head
            if entries.contains(where: \.value.isErasure) {
                // Whom it was about is in no entry any more.
                return keep([], last, at: instant, after: begun, next: .beginning, forgets: true)
            }
            let found = try work.lookAgain(becauseOf: entries)
            if isGivenUp() { return false }
            // Another thread may not have seen these entries.
            guard keep(found, last, at: instant, after: begun) else { return true }
            return last < head
        }
    }

    /// A page of the list, as it is.
    func page(
        of kind: Finding.Kind?, after place: FindingPosition?, at instant: Instant, limit: Int,
        by policy: ActivePolicy
    ) -> FindingPage {
        progress.withLock { progress in
            let (findings, next) = progress.table.page(
                of: kind, after: place, at: instant, limit: limit)
            return FindingPage(
                at: instant, policy: progress.policy ?? policy.digest,
                revision: progress.place ?? .zero,
                isComplete: progress.scan == nil && progress.policy == policy.digest,
                findings: findings, next: next)
        }
    }

    /// The number of open findings of each kind, as far as the ledger was scanned.
    func counts(at instant: Instant) -> (counts: [Finding.Kind: Int], isComplete: Bool) {
        progress.withLock { ($0.table.counts(at: instant), $0.scan == nil) }
    }

    private typealias Beginning = (scan: Scan?, place: LedgerSequence?, turn: Int)

    /// Another policy starts the scan again.
    private func begin(by policy: ActivePolicy) -> Beginning {
        progress.withLock { progress in
            if progress.policy != policy.digest {
                if progress.scan == nil, let difference = policy.difference,
                    difference.base.digest == progress.policy, let place = progress.place
                {
                    progress.scan = Scan(difference)
                    // Entries behind the walk are looked at again, by this policy.
                    progress.place = min(place, difference.revision)
                } else {
                    progress.scan = .beginning
                }
                progress.policy = policy.digest
                progress.turn += 1
            }
            return (progress.scan, progress.place, progress.turn)
        }
    }

    /// - Returns: false where another thread has kept something since.
    private func keep(
        _ found: [(FindingTable.Subject, [Finding])], _ place: LedgerSequence, at instant: Instant,
        after begun: Beginning, next scan: Scan? = nil, forgets: Bool = false
    ) -> Bool {
        progress.withLock { progress in
            guard progress.turn == begun.turn else { return false }
            progress.turn += 1
            if forgets { progress.table = FindingTable() }
            for (subject, findings) in found {
                let lasting = findings.filter { $0.interval.end.map { $0 > instant } ?? true }
                progress.table.replace(subject, with: lasting)
            }
            progress.place = place
            progress.scan = scan
            return true
        }
    }

    /// Looking at things within one view of the ledger.
    private struct Work {
        let reader: any LedgerReading
        let policy: ActivePolicy
        let privacyKey: PrivacyKey?
        let instant: Instant
        /// Then the result is discarded.
        let isGivenUp: () -> Bool

        typealias Found = [(FindingTable.Subject, [Finding])]

        func look(at scan: Scan) throws(LedgerError) -> (Found, next: Scan?) {
            switch scan {
            case .quarantines(let last):
                let places = try reader.quarantines(after: last, limit: portion)
                guard let next = places.last else { return ([], .lineages(after: 0)) }
                return (try quarantined(places), .quarantines(after: next))
            case .lineages(let last):
                let clusters = try reader.clusters(after: last, limit: portion)
                guard let next = clusters.last?.number else { return ([], .accounts(after: nil)) }
                var found: Found = []
                for cluster in clusters { found += try lineages(about: cluster.lineage) }
                return (found, .lineages(after: next))
            case .accounts(let last):
                let accounts = try reader.accounts(
                    after: last, limit: portion, folded: policy.history.current.foldsAccounts)
                guard let next = accounts.last else { return ([], .orders(after: .zero)) }
                return (try holdings(of: accounts), .accounts(after: next))
            case .orders(let last):
                let orders = try reader.differingOrders(after: last, limit: portion)
                guard let next = orders.last?.made else { return ([], .tickets(after: .zero)) }
                return (try mismatches(of: orders.map(\.order)), .orders(after: next))
            case .tickets(let last):
                let tickets = try reader.tickets(onlyWaiting: false, after: last, limit: portion)
                guard let next = tickets.last else { return ([], .notices(after: .zero)) }
                return (try waiting(under: tickets), .tickets(after: next))
            case .notices(let last):
                let places = try reader.notices(after: last, limit: portion)
                guard let next = places.last else { return ([], .refunds) }
                return (try notices(at: places), .notices(after: next))
            case .refunds: return (try openRefunds { _ in true }, nil)
            case .someLineages(let all, let accounts):
                var found: Found = []
                for lineage in all.prefix(portion) { found += try lineages(about: lineage) }
                let rest = all.dropFirst(portion)
                return (
                    found,
                    rest.isEmpty ? .someAccounts(accounts) : .someLineages(rest, then: accounts)
                )
            case .someAccounts(let all):
                let rest = all.dropFirst(portion)
                return (
                    try holdings(of: Array(all.prefix(portion))),
                    rest.isEmpty ? .notices(after: .zero) : .someAccounts(rest)
                )
            }
        }

        /// Derives again what the entries concern.
        func lookAgain(
            becauseOf entries: [Recorded<LedgerEntry>]
        ) throws(LedgerError) -> Found {
            var reading = ChangeReading(reader)
            var changed = ChangedAnswers()
            for entry in entries { changed.formUnion(try reading.changes(by: entry, policy)) }
            var found = try quarantined(changed.quarantines.sorted())
            found += try mismatches(of: changed.orders.sorted())
            found += try waiting(under: changed.tickets.sorted())
            found += try refunds(because: changed)
            found += try notices(at: changed.notices.sorted())
            var seen: Set<LineageKey> = []
            for lineage in changed.lineages.sorted() where !seen.contains(lineage) && !isGivenUp() {
                let kin = try reader.lineages(relatedTo: lineage)
                seen.formUnion(kin)
                found += try self.lineages(about: lineage)
            }
            return try found + holdings(of: Set(changed.accounts.map(policy.name)).sorted())
        }

        private func quarantined(_ places: [LedgerSequence]) throws(LedgerError) -> Found {
            var found: Found = []
            for place in places {
                guard let entry = try reader.entry(place), case .quarantine(let value) = entry.value
                else { continue }
                let finding = policy.deriver.finding(aboutQuarantine: entry.with(value))
                found.append((.quarantine(place), [finding]))
            }
            return found
        }

        /// Kept with the first of the lineages; the others may have had some when they were alone.
        private func lineages(about lineage: LineageKey) throws(LedgerError) -> Found {
            let kin = try reader.lineages(relatedTo: lineage)
            var findings = policy.deriver.findings(
                aboutLineagesOf: try reader.facts(about: .lineage(lineage)))
            for place in findings.indices where findings[place].kind == .unclaimedPayment {
                for unit in findings[place].units
                where try reader.wasErased(ownerOf: unit, knownBy: privacyKey) {
                    findings[place].kind = .payerErased
                }
            }
            return kin.enumerated().map { (.lineages($1), $0 == 0 ? findings : []) }
        }

        /// From the payment on, until it is refunded.
        private func mismatches(of orders: [OrderID]) throws(LedgerError) -> Found {
            var found: Found = []
            for id in orders {
                guard let history = try reader.order(id) else { continue }
                found.append((.order(id), history.findings))
            }
            return found
        }

        private func waiting(under tickets: [LedgerSequence]) throws(LedgerError) -> Found {
            var found: Found = []
            for number in tickets {
                guard let history = try reader.ticket(number) else { continue }
                found.append((.ticket(number), history.finding.map { [$0] } ?? []))
            }
            return found
        }

        private func notices(at places: [LedgerSequence]) throws(LedgerError) -> Found {
            let reading = NoticeReading(reader: reader, policy: policy)
            var found: Found = []
            for place in places {
                found.append((.notice(place), try reading.finding(at: place).map { [$0] } ?? []))
            }
            return found
        }

        /// Refund requests that entries begin, answer or end; searched among those that are due.
        private func refunds(because changed: ChangedAnswers) throws(LedgerError) -> Found {
            guard !changed.refunds.isEmpty || !changed.refunded.isEmpty else { return [] }
            let reading = RefundReading(reader: reader, policy: policy)
            var purchases = changed.refunded
            for place in changed.refunds {
                if let purchase = try reading.event(at: place)?.transaction {
                    purchases.insert(purchase)
                }
            }
            return try openRefunds { event in
                changed.refunds.contains(event.place)
                    || event.transaction.map(purchases.contains) ?? false
            }
        }

        /// A request whose answer is wanted, from four hours before Apple's deadline.
        private func openRefunds(
            _ isConcerned: (RefundEvent) -> Bool
        ) throws(LedgerError) -> Found {
            let reading = RefundReading(reader: reader, policy: policy)
            let events = try reading.allEvents(after: reading.beginningOfWindow(at: instant))
            var found: Found = []
            for event in events where event.isRequest && isConcerned(event) {
                let later = events.filter { $0.follows(event) }
                let standing = try reading.standing(of: event, later: later, at: instant)
                found.append((.refund(event.place), standing.finding.map { [$0] } ?? []))
            }
            return found
        }

        private func holdings(of accounts: [AccountID]) throws(LedgerError) -> Found {
            var found: Found = []
            for account in accounts where !isGivenUp() {
                let findings = policy.deriver.findings(
                    aboutHoldingsOf: account, try reader.facts(forAccount: account))
                found.append((.holdings(account), findings))
            }
            return found
        }
    }
}

extension OrderHistory {
    /// Milliseconds that a payment of two accounts is listed: 30 days.
    private static let memory: Int64 = 30 * 86_400_000

    /// The findings of an order.
    var findings: [Finding] { [mismatch, presentation].compactMap(\.self) }

    /// A difference of the payment, or of an ignored one with its token, from the order; nil if
    /// they agree, or nothing is left of the payment.
    private var mismatch: Finding? {
        guard recordedState != .refunded,
            let event = events.last(where: {
                !$0.value.differences.isEmpty
                    && ($0.value.transaction == payment || payment == nil && $0.value.kind == .seen)
            })
        else { return nil }
        return finding(.orderMismatch, event, to: nil, [account])
    }

    /// Another account has presented its payment, or what may be it.
    private var presentation: Finding? {
        guard let event = presentedByOther, let presenter = event.value.presenter else {
            return nil
        }
        return finding(
            .orderPresentedByOther, event,
            to: event.recordedAt.advanced(byMilliseconds: Self.memory),
            Set([account, presenter]).sorted())
    }

    private func finding(
        _ kind: Finding.Kind, _ event: Recorded<OrderEvent>, to end: Instant?,
        _ accounts: [AccountID]
    ) -> Finding {
        Finding(
            kind: kind, environment: order.value.environment,
            interval: Interval(uncheckedFrom: event.recordedAt, to: end), accounts: accounts,
            units: event.value.transaction.map { [.purchase($0)] } ?? [],
            product: order.value.product, facts: [order.sequence, event.sequence])
    }
}

extension TicketHistory {
    /// Milliseconds before a waiting ticket is listed: an hour.
    private static let waitingLimit: Int64 = 3_600_000
    /// Milliseconds that a negative answer is listed: 30 days.
    private static let memory: Int64 = 30 * 86_400_000

    /// While it waits, from an hour on; once Apple has not confirmed it, for a while. Nil where all
    /// is well.
    var finding: Finding? {
        let interval: Interval
        let kind: Finding.Kind
        switch closing?.value.outcome {
        case nil:
            let due = ticket.recordedAt.advanced(byMilliseconds: Self.waitingLimit)
            (kind, interval) = (.evidenceWaiting, Interval(uncheckedFrom: due, to: nil))
        case .judged: return nil
        case .refused, .givenUp:
            let since = closing?.recordedAt ?? ticket.recordedAt
            interval = Interval(
                uncheckedFrom: since, to: since.advanced(byMilliseconds: Self.memory))
            kind = .evidenceUnconfirmed
        }
        let environment = ticket.value.environment ?? .production
        return Finding(
            kind: kind, environment: environment, interval: interval,
            accounts: ticket.value.account.map { [$0] } ?? [],
            units: ticket.value.transaction.map {
                [.purchase(TransactionKey(environment, $0))]
            } ?? [],
            facts: [ticket.sequence, closing?.sequence].compactMap(\.self))
    }
}

extension RefundStanding {
    /// Milliseconds before Apple's deadline from which a request is listed: four hours.
    private static let notice: Int64 = 4 * 3_600_000

    fileprivate var finding: Finding? {
        guard isWanted, let transaction = event.transaction else { return nil }
        let start = event.due.advanced(byMilliseconds: -Self.notice)
        return Finding(
            kind: .refundAnswerDue, environment: event.environment,
            interval: Interval(uncheckedFrom: start, to: event.due),
            accounts: evaluation?.account.map { [$0] } ?? [], units: [.purchase(transaction)],
            product: evaluation?.product, facts: [event.place])
    }
}

/// Keeps the list of findings up to date. Readers of the list never wait for it. It rests much
/// longer than it works, so that entries are handled together.
struct FindingJob: Job {
    weak let engine: EntitlementEngine?
    var kind: JobKind { .findings }
    /// How many times as long as it has worked it rests, and for how long at most.
    private static let (rest, mostRest) = (9, Duration.seconds(5))

    init(engine: EntitlementEngine) {
        self.engine = engine
    }

    func run() async -> JobPause {
        guard let engine else { return JobPause() }
        let looked = ContinuousClock().measure {
            while !engine.jobs.hasStopped, engine.advanceFindings() {}
        }
        return JobPause(rest: min(looked * Self.rest, Self.mostRest))
    }
}

extension EntitlementEngine {
    /// Begins to keep the list of all findings in the background. Without it, readers derive the
    /// list.
    package func keepFindings() { jobs.start(FindingJob(engine: self)) }

    /// If the ledger cannot be read, the list stays as it is until the next entry.
    fileprivate func advanceFindings() -> Bool {
        let hasMore = try? findings.advance(ledger, by: policy, at: now()) { [jobs] in
            jobs.hasStopped
        }
        return hasMore ?? false
    }

    /// The findings of the whole ledger that are open at the instant, by kind and age. Blocks.
    ///
    /// New entries are handled first, as far as that is quick.
    package func findings(
        of kind: Finding.Kind?, after place: FindingPosition?, at instant: Instant, limit: Int
    ) throws(EngineError) -> FindingPage {
        for _ in 0..<3 {
            guard try findings.advance(ledger, by: policy, at: now()) else { break }
        }
        return findings.page(of: kind, after: place, at: instant, limit: limit, by: policy)
    }

    /// The number of open findings of each kind, without a derivation.
    package func findingCounts(
        at instant: Instant
    ) -> (counts: [Finding.Kind: Int], isComplete: Bool) {
        findings.counts(at: instant)
    }
}

extension LedgerQuestions {
    /// The findings of a whole ledger, derived for this page. Blocks.
    package func findings(
        of kind: Finding.Kind?, after place: FindingPosition?, at instant: Instant, limit: Int
    ) throws(EngineError) -> FindingPage {
        let findings = LedgerFindings(privacyKey: privacyKey)
        while try findings.advance(ledger, by: policy, at: instant) {}
        return findings.page(of: kind, after: place, at: instant, limit: limit, by: policy)
    }
}
