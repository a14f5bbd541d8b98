internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

/// Finds what Apple's notifications without a purchase are about (spec 1.1).
struct NoticeReading {
    let reader: any LedgerReading
    let policy: ActivePolicy

    /// Milliseconds that a notice is told: 30 days.
    private static let memory: Int64 = 30 * 86_400_000
    private static let portion = 128

    /// The notices that are told at the instant and concern the account.
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

    /// Nil for what is no notice.
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

    /// Whoever presented the app transaction, or has or claimed a purchase of that Apple ID or that
    /// line.
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
