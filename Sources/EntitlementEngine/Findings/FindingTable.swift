internal import EntitlementAnswers
internal import EntitlementModel

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

    /// Those that stand at the instant, after a place in the order.
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

    /// How many of each kind stand at the instant.
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
    /// Where the elements begin for which this holds; it holds for all after the first.
    fileprivate func partitioningIndex(where isInSecond: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isInSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
