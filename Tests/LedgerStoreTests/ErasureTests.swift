internal import EntitlementModel
internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

/// Somebody who is erased, and somebody who is not.
enum ErasureSample {
    static let person = "marker-of-the-person"
    static let other = "somebody-else"
    static let token = "6f9619ff-8b86-4011-b42d-00cf4fc964ff"

    static func wish(_ reference: String = "request-1") throws -> Erasure {
        Erasure(
            reference: ErasureReference(unchecked: reference), actor: "uid:0",
            digest: try Sample.digest(0))
    }

    static func evidence(_ text: String) -> LedgerEntry {
        let bytes = Array(text.utf8)
        return Sample.evidence(bytes, digest: EntryHash.digest(of: bytes))
    }

    static func fact(
        _ transaction: String, of original: String, apple: String? = nil, token: String? = nil,
        in evidence: Int64
    ) throws -> LedgerEntry {
        .transaction(
            TransactionFact(
                snapshot: try Sample.transaction(
                    transaction, of: original, apple: apple, token: token),
                evidence: LedgerSequence(evidence)))
    }

    static func claim(_ account: String, _ transaction: String, in evidence: Int64)
        -> LedgerEntry
    {
        var claim = Claim(
            account: AccountID(unchecked: account), transaction: Sample.key(transaction),
            moment: .purchase)
        claim.evidence = LedgerSequence(evidence)
        return .claim(claim)
    }

    static func decision(
        _ original: String, cause: Int64, before: [String] = [], after: [String]
    ) throws -> LedgerEntry {
        guard
            case .decision(var decision) = try Sample.decision(
                .lineage(Sample.lineage(original)), before: before, after: after)
        else { preconditionFailure("a decision is an entry") }
        decision.cause = LedgerSequence(cause)
        return .decision(decision)
    }

    /// 1–4: the person's purchase. 5–7: the person's own. 8–11: somebody else's purchase.
    static func fill(_ ledger: any Ledger) async throws {
        try await ledger.append(
            evidence("signed for " + person), try fact("1", of: "1", token: token, in: 1),
            claim(person, "1", in: 1), try decision("1", cause: 3, after: [person]),
            .block(
                Block(
                    id: BlockID(unchecked: "b-1"), account: AccountID(unchecked: person),
                    actor: "uid:0", reason: "said by " + person)),
            try Sample.registration(person, token),
            Sample.notification("11111111-1111-4111-8111-111111111111"),
            evidence("signed for " + other), try fact("2", of: "2", in: 8),
            claim(other, "2", in: 8), try decision("2", cause: 10, after: [other]))
    }

    static func erase(
        _ account: String, in ledger: any Ledger
    ) async throws -> Recorded<Erasure> {
        let wish = try wish()
        return try await ledger.write {
            try $0.erase([AccountID(unchecked: account)], as: wish, at: Sample.start)
        }
    }

    static func files(holding text: String, in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
            let data = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
            return data.range(of: Data(text.utf8)) != nil
        }
    }
}

/// Erasures in the ledger's file (docs/LEDGER.md, Erasure).
@Suite("Erasure", .timeLimit(.minutes(20)))
struct ErasureTests {
    @Test("what concerns one account alone is gone from every file, and all else is as it was")
    func erasesOne() async throws {
        let folder = try TemporaryFolder()
        let ledger = try folder.openLedger()
        try await ErasureSample.fill(ledger)
        let before = try ledger.read {
            try $0.facts(forAccount: AccountID(unchecked: ErasureSample.other))
        }
        let erasure = try await ErasureSample.erase(ErasureSample.person, in: ledger)
        #expect(Array(erasure.value.entries.numbers) == Array(1...7))
        #expect(erasure.value.restated.isEmpty && erasure.sequence == LedgerSequence(12))
        try ledger.read { reader in
            let person = AccountID(unchecked: ErasureSample.person)
            #expect(try !reader.knows(person))
            #expect(try reader.facts(forAccount: person).claims.isEmpty)
            let after = try reader.facts(forAccount: AccountID(unchecked: ErasureSample.other))
            #expect(after.transactions == before.transactions && after.erased.isEmpty)
            #expect(after.decisions == before.decisions)
        }
        #expect(try ledger.reader.verify() == [])
        try ledger.backUp(to: folder.path + "/copy")
        #expect(try ErasureSample.files(holding: ErasureSample.person, in: folder) == [])
        #expect(try ErasureSample.files(holding: ErasureSample.token, in: folder) == [])
        #expect(
            try ErasureSample.files(holding: ErasureSample.other, in: folder).contains(
                "ledger.sqlite"))
        try ledger.close()
        #expect(try ErasureSample.files(holding: ErasureSample.person, in: folder) == [])
    }

    @Test("what concerns another account too is read without the name, and exactly once")
    func restates() async throws {
        let folder = try TemporaryFolder()
        let ledger = try folder.openLedger()
        try await ledger.append(
            ErasureSample.evidence("signed for " + ErasureSample.person),
            try ErasureSample.fact("1", of: "1", apple: "7", token: ErasureSample.token, in: 1),
            ErasureSample.claim(ErasureSample.person, "1", in: 1),
            try ErasureSample.decision("1", cause: 3, after: [ErasureSample.person]),
            try Sample.registration(ErasureSample.person, ErasureSample.token),
            .ruling(
                Ruling(
                    verb: .transfer, unit: .lineage(Sample.lineage("1")), claim: nil, decision: nil,
                    account: AccountID(unchecked: ErasureSample.other), actor: "uid:0",
                    reason: "asked by " + ErasureSample.person)),
            try ErasureSample.decision(
                "1", cause: 6, before: [ErasureSample.person], after: [ErasureSample.other]),
            Sample.block(ErasureSample.person, id: "b-1"))
        let erasure = try await ErasureSample.erase(ErasureSample.person, in: ledger)
        #expect(Array(erasure.value.restated.numbers) == Array(2...7))
        #expect(Array(erasure.value.entries.numbers) == Array(2...8))
        #expect(Array(erasure.value.evidence.numbers) == [1])
        #expect(try ledger.reader.verify() == [])
        let facts = try ledger.read {
            try $0.facts(forAccount: AccountID(unchecked: ErasureSample.other))
        }
        #expect(facts.decisions.map(\.sequence.number) == [4, 7] && facts.erased.isEmpty)
        let pseudonym = try #require(facts.claims.first?.value.account)
        #expect(facts.decisions.last?.value.ownersBefore == [pseudonym])
        #expect(facts.accountTokens.first?.value.account == pseudonym)
        #expect(
            facts.accountTokens.first?.value.token
                == facts.transactions.first?.value.appAccountToken)
        try ledger.close()
        #expect(try ErasureSample.files(holding: ErasureSample.person, in: folder) == [])
    }

    @Test("the other person goes too: nothing is left of what was between them")
    func erasesBoth() async throws {
        let folder = try TemporaryFolder()
        let ledger = try folder.openLedger()
        try await ledger.append(
            ErasureSample.evidence("signed"), try ErasureSample.fact("1", of: "1", in: 1),
            ErasureSample.claim(ErasureSample.person, "1", in: 1),
            try ErasureSample.decision("1", cause: 3, after: [ErasureSample.person]),
            ErasureSample.claim(ErasureSample.other, "1", in: 1),
            try ErasureSample.decision(
                "1", cause: 5, before: [ErasureSample.person], after: [ErasureSample.other]))
        _ = try await ErasureSample.erase(ErasureSample.person, in: ledger)
        let second = try await ErasureSample.erase(ErasureSample.other, in: ledger)
        #expect(try ledger.reader.verify() == [])
        #expect(second.value.restated.isEmpty)
        #expect(try ledger.read { try $0.accounts(after: nil, limit: 10, folded: false) } == [])
        try ledger.close()
        #expect(try ErasureSample.files(holding: ErasureSample.other, in: folder) == [])
        #expect(try ErasureSample.files(holding: ErasureSample.person, in: folder) == [])
    }

    @Test(
        "an erasure that is not whole, or that nothing says, is found",
        arguments: [
            ("UPDATE entry SET payload = NULL, salt = NULL WHERE seq = 9", "payload-erased"),
            ("UPDATE evidence SET bytes = NULL WHERE seq = 8", "evidence-erased"),
            ("UPDATE entry SET payload = NULL, salt = NULL WHERE seq = 12", "payload-erased"),
            ("DELETE FROM unique_name WHERE seq = 8", "index-differs"),
            ("INSERT INTO interest VALUES (1, 1)", "index-differs"),
        ])
    func finds(tampering: String, code: String) async throws {
        let folder = try TemporaryFolder()
        let ledger = try folder.openLedger()
        try await ErasureSample.fill(ledger)
        _ = try await ErasureSample.erase(ErasureSample.person, in: ledger)
        try ledger.close()
        try folder.tamper(tampering)
        let reader = try SQLiteLedger.openToVerify(path: folder.ledgerPath)
        #expect(try reader.verify().map(\.code).contains(code))
        try reader.close()
    }

    @Test(
        "an erasure of more entries than anybody has, or of some twice, is no erasure",
        arguments: [
            #"[{"first":1,"last":1099511627776}]"#,
            #"[{"first":1,"last":4},{"first":4,"last":5}]"#,
            #"[{"first":5,"last":6},{"first":1,"last":2}]"#,
            #"[{"first":1,"last":1},{"first":2,"last":9223372036854775807}]"#,
        ])
    func bounds(entries: String) throws {
        let payload = Payload.encode(.erasure(try ErasureSample.wish()))
        let text = String(decoding: payload, as: UTF8.self)
        let changed = text.replacing(#""entries":[]"#, with: #""entries":"# + entries)
        #expect(changed != text)
        #expect(throws: PayloadError.self) {
            try Payload.decode(Array(changed.utf8), as: .erasure)
        }
    }

    @Test("an account of which nothing is known is recorded as erased")
    func erasesNothing() async throws {
        let folder = try TemporaryFolder()
        let ledger = try folder.openLedger()
        try await ErasureSample.fill(ledger)
        let erasure = try await ErasureSample.erase("nobody", in: ledger)
        #expect(erasure.value.entries.isEmpty)
        #expect(try ledger.reader.verify() == [])
        try ledger.close()
    }

    @Test("a change is changed only while an erasure is the newest entry")
    func keepsChanges() async throws {
        let folder = try TemporaryFolder()
        let ledger = try folder.openLedger()
        try await ErasureSample.fill(ledger)
        try await ledger.write { ledger in
            try ledger.setFeedPlace(FeedPlace(place: LedgerSequence(11), reached: Sample.start))
            for account in [ErasureSample.person, ErasureSample.other] {
                let account = AccountID(unchecked: account)
                _ = try ledger.tell(
                    FeedChange(
                        kind: .ownerChanged, at: Sample.start, revision: LedgerSequence(4),
                        account: account, environment: .production, subject: "lineage:1",
                        before: .owners([]), after: .owners([account])))
            }
        }
        _ = try await ErasureSample.erase(ErasureSample.person, in: ledger)
        let run = try ledger.read {
            try $0.changes(after: 0, matching: ChangeFilter(), limit: 10)
        }
        #expect(run.changes.map(\.change.kind) == [.erased, .ownerChanged])
        #expect(run.changes.map(\.number) == [1, 2])
        #expect(run.changes[0].change.account == nil && run.changes[0].change.subject.isEmpty)
        #expect(try ledger.reader.verify() == [])
        try await ledger.append(Sample.block(ErasureSample.other, id: "b-2"))
        try ledger.close()
        let file = try DatabaseQueue(path: folder.ledgerPath)
        #expect(throws: DatabaseError.self) {
            try file.write { try $0.execute(sql: "UPDATE change SET subject = 'x'") }
        }
        try file.close()
        #expect(try ErasureSample.files(holding: ErasureSample.person, in: folder) == [])
    }
}
