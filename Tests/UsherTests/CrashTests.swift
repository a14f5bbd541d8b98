internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StrictJSON
internal import Synchronization
internal import Testing

@Suite("Killed at any time")
struct CrashTests {
    /// Each cycle: the service is started, eight clients buy coins for one account, and once a
    /// number of them has been acknowledged, different in each cycle, it is killed with the rest
    /// in flight. What the clients saw acknowledged must be there after every start, once.
    @Test(
        "nothing that was acknowledged is lost, and nothing is delivered twice",
        .timeLimit(.minutes(10)))
    func killedServiceKeepsItsWord() async throws {
        let cycles = Int(ProcessInfo.processInfo.environment["USHER_CRASH_CYCLES"] ?? "") ?? 50
        let shop = try SimulatedShop()
        var acknowledged: Set<String> = []
        var sent: Set<String> = []
        for cycle in 0..<cycles {
            let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
            let delivered = try deliveries(service)
            #expect(acknowledged.isSubset(of: delivered), "cycle \(cycle)")
            #expect(delivered.isSubset(of: sent), "cycle \(cycle)")
            let ids = (0..<64).map { cycle * 64 + $0 + 1 }
            let payloads = try ids.map { try shop.purchase("coins", .consumable, id: $0) }
            sent.formUnion(ids.map(String.init))
            let bodies = payloads.map { shop.body($0, account: "carol") }
            let limit = 1 + cycle * 7 % 48
            acknowledged.formUnion(
                await Self.buy(zip(ids, bodies).map { ($0, $1) }, from: service, killAfter: limit))
        }
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        #expect(acknowledged.isSubset(of: try deliveries(service)))
        #expect(acknowledged.count >= cycles, "every cycle acknowledged something")
        #expect(service.stop() == 0)
    }

    /// The transactions that the service says were delivered; fails if one was twice.
    private func deliveries(_ service: RunningService) throws -> Set<String> {
        let response = try service.query.get("/v1/accounts/carol/credits")
        let answer = try parseJSON(response.body)
        let balance = answer["balances"]?.elements?.first
        let entries = balance?["entries"]?.elements ?? []
        let ids = entries.compactMap { $0["transaction"]?.string }
        #expect(Set(ids).count == ids.count)
        #expect(Int64(ids.count) == balance?["balance"]?.int64 ?? 0)
        return Set(ids)
    }

    private static func buy(
        _ purchases: [(id: Int, body: [UInt8])], from service: RunningService, killAfter limit: Int
    ) async -> Set<String> {
        let sale = Sale(purchases)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    while let purchase = sale.next() {
                        let response = try? service.operations.post(
                            "/v1/evidence", json: purchase.body)
                        guard let response else { return }
                        #expect(response.status == 200)
                        if sale.acknowledge(purchase.id) == limit { service.kill() }
                    }
                }
            }
        }
        return sale.acknowledged
    }
}

/// What the clients of one cycle share: what is still to be bought, and what was acknowledged.
private final class Sale: Sendable {
    private let rest: Mutex<ArraySlice<(id: Int, body: [UInt8])>>
    private let ids = Mutex<Set<String>>([])

    init(_ purchases: [(id: Int, body: [UInt8])]) {
        rest = Mutex(purchases[...])
    }

    func next() -> (id: Int, body: [UInt8])? { rest.withLock { $0.popFirst() } }

    /// - Returns: how many have been acknowledged.
    func acknowledge(_ id: Int) -> Int {
        ids.withLock { ids in
            ids.insert("\(id)")
            return ids.count
        }
    }

    var acknowledged: Set<String> { ids.withLock { $0 } }
}
