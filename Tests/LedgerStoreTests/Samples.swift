internal import EntitlementModel
internal import LedgerModel
internal import LedgerStore
internal import Testing

/// Values to fill a ledger with.
enum Sample {
    static let start = Instant(milliseconds: 1_767_225_600_000)

    static func day(_ number: Int64) -> Instant {
        start.advanced(byMilliseconds: number * 86_400_000)
    }

    static func digest(_ byte: UInt8) throws -> Digest256 {
        try #require(Digest256(repeatElement(byte, count: 32)))
    }

    static func source(_ byte: UInt8 = 1, receipt: UInt8? = nil) throws -> EvidenceSource {
        EvidenceSource(
            form: receipt == nil ? .jws : .receipt, trust: .signed,
            canonicalDigest: try digest(byte), receipt: try receipt.map(digest))
    }

    /// A transaction of the lineage, told apart by its digest.
    static func transaction(
        _ id: String, of original: String, apple: String? = nil, receipt: UInt8? = nil,
        in environment: StoreEnvironment = .production, digest: UInt8 = 1,
        token: String? = nil
    ) throws -> TransactionSnapshot {
        var snapshot = TransactionSnapshot(
            environment: environment, bundleID: BundleID(unchecked: "com.example.reader"),
            transactionID: TransactionID(unchecked: id),
            originalTransactionID: TransactionID(unchecked: original),
            productID: ProductID(unchecked: "gold.monthly"), purchaseDate: start,
            signedDate: start, source: try source(digest, receipt: receipt))
        snapshot.appTransactionID = apple.map { AppTransactionID(unchecked: $0) }
        snapshot.appAccountToken = token.flatMap { AppAccountToken($0) }
        return snapshot
    }

    static func fact(_ snapshot: TransactionSnapshot) -> LedgerEntry {
        .transaction(TransactionFact(snapshot: snapshot, evidence: LedgerSequence(1)))
    }

    static func renewal(
        of original: String, apple: String? = nil, digest: UInt8 = 1
    ) throws -> RenewalSnapshot {
        var snapshot = RenewalSnapshot(
            environment: .production,
            originalTransactionID: TransactionID(unchecked: original), signedDate: start,
            source: try source(digest))
        snapshot.appTransactionID = apple.map { AppTransactionID(unchecked: $0) }
        return snapshot
    }

    static func claim(
        _ account: String, _ transaction: String, moment: ClaimMoment = .purchase
    ) -> LedgerEntry {
        .claim(
            Claim(
                account: AccountID(unchecked: account), transaction: key(transaction),
                moment: moment))
    }

    /// Samples keep their hashes, whatever the program's own version of the rules is.
    static let rules: Int64 = 2

    static func decision(
        _ unit: OwnedUnit, before: [String] = [], after: [String]
    ) throws -> LedgerEntry {
        .decision(
            OwnershipDecision(
                cause: LedgerSequence(1), unit: unit,
                transactionID: TransactionID(unchecked: "1"), outcome: .accepted,
                rule: .builtIn("keep"), policy: try digest(9), rules: rules,
                ownersBefore: before.map { AccountID(unchecked: $0) },
                ownersAfter: after.map { AccountID(unchecked: $0) }, from: .distantPast))
    }

    static func denial(
        _ unit: OwnedUnit, of claim: Int64, owner: String, outcome: ClaimDenial = .kept,
        by rule: RuleReference = .builtIn("keep")
    ) throws -> LedgerEntry {
        guard case .decision(var denial) = try decision(unit, before: [owner], after: [owner])
        else { preconditionFailure("a decision is an entry") }
        denial.cause = LedgerSequence(claim)
        denial.outcome = .denied(outcome)
        denial.rule = rule
        return .decision(denial)
    }

    static func block(_ account: String, id: String) -> LedgerEntry {
        .block(
            Block(
                id: BlockID(unchecked: id), account: AccountID(unchecked: account),
                actor: "uid:0", reason: "test"))
    }

    static func registration(_ account: String, _ token: String) throws -> LedgerEntry {
        .accountToken(
            AccountTokenRegistration(
                token: try #require(AppAccountToken(token)),
                account: AccountID(unchecked: account), actor: "uid:0", reason: "sign-up"))
    }

    static func notification(_ uuid: String) -> LedgerEntry {
        .notification(
            NotificationFact(
                environment: .production, uuid: uuid, type: "DID_RENEW", subtype: nil,
                signedDate: start, evidence: LedgerSequence(1)))
    }

    static func evidence(_ bytes: [UInt8], digest: Digest256) -> LedgerEntry {
        .evidence(
            EvidenceRecord(kind: .transaction, digest: digest, bytes: bytes, judgedAt: start))
    }

    static func key(_ transaction: String) -> TransactionKey {
        TransactionKey(.production, TransactionID(unchecked: transaction))
    }

    static func lineage(_ original: String) -> LineageKey {
        LineageKey(.production, TransactionID(unchecked: original))
    }
}
