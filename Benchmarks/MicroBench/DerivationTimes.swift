internal import EntitlementDerivation
internal import EntitlementModel
internal import Glibc

/// What deriving one account costs, in processor time of the one thread that does it: a figure
/// that other programs on the machine disturb little.
struct DerivationTimes {
    private static let title = """
        | derive an account | µs (lowest, highest) |
        |---|---|
        """

    let policies: PolicyHistory

    static func table(policies: PolicyHistory, passes: Int) -> String {
        let times = DerivationTimes(policies: policies)
        let rows = [(8, false), (40, false), (8, true), (40, true)].map {
            times.row(transactions: $0.0, hasInfos: $0.1, passes: passes)
        }
        return ([title] + rows).joined(separator: "\n")
    }

    /// One subscription with that many periods, one claim and one decision; with `hasInfos` a
    /// renewal info for each period too.
    func row(transactions: Int, hasInfos: Bool, passes: Int) -> String {
        let facts = facts(transactions: transactions, hasInfos: hasInfos)
        let deriver = Deriver(policies: policies)
        let account = Population.account(1)
        let times = (0...passes).map { _ in
            microseconds(of: 2_000) { _ = deriver.deriveAccount(account, facts) }
        }.dropFirst().sorted()
        let what = "\(transactions) transactions" + (hasInfos ? " and their renewal infos" : "")
        return "| \(what) | **\(text(times[times.count / 2]))** "
            + "(\(text(times[0])), \(text(times.last ?? 0))) |"
    }

    private func facts(transactions: Int, hasInfos: Bool) -> FactSet {
        var entries = Population(accounts: 1).entries(ofAccount: 1, renewals: transactions)
        if hasInfos {
            entries += entries.compactMap { entry in
                guard case .transaction(let fact) = entry else { return nil }
                return .renewal(
                    RenewalFact(snapshot: info(of: fact.snapshot), evidence: fact.evidence))
            }
        }
        var facts = FactSet()
        for (index, entry) in entries.enumerated() {
            facts.insert(
                Recorded(
                    sequence: LedgerSequence(Int64(index + 1)),
                    recordedAt: Instant(milliseconds: 1_780_000_000_000), value: entry))
        }
        return facts
    }

    private func info(of transaction: TransactionSnapshot) -> RenewalSnapshot {
        var info = RenewalSnapshot(
            environment: transaction.environment,
            originalTransactionID: transaction.originalTransactionID,
            signedDate: transaction.signedDate, source: transaction.source)
        info.productID = transaction.productID
        info.autoRenewProductID = transaction.productID
        info.autoRenewStatus = true
        info.renewalDate = transaction.expiresDate
        info.appTransactionID = transaction.appTransactionID
        return info
    }

    private func microseconds(of repetitions: Int, _ body: () -> Void) -> Double {
        let start = threadTime()
        for _ in 0..<repetitions { body() }
        return (threadTime() - start) / Double(repetitions)
    }

    /// Microseconds of processor time.
    private func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }

    private func text(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
