internal import EntitlementModel
internal import Foundation
internal import LedgerModel
internal import LedgerStore
internal import TestSupport
internal import Testing

@Suite("What a reconciliation goes on from, in files", .timeLimit(.minutes(20)))
struct JournalFileTests {
    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("keeps lines and notes, for its owner only")
    func keeps() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/ledger"
        let file = JournalFile(besideLedger: path)
        #expect(try file.lines().isEmpty)
        #expect(try file.note(1) == nil)
        #expect(!FileManager.default.fileExists(atPath: path + ".reconcile"))
        try file.append([Self.bytes("one"), Self.bytes("two")])
        try file.append([Self.bytes("three")])
        try file.setNote(Self.bytes("of seven"), of: 7)
        try file.setNote(Self.bytes("of seven again"), of: 7)
        for name in [".reconcile", ".reconcile-notes"] {
            let mode = try FileManager.default.attributesOfItem(atPath: path + name)[
                .posixPermissions]
            #expect(mode as? Int == 0o600)
        }
        let again = JournalFile(besideLedger: path)
        #expect(
            try again.lines().map { String(decoding: $0, as: UTF8.self) } == [
                "one", "two", "three",
            ])
        #expect(try again.note(7) == Self.bytes("of seven again"))
        #expect(try again.note(6) == nil)
        #expect(try again.note(8) == nil)
        try again.replace(with: [Self.bytes("four")])
        try again.append([Self.bytes("five")])
        #expect(try again.lines().count == 2)
        try again.clear()
        #expect(try again.lines().isEmpty)
        #expect(try again.note(7) == nil)
    }

    @Test("reads up to a line that is torn or changed, and goes on from there")
    func damage() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/ledger"
        try JournalFile(besideLedger: path).append([Self.bytes("one"), Self.bytes("two")])
        let journal = URL(fileURLWithPath: path + ".reconcile")
        let whole = try Data(contentsOf: journal)
        for length in 0..<whole.count {
            try whole.prefix(length).write(to: journal)
            let torn = JournalFile(besideLedger: path)
            let count = length < whole.count / 2 ? 0 : 1
            #expect(try torn.lines().count == count, "\(length)")
            try torn.append([Self.bytes("six")])
            #expect(try torn.lines().last == Self.bytes("six"))
            #expect(try torn.lines().count == count + 1)
        }
        var changed = whole
        changed[whole.count / 2 + 1] ^= 1
        try changed.write(to: journal)
        #expect(try JournalFile(besideLedger: path).lines().count == 1)
    }

    @Test("a note that is torn or changed is none")
    func damagedNotes() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/ledger"
        let longest = [UInt8](repeating: UInt8(ascii: "x"), count: longestReconciliationNote)
        let file = JournalFile(besideLedger: path)
        try file.setNote(longest, of: 2)
        #expect(try file.note(2) == longest)
        let notes = URL(fileURLWithPath: path + ".reconcile-notes")
        var bytes = try Data(contentsOf: notes)
        #expect(bytes.count == 512)
        bytes[300] ^= 1
        try bytes.write(to: notes)
        #expect(try file.note(2) == nil)
        try bytes.prefix(400).write(to: notes)
        #expect(try file.note(2) == nil)
        try file.setNote(longest, of: 2)
        #expect(try file.note(2) == longest)
    }
}
