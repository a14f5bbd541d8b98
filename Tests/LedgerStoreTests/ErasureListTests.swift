internal import EntitlementModel
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

/// The list of erasures next to a ledger, and what it does to older copies (docs/LEDGER.md,
/// Erasure).
@Suite("The list of erasures", .timeLimit(.minutes(20)))
struct ErasureListTests {
    private let folder: TemporaryFolder
    private let key = PrivacyKey(Array(1...32))
    private let person = AccountID(unchecked: ErasureSample.person)
    private let other = AccountID(unchecked: ErasureSample.other)

    init() throws {
        folder = try TemporaryFolder()
    }

    private var list: String { folder.ledgerPath + ".erasures" }

    private func custody(with key: PrivacyKey?) -> LedgerFilePolicy {
        var custody = LedgerFilePolicy()
        custody.erasures = ErasureCustody(key: key, now: Sample.start)
        return custody
    }

    private func open() throws -> SQLiteLedger {
        try folder.openLedger(custody: custody(with: key))
    }

    private func erase(
        _ account: AccountID, in ledger: SQLiteLedger, at now: Instant = Sample.start,
        delivered: [String] = []
    ) async throws {
        let key = try #require(key)
        var wish = try ErasureSample.wish()
        wish.names = [key.digest(of: account), key.mark].sorted()
        wish.delivered = delivered.map { key.digest(of: Sample.key($0)) }.sorted()
        _ = try await ledger.write { [wish] in try $0.erase([account], as: wish, at: now) }
    }

    /// Puts an older copy in the place of the ledger, whose list stays.
    private func goBack(to copy: String) throws {
        for ending in ["", "-wal", "-shm", ".head"] {
            try? FileManager.default.removeItem(atPath: folder.ledgerPath + ending)
        }
        try FileManager.default.moveItem(atPath: copy, toPath: folder.ledgerPath)
    }

    private func ownList() throws -> ErasureList? { try ErasureList.read(list) }

    @Test("an erasure is listed, and the list is made whole when the ledger is opened")
    func lists() async throws {
        let ledger = try open()
        try await ErasureSample.fill(ledger)
        #expect(!FileManager.default.fileExists(atPath: list))
        try await erase(person, in: ledger)
        let one = try #require(try ownList())
        #expect(one.erasures == 1 && one.entries == 7)
        try await erase(other, in: ledger)
        let whole = try #require(try ownList())
        #expect(whole.erasures == 2 && whole.lines.first == one.lines.first)
        let own = try ledger.reader.look { try LedgerTransaction($0).erasureList() }
        #expect(own == whole)
        try ledger.close()
        let bytes = try Data(contentsOf: URL(filePath: list))
        for damage in [nil, Data(), bytes.prefix(bytes.count - 9), bytes.prefix(40)] {
            try FileManager.default.removeItem(atPath: list)
            if let damage { try damage.write(to: URL(filePath: list)) }
            let reopened = try open()
            #expect(reopened.erasedAgain == 0)
            #expect(try ownList() == whole)
            try reopened.close()
        }
    }

    @Test("an older copy is erased again before it is served, once")
    func erasesAgain() async throws {
        let ledger = try open()
        try await ErasureSample.fill(ledger)
        let facts = try ledger.read { try $0.facts(forAccount: other) }
        let copy = folder.path + "/copy"
        try ledger.backUp(to: copy)
        try await ledger.append(Sample.block(ErasureSample.person, id: "b-9"))
        try await erase(person, in: ledger, delivered: ["77"])
        let newest = try #require(try ownList())
        try ledger.close()
        let old = try SQLiteLedger.openToVerify(path: copy)
        #expect(
            try old.problems(against: newest, at: list)
                == (1...7).map { .contentLeft(LedgerSequence($0)) })
        try old.close()
        try goBack(to: copy)
        let before = try Data(contentsOf: URL(filePath: folder.ledgerPath))
        #expect(throws: LedgerError.store(.undoneErasures(path: list, count: 1))) {
            try folder.openLedger(custody: custody(with: nil))
        }
        #expect(try Data(contentsOf: URL(filePath: folder.ledgerPath)) == before)

        let restored = try open()
        #expect(restored.erasedAgain == 1)
        #expect(try ErasureSample.files(holding: ErasureSample.person, in: folder) == [])
        #expect(try ErasureSample.files(holding: ErasureSample.token, in: folder) == [])
        try restored.read { reader in
            #expect(try !reader.knows(person))
            let after = try reader.facts(forAccount: other)
            #expect(after.transactions == facts.transactions && after.erased.isEmpty)
            #expect(after.decisions == facts.decisions)
            let delivery = try #require(key).digest(of: Sample.key("77"))
            #expect(try reader.erasure(named: Erasure.name(ofDelivery: delivery)) != nil)
        }
        #expect(try restored.reader.verify() == [])
        #expect(try restored.reader.problems(against: newest, at: list) == [])
        try restored.close()
        let again = try open()
        #expect(again.erasedAgain == 0)
        #expect(try again.read { try $0.head().sequence } == LedgerSequence(12))
        try again.close()
        #expect(try ErasureSample.files(holding: ErasureSample.person, in: folder) == [])
    }

    @Test("what was nobody's yet in the copy goes with whose it became")
    func unclaimed() async throws {
        let ledger = try open()
        try await ledger.append(
            ErasureSample.evidence("signed for somebody"),
            try ErasureSample.fact("1", of: "1", in: 1),
            ErasureSample.evidence("signed for another"),
            try ErasureSample.fact("2", of: "2", in: 3))
        let copy = folder.path + "/copy"
        try ledger.backUp(to: copy)
        try await ledger.append(
            ErasureSample.claim(ErasureSample.person, "1", in: 1),
            try ErasureSample.decision("1", cause: 5, after: [ErasureSample.person]))
        try await erase(person, in: ledger)
        try ledger.close()
        try goBack(to: copy)
        let restored = try open()
        #expect(restored.erasedAgain == 1)
        let left = try restored.read { reader in
            try (1...4).filter { try reader.entry(LedgerSequence($0)) != nil }
        }
        #expect(left == [3, 4])
        try await restored.append(Sample.block(ErasureSample.other, id: "b-1"))
        #expect(try restored.reader.verify() == [])
        try restored.close()
    }

    @Test("the numbers of a copy that went another way mean nothing, its accounts do")
    func otherWay() async throws {
        let ledger = try open()
        try await ErasureSample.fill(ledger)
        let (copy, way) = (folder.path + "/copy", folder.path + "/way")
        try ledger.backUp(to: copy)
        for number in 1...3 {
            try await ledger.append(Sample.block(ErasureSample.person, id: "b-9\(number)"))
        }
        try await erase(person, in: ledger, at: Sample.start.advanced(byMilliseconds: 1))
        try ledger.close()
        let newest = try #require(try ownList())
        try goBack(to: copy)
        // Without the list: as another machine that does not have it.
        try FileManager.default.removeItem(atPath: list)
        let forked = try open()
        for number in 1...3 {
            try await forked.append(Sample.block(ErasureSample.other, id: "b-9\(number)"))
        }
        try forked.backUp(to: way)
        let problems = try forked.reader.problems(against: newest, at: list)
        #expect(problems.contains(.listDiffers(LedgerSequence(15))))
        try forked.close()
        try goBack(to: way)
        let file = JournalFile(besideLedger: folder.ledgerPath, ending: ".erasures")
        try file.replace(with: newest.text)
        let restored = try open()
        #expect(restored.erasedAgain == 1)
        #expect(try !restored.read { try $0.knows(person) })
        #expect(try restored.read { try $0.facts(forAccount: other).blocks.count } == 3)
        #expect(try restored.reader.verify() == [])
        try restored.close()
    }

    @Test("a list of another ledger is not gone by, and no ledger is made next to a list")
    func foreign() async throws {
        let ledger = try open()
        try await ErasureSample.fill(ledger)
        try await erase(person, in: ledger)
        try ledger.close()
        let elsewhere = try TemporaryFolder()
        let another = try elsewhere.openLedger()
        try await another.append(Sample.block(ErasureSample.person, id: "b-1"))
        try another.close()
        let foreign = elsewhere.ledgerPath + ".erasures"
        try FileManager.default.copyItem(atPath: list, toPath: foreign)
        #expect(throws: LedgerError.store(.foreignErasures(path: foreign))) {
            try elsewhere.openLedger(custody: custody(with: key))
        }
        for ending in ["", "-wal", "-shm", ".head"] {
            try? FileManager.default.removeItem(atPath: folder.ledgerPath + ending)
        }
        #expect(throws: LedgerError.store(.missing(path: folder.ledgerPath, beside: list))) {
            try open()
        }
    }

    @Test("nothing is restored that could not be erased again, and a newer backup is a list")
    func restores() async throws {
        let ledger = try open()
        try await ErasureSample.fill(ledger)
        let (old, new) = (folder.path + "/old", folder.path + "/new")
        try ledger.backUp(to: old)
        try await erase(person, in: ledger)
        try ledger.backUp(to: new)
        try ledger.close()
        let target = folder.path + "/restored"
        var custody = ErasureCustody(key: nil, now: Sample.start, list: new)
        #expect(throws: LedgerError.store(.undoneErasures(path: new, count: 1))) {
            try SQLiteLedger.restore(from: old, to: target, erasures: custody)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left.filter { $0.hasPrefix("restored") } == [])
        custody.key = key
        #expect(try SQLiteLedger.restore(from: old, to: target, erasures: custody) == [])
        let restored = try folder.openLedger("restored", custody: self.custody(with: key))
        #expect(restored.erasedAgain == 1)
        #expect(try restored.reader.verify() == [])
        try restored.close()
        try FileManager.default.removeItem(atPath: old)
        #expect(try ErasureSample.files(holding: ErasureSample.person, in: folder) == [])
    }
}
