internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import LedgerStore
internal import PolicyLoading

/// Accounts with one monthly subscription each, renewed seven times: what a ledger of an app
/// looks like to a query.
struct Population {
    static let renewals = 8
    private static let start = Instant(milliseconds: 1_767_225_600_000)
    private static let month: Int64 = 30 * 86_400_000

    let accounts: Int

    static func account(_ number: Int) -> AccountID { AccountID(unchecked: "u-\(number)") }

    /// One account in ten has the other membership, so that a policy can be changed for some.
    private static func product(ofAccount number: Int) -> ProductID {
        let level = number.isMultiple(of: 10) ? "silver" : "gold"
        return ProductID(unchecked: "com.example.reader.\(level).monthly")
    }

    /// Everything that is recorded for one account: eight transactions, claim and decision. The
    /// last period ends in the far future.
    func entries(ofAccount number: Int, renewals: Int = renewals) -> [LedgerEntry] {
        let transactions = (0..<renewals).map { renewal in
            LedgerEntry.transaction(
                TransactionFact(
                    snapshot: Self.snapshot(
                        account: number, renewal: renewal, of: renewals),
                    evidence: LedgerSequence(1)))
        }
        return transactions + Self.ownership(ofAccount: number)
    }

    func write(to path: String) async throws {
        let ledger = try SQLiteLedger.open(path: path, makeSalts: EngineOptions.randomSalts)
        for first in stride(from: 1, through: accounts, by: 100) {
            let last = min(first + 99, accounts)
            _ = try await ledger.write { transaction in
                for number in first...last {
                    for entry in entries(ofAccount: number) {
                        _ = try transaction.append(entry, at: Self.start)
                    }
                }
            }
        }
        try ledger.close()
    }

    static func snapshot(
        account: Int, renewal: Int, of renewals: Int = renewals
    ) -> TransactionSnapshot {
        let purchased = start.advanced(byMilliseconds: Int64(renewal) * month)
        let id = 2_000_000_000_000_000 + account * 100 + renewal
        var snapshot = TransactionSnapshot(
            environment: .production, bundleID: BundleID(unchecked: "com.example.reader"),
            transactionID: TransactionID(unchecked: "\(id)"),
            originalTransactionID: original(account),
            productID: product(ofAccount: account),
            purchaseDate: purchased, signedDate: purchased,
            source: EvidenceSource(form: .jws, trust: .signed, canonicalDigest: digest(id)))
        snapshot.expiresDate = purchased.advanced(
            byMilliseconds: renewal == renewals - 1 ? 30 * month : month)
        snapshot.kind = .known(.autoRenewable)
        snapshot.ownership = .purchased
        snapshot.webOrderLineItemID = WebOrderLineItemID(unchecked: "\(id)")
        snapshot.subscriptionGroupID = SubscriptionGroupID(unchecked: "20000001")
        snapshot.appTransactionID = AppTransactionID(unchecked: "7\(account)")
        snapshot.price = Price(milliunits: 9_990, currency: "USD")
        snapshot.storefront = "USA"
        snapshot.transactionReason = .known(renewal == 0 ? .purchase : .renewal)
        return snapshot
    }

    private static func ownership(ofAccount number: Int) -> [LedgerEntry] {
        let transaction = TransactionKey(.production, original(number))
        return [
            .claim(
                Claim(account: account(number), transaction: transaction, moment: .purchase)),
            .decision(
                OwnershipDecision(
                    cause: LedgerSequence(1),
                    unit: .lineage(LineageKey(.production, original(number))),
                    transactionID: original(number), outcome: .accepted,
                    rule: .builtIn("keep"), policy: digest(0), ownersBefore: [],
                    ownersAfter: [account(number)], from: .distantPast)),
        ]
    }

    private static func original(_ account: Int) -> TransactionID {
        TransactionID(unchecked: "\(2_000_000_000_000_000 + account * 100)")
    }

    /// Spread like a digest, made like a number.
    static func digest(_ number: Int) -> Digest256 {
        var bytes: [UInt8] = []
        var state = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
        while bytes.count < 32 {
            state = (state ^ (state >> 29)) &* 0xBF58_476D_1CE4_E5B9
            withUnsafeBytes(of: state.bigEndian) { bytes.append(contentsOf: $0) }
        }
        guard let digest = Digest256(bytes) else { preconditionFailure("these are 32 bytes") }
        return digest
    }
}

extension Population {
    /// The policy of the population's app.
    static func policies() throws -> PolicyHistory {
        let text = """
            usher: 1
            app: {bundle_id: com.example.reader, apple_id: 77}
            trust: {roots: {jws: [apple-root-ca-g3]}}
            environments: {production: trusted}
            entitlements: {premium: {title: Premium}}
            groups: {members: {title: Members, levels: [gold]}}
            products:
              com.example.reader.gold.monthly: {kind: auto-renewable, group: members, level: gold,
                period: 1mo, grants: [premium]}
            """
        guard let policy = loadPolicy([PolicyText(path: "policy.yaml", text: text)]).policy else {
            throw BenchFailure.refused("the policy")
        }
        return PolicyHistory(
            .init(policy: policy, activatedAt: Instant(milliseconds: 1_780_000_000_000)))
    }
}
