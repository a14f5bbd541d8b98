internal import EntitlementModel
internal import GRDB
internal import TestSupport
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

@Suite("Evidence", .timeLimit(.minutes(20)))
struct EvidenceStorageTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let header = Array(repeating: UInt8(ascii: "a"), count: 4_000)

    struct Form: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let sharesHeader: Bool
    }

    static let forms = [
        Form(
            testDescription: "a JWS", bytes: header + Array(".payload.sig".utf8), sharesHeader: true
        ),
        Form(
            testDescription: "a notification's body",
            bytes: Array(#"{"signedPayload":""#.utf8) + header + Array(#".p.s"}"#.utf8),
            sharesHeader: true),
        Form(
            testDescription: "a JWS with a short header", bytes: Array("abc.def.ghi".utf8),
            sharesHeader: false),
        Form(
            testDescription: "a receipt", bytes: (0..<5_000).map { UInt8($0 % 251) },
            sharesHeader: false),
        Form(testDescription: "only a header", bytes: header, sharesHeader: false),
        Form(testDescription: "nothing", bytes: [], sharesHeader: false),
    ]

    @Test("comes back byte for byte", arguments: forms)
    func reassembly(_ form: Form) async throws {
        let ledger = try folder.openLedger()
        let written = [form.bytes, form.bytes + [UInt8(ascii: "x")]].map { bytes in
            Sample.evidence(bytes, digest: EntryHash.digest(of: bytes))
        }
        try await ledger.append(written[0], written[1])
        let entries = try ledger.read { try $0.entries(after: .zero, limit: 10) }
        #expect(entries.map(\.value) == written)
        let headers = try await ledger.reader.pool.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM evidence_header")
        }
        #expect(headers == (form.sharesHeader ? 1 : 0))
        try ledger.close()
    }

    @Test("bytes are found by their digest, where they were kept first")
    func firstPlace() async throws {
        let ledger = try folder.openLedger()
        let digest = EntryHash.digest(of: [1, 2, 3])
        let entry = Sample.evidence([1, 2, 3], digest: digest)
        try await ledger.append(entry, entry)
        try ledger.read { (ledger) throws in
            #expect(try ledger.sequence(ofEvidence: digest)?.number == 1)
            #expect(try ledger.sequence(ofEvidence: try Sample.digest(0)) == nil)
        }
        try ledger.close()
    }

    @Test("the evidence of a transaction is that of its first snapshot")
    func ofTransaction() async throws {
        let ledger = try folder.openLedger()
        for (place, digest) in [(7, 1), (8, 2)] as [(Int64, UInt8)] {
            let snapshot = try Sample.transaction("2", of: "1", digest: digest)
            try await ledger.append(
                .transaction(
                    TransactionFact(snapshot: snapshot, evidence: LedgerSequence(place))))
        }
        try ledger.read { (ledger) throws in
            #expect(try ledger.evidence(of: Sample.key("2"))?.number == 7)
            #expect(try ledger.evidence(of: Sample.key("404")) == nil)
        }
        try ledger.close()
    }
}
