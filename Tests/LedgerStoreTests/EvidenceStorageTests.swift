internal import EntitlementModel
internal import GRDB
internal import Testing

@testable internal import LedgerStore

@Suite("Evidence")
struct EvidenceStorageTests {
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
        let folder = try TemporaryFolder()
        let ledger = try folder.openLedger()
        let entry = Sample.evidence(form.bytes, digest: EntryHash.digest(of: form.bytes))
        try await ledger.append(entry, entry)
        let entries = try ledger.read { try $0.entries(after: .zero, limit: 10) }
        #expect(entries.map(\.value) == [entry, entry])
        let headers = try await ledger.reader.pool.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM evidence_header")
        }
        #expect(headers == (form.sharesHeader ? 1 : 0))
        try ledger.close()
    }
}
