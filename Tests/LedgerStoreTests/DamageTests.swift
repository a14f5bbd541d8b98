internal import EntitlementModel
internal import FoundationEssentials
internal import TestSupport
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

/// Bits that turn over on the disk, and files that somebody made to be opened.
@Suite("Damage", .timeLimit(.minutes(20)))
struct DamageTests {
    @Test("a byte that changes anywhere is found, or changes nothing that is read")
    func rot() async throws {
        let (bytes, entries) = try await soundLedger()
        var random = SplitMix(state: 2_026)
        var foundCount = 0
        for _ in 0..<300 {
            var damaged = bytes
            let place = Int(random.next() % UInt64(bytes.count))
            damaged[place] ^= UInt8(truncatingIfNeeded: random.next() | 1)
            switch try outcome(of: damaged) {
            case .found: foundCount += 1
            case .unnoticed(let read): #expect(read == entries, "byte \(place)")
            }
        }
        // Most of a small file is empty pages; were nothing found, nothing would be tested.
        #expect(foundCount > 20)
    }

    @Test("a file that ends early is found", arguments: [1, 100, 4_095, 4_096, 20_000])
    func cutOff(length: Int) async throws {
        let (bytes, _) = try await soundLedger()
        guard case .found = try outcome(of: bytes.prefix(length)) else {
            Issue.record("a ledger of \(length) bytes was taken for a sound one")
            return
        }
    }

    private enum Outcome {
        /// Refused at opening, at reading or by `verify`.
        case found
        case unnoticed([LedgerEntry])
    }

    private func outcome(of bytes: Data) throws -> Outcome {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try bytes.write(to: URL(filePath: folder.ledgerPath))
        do {
            let ledger = try folder.openLedger()
            defer { try? ledger.close() }
            guard try ledger.reader.verify().isEmpty else { return .found }
            return .unnoticed(
                try ledger.read { try $0.entries(after: .zero, limit: 100) }.map(\.value))
        } catch is LedgerError {
            return .found
        }
    }

    private func soundLedger() async throws -> (Data, [LedgerEntry]) {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let ledger = try folder.openLedger()
        let bytes = Array(repeating: UInt8(ascii: "a"), count: 3_000) + Array(".b.c".utf8)
        let entries =
            [Sample.evidence(bytes, digest: EntryHash.digest(of: bytes))]
            + (try EntrySample.all().map(\.entry)).filter { $0.registered.kind != .evidence }
        for entry in entries { try await ledger.append(entry) }
        try ledger.close()
        return (try Data(contentsOf: URL(filePath: folder.ledgerPath)), entries)
    }
}

/// The same numbers in every run.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
