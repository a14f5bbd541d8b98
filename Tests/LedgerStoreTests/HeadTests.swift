internal import EntitlementModel
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

@Suite(
    "The newest acknowledged head, beside the ledger (THREATS.md H7, H22)", .timeLimit(.minutes(20))
)
struct HeadTests {
    let folder: TemporaryFolder
    let pace = ManualPace()

    init() throws {
        folder = try TemporaryFolder()
    }

    private var headPath: String { folder.ledgerPath + ".head" }
    private var copyPath: String { folder.path + "/copy" }

    private func file() throws -> HeadFile {
        HeadFile(of: try LedgerName(folder.ledgerPath), access: FileAccess())
    }

    private func place(_ number: Int64, _ byte: UInt8 = 0) -> LedgerPosition {
        LedgerPosition(sequence: LedgerSequence(number), hash: EntryHash.digest(of: [byte]))
    }

    private func open(accepting place: LedgerPosition? = nil) throws -> SQLiteLedger {
        var custody = pace.custody
        custody.accepted = place.map { AcceptedRollback(place: $0, at: Sample.start) }
        return try folder.openLedger(custody: custody)
    }

    /// A ledger of three entries, with its head; the copy has the first only.
    private func makeLedger() async throws -> (end: LedgerPosition, copy: LedgerPosition) {
        let ledger = try open()
        try await ledger.append(Sample.block("alice", id: "b-1"))
        let copied = try SQLiteLedger.backUp(folder.ledgerPath, to: copyPath)
        try await ledger.append(Sample.block("alice", id: "b-2"))
        try await ledger.append(Sample.block("alice", id: "b-3"))
        let end = try ledger.reader.head()
        try ledger.close()
        return (LedgerPosition(end), LedgerPosition(copied))
    }

    private func rollBack() throws {
        try FileManager.default.removeItem(atPath: folder.ledgerPath + "-wal")
        try FileManager.default.removeItem(atPath: folder.ledgerPath)
        try FileManager.default.copyItem(atPath: copyPath, toPath: folder.ledgerPath)
    }

    private func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.filter { !$0.hasSuffix("-shm") }.map {
                ($0, try Data(contentsOf: URL(filePath: folder.path + "/" + $0)))
            })
    }

    @Test("is written with each commit, and one slot is on the disk whatever happens meanwhile")
    func written() async throws {
        let ledger = try open()
        let file = try file()
        func number() -> Int64? {
            guard case .head(let place) = file.read().content else { return nil }
            return place.sequence.number
        }
        func slots() throws -> [Int64] {
            let bytes = Array(try Data(contentsOf: URL(filePath: headPath)))
            return [0, 1].compactMap {
                HeadSlot(bytes[($0 * 4_096)...].prefix(4_096))?.place.sequence.number
            }.sorted()
        }
        #expect(number() == 0)
        for count in 1...9 as ClosedRange<Int64> {
            try await ledger.append(Sample.block("alice", id: "b-\(count)"))
            #expect(number() == count)
            // What was synced last is left alone until a second has passed.
            #expect(try slots() == [(count - 1) / 3 * 3, count])
            if count.isMultiple(of: 3) { pace.tick() }
        }
        #expect(number() == 9)
        try ledger.close()
        #expect(number() == 9)
    }

    @Test("two slots in turn: whatever is torn or changed of one, the other is read")
    func slots() throws {
        let file = try file()
        for number in 1...5 { try file.write(place(Int64(number))) }
        let sound = Array(try Data(contentsOf: URL(filePath: headPath)))
        #expect(sound.count == 8_192)
        let newest = try #require(
            [0, 1].max { left, right in
                let slots = [left, right].map { HeadSlot(sound[($0 * 4_096)...].prefix(4_096)) }
                return (slots[0]?.number ?? 0) < (slots[1]?.number ?? 0)
            })
        let line = try #require(sound[(newest * 4_096)...].firstIndex(of: UInt8(ascii: "\n")))
        for index in newest * 4_096...line {
            var bytes = sound
            bytes[index] ^= 1
            try Data(bytes).write(to: URL(filePath: headPath))
            #expect(file.read().content == .head(place(4)), "\(index)")
        }
        for count in stride(from: 0, to: 200, by: 7) {
            var bytes = sound
            let torn = newest * 4_096..<newest * 4_096 + count
            bytes.replaceSubrange(torn, with: Array(repeating: 0, count: count))
            try Data(bytes).write(to: URL(filePath: headPath))
            #expect(file.read().content == .head(place(count == 0 ? 5 : 4)))
        }
        for bytes in [
            Data([1]), Data(count: 8_192), Data(sound.prefix(100)), Data(sound.suffix(9)),
        ] {
            try bytes.write(to: URL(filePath: headPath))
            #expect(file.read().content == .unreadable)
        }
        try Data().write(to: URL(filePath: headPath))
        #expect(file.read().content == .none)
    }

    @Test("a ledger that lacks it is refused with both heads, and nothing is changed")
    func rolledBack() async throws {
        let (end, copy) = try await makeLedger()
        try rollBack()
        let before = try contents()
        let refusal = LedgerError.store(
            .rolledBack(end: copy, acknowledged: end, wasAccepted: false))
        for accepted in [nil, end, place(1)] {
            #expect(throws: refusal) { try open(accepting: accepted) }
        }
        #expect(try contents() == before)
        // Who judges or copies it is told too.
        #expect(throws: refusal) { try SQLiteLedger.openReadOnly(path: folder.ledgerPath) }
        #expect(throws: refusal) {
            try SQLiteLedger.backUp(folder.ledgerPath, to: folder.path + "/night")
        }
        #expect(
            try SQLiteLedger.restore(from: folder.ledgerPath, to: folder.path + "/night")
                == [.headMissing(end.sequence)])
        #expect(!FileStatus.exists(folder.path + "/night"))
        let reader = try SQLiteLedger.openToVerify(path: folder.ledgerPath)
        #expect(try reader.verify() == [.headMissing(end.sequence)])
        try reader.close()
    }

    @Test("an older copy beside the head of a ledger that was replaced or killed is refused")
    func replaced() async throws {
        for isClosed in [true, false] {
            let folder = try TemporaryFolder()
            var ledger: SQLiteLedger? = try folder.openLedger(custody: pace.custody)
            for number in 1...3 {
                try await ledger?.append(Sample.block("alice", id: "b-\(number)"))
            }
            pace.tick()
            _ = try SQLiteLedger.backUp(folder.ledgerPath, to: folder.path + "/copy")
            // Acknowledged, and no second passes.
            for number in 4...5 {
                try await ledger?.append(Sample.block("alice", id: "b-\(number)"))
            }
            // What a process that is killed leaves is what is in the files now.
            let killed = try Data(contentsOf: URL(filePath: folder.ledgerPath + ".head"))
            #expect(rename(folder.path + "/copy", folder.ledgerPath) == 0)
            if isClosed { pace.tick() }
            try ledger?.close()
            ledger = nil
            if !isClosed { try killed.write(to: URL(filePath: folder.ledgerPath + ".head")) }
            for ending in ["-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: folder.ledgerPath + ending)
            }
            let error = #expect(throws: LedgerError.self) { try folder.openLedger() }
            #expect(error?.code == "ledger.rolled-back")
        }
    }

    @Test("another entry in its place is refused as well")
    func otherHistory() async throws {
        let (end, copy) = try await makeLedger()
        try rollBack()
        try FileManager.default.moveItem(atPath: headPath, toPath: folder.path + "/kept")
        let ledger = try open()
        for number in 12...20 {
            try await ledger.append(Sample.block("mallory", id: "b-\(number)"))
        }
        let forked = LedgerPosition(try ledger.reader.head())
        try ledger.close()
        #expect(rename(folder.path + "/kept", headPath) == 0)
        #expect(
            throws: LedgerError.store(
                .rolledBack(
                    end: forked, acknowledged: end, wasAccepted: false))
        ) { try open(accepting: copy) }
        try open(accepting: forked).close()
    }

    @Test("a person may accept the end by name, once; it is recorded")
    func accepted() async throws {
        let (end, copy) = try await makeLedger()
        try rollBack()
        let ledger = try open(accepting: copy)
        #expect(Heard(ledger).notices == [.rollbackAccepted(copy, insteadOf: end)])
        let text = String(decoding: try Data(contentsOf: URL(filePath: headPath)), as: UTF8.self)
        #expect(text.contains("\naccepted \(copy) instead-of \(end) at "))
        try await ledger.append(Sample.block("alice", id: "b-4"))
        try ledger.close()

        let again = try open(accepting: copy)
        #expect(Heard(again).notices == [.nothingToAccept(copy)])
        let newEnd = LedgerPosition(try again.reader.head())
        try again.close()
        try rollBack()
        #expect(
            throws: LedgerError.store(
                .rolledBack(
                    end: copy, acknowledged: newEnd, wasAccepted: true))
        ) { try open(accepting: copy) }
    }

    @Test(
        "a ledger that is missing beside what belongs to it is not made anew",
        arguments: ["-wal", "-journal", ".head"])
    func missing(ending: String) throws {
        try folder.write("x", to: "ledger.sqlite" + ending)
        let refusal = LedgerError.store(
            .missing(
                path: try LedgerName(folder.ledgerPath).path,
                beside: folder.ledgerPath + ending))
        #expect(throws: refusal) { try open() }
        #expect(!FileStatus.exists(folder.ledgerPath))
        // Nor is an empty file one, but after a crash with a journal.
        try folder.write("", to: "ledger.sqlite")
        guard ending != "-journal" else { return }
        #expect(throws: refusal) { try open() }
        #expect(FileStatus.bytes(of: folder.ledgerPath) == 0)
    }

    @Test("a link that leads nowhere is no reason to make a ledger there")
    func linkToNothing() throws {
        try folder.link("ledger.sqlite", to: "away/ledger")
        #expect(
            throws: LedgerError.store(
                .missing(path: folder.ledgerPath, beside: folder.ledgerPath))
        ) { try open() }
    }

    @Test("one that cannot be read is said, and written again")
    func unreadable() async throws {
        let (end, _) = try await makeLedger()
        try folder.write("garbage", to: "ledger.sqlite.head")
        let ledger = try open()
        #expect(Heard(ledger).notices == [.headUnreadable(path: try file().path)])
        try ledger.close()
        #expect(try file().read().content == .head(end))
    }

    @Test("one that cannot be written is said once, and written as soon as that can be")
    func unwritable() async throws {
        let ledger = try open()
        try FileManager.default.removeItem(atPath: headPath)
        try FileManager.default.createDirectory(
            atPath: headPath, withIntermediateDirectories: false)
        for number in 1...2 {
            try await ledger.append(Sample.block("alice", id: "b-\(number)"))
            pace.tick()
        }
        let path = try file().path
        #expect(
            Heard(ledger).notices == [.headNotWritten(path: path, .cannotOpen(path: path))])
        try FileManager.default.removeItem(atPath: headPath)
        pace.tick()
        #expect(try file().read().content == .head(LedgerPosition(try ledger.reader.head())))
        try ledger.close()
    }

    @Test("an old ledger and a copy have none, and get one")
    func none() async throws {
        let (end, copy) = try await makeLedger()
        try FileManager.default.removeItem(atPath: headPath)
        let ledger = try open()
        #expect(Heard(ledger).notices == [])
        #expect(try file().read().content == .head(end))
        try ledger.close()
        let copied = try folder.openLedger("copy")
        try copied.close()
        let name = try LedgerName(copyPath)
        #expect(HeadFile(of: name, access: FileAccess()).read().content == .head(copy))
    }

    @Test("a restore says that the restored end is what holds from now on")
    func restored() async throws {
        let (_, copy) = try await makeLedger()
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.removeItem(atPath: folder.ledgerPath + suffix)
        }
        #expect(try SQLiteLedger.restore(from: copyPath, to: folder.ledgerPath) == [])
        #expect(try file().read().content == .head(copy))
        let ledger = try open()
        #expect(Heard(ledger).notices == [])
        try ledger.close()
    }
}
