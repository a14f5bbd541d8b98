internal import Foundation
internal import HistoryComparison
internal import OrderComparison
internal import TestSupport
internal import Testing

/// What the engine makes of orders over random scripts, beside what the specification says.
/// `ORDER_SCRIPTS` says how many.
@Suite("Random orders", .timeLimit(.minutes(60)))
struct OrderComparisonTests {
    private static let count =
        Int(ProcessInfo.processInfo.environment["ORDER_SCRIPTS"] ?? "") ?? 40

    @Test("come to what the specification says")
    func scripts() async {
        var orders = 0
        for seed in 1...UInt64(Self.count) {
            let comparison = await OrderScriptComparison.of(OrderScript.random(seed: seed))
            #expect(comparison.disagreements == [], "seed \(seed)")
            orders += comparison.orders
        }
        #expect(orders > Self.count, "orders are made")
    }

    @Test("are shrunk to what still fails")
    func shrinking() async {
        let script = OrderScript.random(seed: 3)
        let smallest = await script.shrunk { candidate in
            await OrderScriptComparison.of(candidate).orders >= 1
        }
        #expect(script.steps.count > 1)
        #expect(smallest.steps.count == 1)
    }
}
