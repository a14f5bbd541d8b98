internal import Glibc
internal import LedgerModel
internal import Testing

@testable internal import EntitlementEngine

@Suite("The writer gives way to questions", .timeLimit(.minutes(20)))
struct WriterPrecedenceTests {
    /// The thread that writes may be another one each time, and one that another ledger's writes have
    /// used gives way already.
    @Test("once it is told to")
    func writer() async throws {
        let shop = try await Shop()
        shop.engine.lowerBackgroundPriority()
        #expect(try await Self.niceness(ofWriterOf: shop) >= 10)
        try shop.engine.close()
    }

    private static func niceness(ofWriterOf shop: Shop) async throws -> CInt {
        try await shop.engine.ledger.write { _ in
            getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        }
    }
}
