internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

/// All findings of a ledger, in their order and by what they follow from. Nothing is derived to
/// list or count them.
struct FindingTable {
    /// What findings follow from, and are replaced with.
    enum Subject: Hashable {
        /// One of the lineages of what may be one Apple ID.
        case lineages(LineageKey)
        case holdings(AccountID)
        case quarantine(LedgerSequence)
        case order(OrderID)
        case ticket(LedgerSequence)
        case notice(LedgerSequence)
        case refund(LedgerSequence)
    }

    private var lists: [Finding.Kind: OrderedFindings] = [:]
    private var bySubject: [Subject: [Finding]] = [:]

    /// Puts these in the place of what followed from the subject before.
    mutating func replace(_ subject: Subject, with findings: [Finding]) {
        for finding in bySubject[subject] ?? [] { lists[finding.kind]?.remove(finding) }
        bySubject[subject] = findings.isEmpty ? nil : findings
        for finding in findings { lists[finding.kind, default: OrderedFindings()].insert(finding) }
    }

    /// The findings open at the instant, after a position in the list.
    func page(
        of kind: Finding.Kind?, after place: FindingPosition?, at instant: Instant, limit: Int
    ) -> (findings: [Finding], next: FindingPosition?) {
        var found: [Finding] = []
        var last: FindingPosition?
        let kinds = kind.map { [$0] } ?? Finding.Kind.inOrder
        for kind in kinds {
            if let place, kind.rawValue < place.kind.rawValue { continue }
            let isFull = lists[kind]?.visit(after: place?.kind == kind ? place : nil) { entry in
                guard entry.finding.interval.contains(instant) else { return true }
                guard found.count < limit else { return false }
                found.append(entry.finding)
                last = entry.place
                return true
            }
            if isFull == false { return (found, last) }
        }
        return (found, nil)
    }

    /// The number of each kind open at the instant.
    func counts(at instant: Instant) -> [Finding.Kind: Int] {
        lists.mapValues { list in
            var count = 0
            _ = list.visit(after: nil) { entry in
                if entry.finding.interval.contains(instant) { count += 1 }
                return true
            }
            return count
        }
    }
}

extension Finding.Kind {
    fileprivate static let inOrder = allCases.sorted { $0.rawValue < $1.rawValue }
}

/// Findings of one kind in their order, in runs of a bounded length: an insertion moves one run.
struct OrderedFindings {
    struct Entry {
        let place: FindingPosition
        let finding: Finding
    }

    private static let runLength = 512
    /// None of them is empty.
    private var runs: [[Entry]] = []

    mutating func insert(_ finding: Finding) {
        let entry = Entry(place: FindingPosition(finding), finding: finding)
        guard !runs.isEmpty else {
            runs = [[entry]]
            return
        }
        let run = min(firstRun(from: entry.place), runs.count - 1)
        let index = runs[run].partitioningIndex { $0.place >= entry.place }
        runs[run].insert(entry, at: index)
        guard runs[run].count > Self.runLength else { return }
        let half = runs[run].count / 2
        runs.insert(Array(runs[run][half...]), at: run + 1)
        runs[run].removeLast(runs[run].count - half)
    }

    mutating func remove(_ finding: Finding) {
        let place = FindingPosition(finding)
        var run = firstRun(from: place)
        while run < runs.count {
            guard runs[run][0].place <= place else { return }
            let index = runs[run].firstIndex { $0.place == place && $0.finding == finding }
            if let index {
                runs[run].remove(at: index)
                if runs[run].isEmpty { runs.remove(at: run) }
                return
            }
            run += 1
        }
    }

    /// In order, after a place.
    /// - Returns: false if `body` wanted no more.
    func visit(after place: FindingPosition?, _ body: (Entry) -> Bool) -> Bool {
        var run = place.map { firstRun(from: $0) } ?? 0
        var index = 0
        if let place, run < runs.count {
            index = runs[run].partitioningIndex { $0.place > place }
        }
        while run < runs.count {
            while index < runs[run].count {
                guard body(runs[run][index]) else { return false }
                index += 1
            }
            run += 1
            index = 0
        }
        return true
    }

    /// The first run whose last place is not before this one.
    private func firstRun(from place: FindingPosition) -> Int {
        runs.partitioningIndex { ($0.last?.place ?? place) >= place }
    }
}

extension Array {
    /// The first element for which this holds; it holds for all after it.
    func partitioningIndex(where isInSecond: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isInSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// Finds what Apple's notifications without a purchase are about (spec 1.1).
struct NoticeReading {
    let reader: any LedgerReading
    let policy: ActivePolicy

    /// Milliseconds that a notice is listed: 30 days.
    private static let memory: Int64 = 30 * 86_400_000
    private static let portion = 128

    /// The notices listed at the instant that concern the account.
    func findings(about account: AccountID, at instant: Instant) throws(LedgerError) -> [Finding] {
        let begin = instant.advanced(byMilliseconds: -Self.memory - 1)
        var place = try reader.lastEntry(recordedBy: begin)
        var findings: [Finding] = []
        while true {
            let notices = try reader.notices(after: place, limit: Self.portion)
            for notice in notices {
                guard let finding = try finding(at: notice), finding.accounts.contains(account)
                else { continue }
                findings.append(finding)
            }
            guard let last = notices.last, notices.count == Self.portion else { return findings }
            place = last
        }
    }

    /// Nil if it is not a notice.
    func finding(at place: LedgerSequence) throws(LedgerError) -> Finding? {
        guard let entry = try reader.entry(place), case .notification(let fact) = entry.value,
            let names = fact.notice
        else { return nil }
        let (accounts, lineages) = try concerned(by: names, in: fact.environment)
        let end = entry.recordedAt.advanced(byMilliseconds: Self.memory)
        var finding = Finding(
            kind: .appleNotice, environment: fact.environment,
            interval: Interval(uncheckedFrom: entry.recordedAt, to: end), accounts: accounts,
            units: lineages.map { .lineage($0) }, product: names.productID, facts: [place])
        finding.notification = [fact.type, fact.subtype].compactMap(\.self).joined(separator: " ")
        return finding
    }

    /// The accounts that presented the app transaction, or have or claimed a purchase of that Apple
    /// ID or that line.
    private func concerned(
        by names: NotificationNames, in environment: StoreEnvironment
    ) throws(LedgerError) -> (accounts: [AccountID], lineages: [LineageKey]) {
        var lineages: Set<LineageKey> = []
        var accounts: Set<AccountID> = []
        if let id = names.appTransactionID {
            lineages.formUnion(try reader.lineages(withAppTransaction: id, in: environment))
            let key = AppTransactionKey(environment: environment, id: id)
            for place in try reader.presentations(of: key) {
                guard case .appTransaction(let fact)? = try reader.entry(place)?.value else {
                    continue
                }
                accounts.formUnion(fact.account.map { [policy.name($0)] } ?? [])
            }
        }
        if let id = names.transactionID {
            let line = LineageKey(environment, id)
            let known = try reader.lineage(of: TransactionKey(environment, id))
            lineages.insert(known ?? line)
        }
        for lineage in lineages {
            let facts = policy.folding(try reader.facts(forLineage: lineage))
            accounts.formUnion(policy.deriver.owners(ofPurchasesIn: [lineage], facts))
            accounts.formUnion(facts.claimants(of: [lineage]))
        }
        var standing: Set<AccountID> = []
        for account in accounts {
            standing.insert(try reader.account(standingFor: account, policy))
        }
        return (standing.sorted(), lineages.sorted())
    }
}

extension FactSet {
    /// Who claimed a transaction of these lines, whatever was decided.
    func claimants(of lineages: Set<LineageKey>) -> Set<AccountID> {
        let keys = Set(
            transactions.lazy.map(\.value).filter { lineages.contains($0.lineage) }.map(\.key))
        return Set(claims.lazy.map(\.value).filter { keys.contains($0.transaction) }.map(\.account))
    }
}
