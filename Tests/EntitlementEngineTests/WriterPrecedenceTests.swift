internal import Glibc
internal import LedgerModel
internal import Testing

@testable internal import EntitlementEngine

@Suite("The writer gives way to questions", .timeLimit(.minutes(20)))
struct WriterPrecedenceTests {
    @Test("once it is told to, and not before")
    func writer() async throws {
        let shop = try await Shop()
        let ours = try await Self.niceness(ofWriterOf: shop)
        shop.engine.letQuestionsGoFirst()
        #expect(try await Self.niceness(ofWriterOf: shop) == max(10, ours))
        try shop.engine.close()
    }

    private static func niceness(ofWriterOf shop: Shop) async throws -> CInt {
        try await shop.engine.ledger.write { _ in
            getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        }
    }
}
