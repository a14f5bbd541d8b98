internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import Testing

@testable internal import EvidenceVerification

/// Entries whose chain holds, after an honest purchase by alice.
struct AuditForgery: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let found: [String]
    let at: Int64
    let entries: @Sendable (any LedgerReading) throws -> [LedgerEntry]

    static let all: [AuditForgery] = [
        AuditForgery("a newer snapshot", "fact-unfounded", at: 6) { ledger in
            guard case .transaction(var fact)? = try ledger.entry(LedgerSequence(3))?.value
            else { return [] }
            fact.snapshot.signedDate = later
            return [.transaction(fact)]
        },
        AuditForgery("a fact without evidence", "fact-unfounded", at: 6) { ledger in
            guard case .transaction(var fact)? = try ledger.entry(LedgerSequence(3))?.value
            else { return [] }
            fact.snapshot.transactionID = "9"
            fact.evidence = LedgerSequence(1)
            return [.transaction(fact)]
        },
        AuditForgery("a notification that was none", "fact-unfounded", at: 6) { _ in
            [
                .notification(
                    NotificationFact(
                        environment: .production, uuid: "u", type: "REFUND", subtype: nil,
                        signedDate: later, evidence: LedgerSequence(2)))
            ]
        },
        AuditForgery("a renewal that nobody signed", "fact-unfounded", at: 6) { ledger in
            guard case .transaction(let fact)? = try ledger.entry(LedgerSequence(3))?.value
            else { return [] }
            let renewal = RenewalSnapshot(
                environment: .production, originalTransactionID: "2",
                signedDate: later, source: fact.snapshot.source)
            return [.renewal(RenewalFact(snapshot: renewal, evidence: fact.evidence))]
        },
        AuditForgery("a device that was another one", "fact-unfounded", at: 6) { ledger in
            guard case .transaction(let fact)? = try ledger.entry(LedgerSequence(3))?.value
            else { return [] }
            let snapshot = AppTransactionSnapshot(
                environment: .production, bundleID: fact.snapshot.bundleID,
                appTransactionID: nil, signedDate: later,
                source: fact.snapshot.source)
            return [
                .appTransaction(
                    AppTransactionFact(
                        snapshot: snapshot, account: "bob", evidence: fact.evidence))
            ]
        },
        AuditForgery("a quarantine of what is plausible", "fact-unfounded", at: 6) { _ in
            [.quarantine(Quarantine(evidence: LedgerSequence(2), code: "implausible.date"))]
        },
        AuditForgery(
            "a claim on evidence that comes later", "fact-unfounded", "decision-differs",
            at: 6
        ) { _ in
            guard case .claim(var claim) = Self.claim(of: "mallory") else { return [] }
            claim.evidence = LedgerSequence(7)
            return [.claim(claim)]
        },
        AuditForgery(
            "a claim on a purchase of which its evidence does not speak", "fact-unfounded",
            "decision-differs", at: 6
        ) { _ in
            guard case .claim(var claim) = Self.claim(of: "mallory") else { return [] }
            claim.transaction = TransactionKey(.production, "9")
            return [.claim(claim)]
        },
        AuditForgery("evidence that nobody signed", "evidence-refused", at: 6) { ledger in
            guard case .evidence(var record)? = try ledger.entry(LedgerSequence(2))?.value
            else { return [] }
            record.bytes[record.bytes.count - 9] ^= 1
            record.digest = sha256(record.bytes)
            return [.evidence(record)]
        },
        AuditForgery("evidence of another time", "evidence-differs", at: 6) { ledger in
            guard case .evidence(var record)? = try ledger.entry(LedgerSequence(2))?.value
            else { return [] }
            record.judgedAt = .distantPast
            return [.evidence(record)]
        },
        AuditForgery("evidence of another kind", "evidence-differs", at: 6) { ledger in
            guard case .evidence(var record)? = try ledger.entry(LedgerSequence(2))?.value
            else { return [] }
            record.kind = .renewalInfo
            return [.evidence(record)]
        },
        AuditForgery("a policy under another name", "policy-differs", at: 6) { ledger in
            guard
                case .policyActivation(var activation)? =
                    try ledger.entry(LedgerSequence(1))?.value
            else { return [] }
            activation.digest = sha256([])
            return [.policyActivation(activation)]
        },
        AuditForgery("a policy that is none", "policy-unreadable", at: 6) { _ in
            [.policyActivation(PolicyActivation(digest: sha256([]), files: []))]
        },
        AuditForgery("an owner that nobody decided on", "decision-differs", at: 6) { ledger in
            [.decision(try Self.moved(to: "mallory", in: ledger))]
        },
        AuditForgery("a succession that nothing tells of", "decision-differs", at: 6) { ledger in
            var decision = try Self.moved(to: "mallory", in: ledger)
            decision.rule = .succession
            return [.decision(decision)]
        },
        AuditForgery("a claim that was decided wrongly", "decision-differs", at: 7) { ledger in
            var decision = try Self.moved(to: "mallory", in: ledger)
            decision.cause = LedgerSequence(6)
            return [Self.claim(of: "mallory"), .decision(decision)]
        },
        AuditForgery("a claim without a decision", "decision-differs", at: 6) { _ in
            [Self.claim(of: "mallory")]
        },
        AuditForgery("a ruling that could not be", "decision-differs", at: 6) { ledger in
            [
                .ruling(
                    Ruling(
                        verb: .undo, unit: try Self.moved(to: "bob", in: ledger).unit,
                        actor: "uid:0", reason: "none"))
            ]
        },
    ]

    /// When they are recorded.
    static let later = Instant(milliseconds: 1_772_400_000_000)

    init(
        _ name: String, _ found: String..., at place: Int64,
        entries: @escaping @Sendable (any LedgerReading) throws -> [LedgerEntry]
    ) {
        testDescription = name
        self.found = found
        at = place
        self.entries = entries
    }

    private static func claim(of account: AccountID) -> LedgerEntry {
        .claim(
            Claim(
                account: account, transaction: TransactionKey(.production, "2"),
                moment: .restore, evidence: LedgerSequence(2)))
    }

    private static func moved(
        to account: AccountID, in ledger: any LedgerReading
    ) throws -> OwnershipDecision {
        guard case .decision(var decision)? = try ledger.entry(LedgerSequence(5))?.value
        else { throw Unexpected() }
        decision.ownersBefore = decision.ownersAfter
        decision.ownersAfter = [account]
        return decision
    }

    private struct Unexpected: Error {}
}

extension Shop {
    /// Writes entries into the closed ledger as its writer would, chain and index included.
    func forge(_ entries: (any LedgerReading) throws -> [LedgerEntry]) async throws {
        let forged = try ledger.openForReading().read(entries)
        try await ledger.append(forged, at: AuditForgery.later)
    }
}
