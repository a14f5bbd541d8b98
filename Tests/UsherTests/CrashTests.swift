internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StrictJSON
internal import Synchronization
internal import TestSupport
internal import Testing

@Suite("Killed at any time", .timeLimit(.minutes(20)))
struct CrashTests {
    /// Each cycle: the service is started, eight clients buy coins for an account of their own,
    /// and once a number of purchases has been acknowledged, different in each cycle, it is
    /// killed with the rest in flight. What the clients saw acknowledged must be there after the
    /// next start and at the end, once.
    @Test(
        "nothing that was acknowledged is lost, and nothing is delivered twice",
        .timeLimit(.minutes(10)))
    func killedServiceKeepsItsWord() async throws {
        let cycles = Int(ProcessInfo.processInfo.environment["USHER_CRASH_CYCLES"] ?? "") ?? 50
        let shop = try SimulatedShop()
        var acknowledged: [Set<String>] = []
        for cycle in 0..<cycles {
            let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
            if let last = acknowledged.last { try expect(last, of: cycle - 1, service) }
            let purchases = try (1...64).map { number in
                let id = cycle * 64 + number
                let payload = try shop.purchase("coins", .consumable, id: id)
                return (id: id, body: shop.body(payload, account: "carol-\(cycle)"))
            }
            let limit = 1 + cycle * 7 % 48
            acknowledged.append(await Self.buy(purchases, from: service, killAfter: limit))
            #expect(acknowledged[cycle].count >= limit)
        }
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        for (cycle, ids) in acknowledged.enumerated() { try expect(ids, of: cycle, service) }
        #expect(service.stop() == 0)
    }

    /// All of them were delivered to the account of that cycle, and nothing twice or to nobody.
    private func expect(
        _ acknowledged: Set<String>, of cycle: Int, _ service: RunningService
    ) throws {
        let response = try service.query.get("/v1/accounts/carol-\(cycle)/credits")
        let balance = try parseJSON(response.body)["balances"]?.elements?.first
        let ids = (balance?["entries"]?.elements ?? []).compactMap { $0["transaction"]?.string }
        let sold = Set((1...64).map { "\(cycle * 64 + $0)" })
        #expect(Set(ids).count == ids.count, "delivered twice in cycle \(cycle)")
        #expect(acknowledged.isSubset(of: ids), "lost in cycle \(cycle)")
        #expect(Set(ids).isSubset(of: sold), "never bought in cycle \(cycle)")
        #expect(Int64(ids.count) == balance?["balance"]?.int64 ?? 0)
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
