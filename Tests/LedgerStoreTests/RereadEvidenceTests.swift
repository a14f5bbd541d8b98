internal import EntitlementModel
internal import TestSupport
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

@Suite("Evidence that is read again", .timeLimit(.minutes(20)))
struct RereadEvidenceTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func jws(_ payload: String) -> String {
        "e30.\(Base64.url.encode(Array(payload.utf8))).c2ln"
    }

    private static func transaction(_ id: String, at milliseconds: Int64? = nil) -> String {
        jws(
            """
            {"transactionId":"\(id)","originalTransactionId":"5",
            "signedDate":\(milliseconds ?? Sample.start.milliseconds),
            "previousOriginalTransactionId":"1"}
            """)
    }

    struct Form: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        let names: String?
    }

    static let forms = [
        Form(testDescription: "a transaction", text: transaction("5"), names: "1"),
        Form(
            testDescription: "a notification",
            text: """
                {"signedPayload":"\(
                    jws(#"{"data":{"signedTransactionInfo":"\#(transaction("5"))"}}"#))"}
                """, names: "1"),
        Form(testDescription: "another transaction", text: transaction("6"), names: nil),
        Form(testDescription: "another snapshot", text: transaction("5", at: 1), names: nil),
        Form(testDescription: "no JSON", text: jws("{previousOriginalTransactionId"), names: nil),
        Form(testDescription: "no JWS", text: "previousOriginalTransactionId", names: nil),
    ]

    @Test("says which lineage was before, where the entry does not", arguments: forms)
    func rereads(_ form: Form) async throws {
        let ledger = try folder.openLedger()
        let bytes = Array(form.text.utf8)
        try await ledger.append(
            Sample.evidence(bytes, digest: EntryHash.digest(of: bytes)),
            Sample.fact(try Sample.transaction("5", of: "5")),
            Sample.fact(try Sample.transaction("1", of: "1")))
        for _ in 1...2 {
            try await ledger.rebuildIndex()
            let facts = try ledger.read {
                try $0.facts(forLineage: LineageKey(.production, TransactionID(unchecked: "1")))
            }
            let named = facts.transactions.compactMap(\.value.previousOriginalTransactionID)
            #expect(named.map(\.text) == [form.names].compactMap(\.self))
            #expect(facts.transactions.count == (form.names == nil ? 1 : 2))
        }
        #expect(try ledger.reader.verify() == [])
        try ledger.close()
    }
}
