internal import Dispatch
internal import EntitlementModel
internal import LedgerModel
internal import MemoryLedger
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine
@testable internal import EntitlementServer

/// A node of a fleet that follows, as its callers and the operator see it (docs/FLEET.md).
@Suite("A follower on the sockets", .timeLimit(.minutes(20)))
struct FollowerTests {
    private static let code = "policy.history-unreadable"

    private static let questions: [WireRequest] = [
        .post(
            "/access/v1/evaluation",
            #"""
            {"subject":{"type":"account","id":"alice"},"action":{"name":"use"},
            "resource":{"type":"entitlement","id":"premium"}}
            """#),
        .get("/v1/accounts/alice/entitlements"), .get("/v1/accounts/nobody/entitlements"),
        .get("/v1/accounts/alice/entitlements/premium?min_revision=1"),
        .get("/v1/accounts/alice/entitlements?fresh=true"), .get("/v1/accounts/alice/credits"),
    ]

    @Test("a policy that it cannot read: it answers nothing, says why everywhere, and lives")
    func unreadablePolicy() async throws {
        let memory = MemoryLedger()
        let shop = try await ServedShop(following: memory)
        try await shop.serving { shop in
            for question in Self.questions {
                for socket in shop.sockets {
                    #expect(try shop.exchange(socket, question).status == 200, "\(question)")
                }
            }
            try Self.expect(shop, isHalted: false)
            let isWritten = DispatchSemaphore(value: 0)
            Task {
                _ = try? await memory.activateUnreadablePolicy(at: shop.clock.now())
                isWritten.signal()
            }
            isWritten.wait()
            for question in Self.questions + [.get("/readyz")] {
                for socket in shop.sockets { try Self.expectRejected(question, by: socket, shop) }
            }
            let grant = #"{"account":"bob","entitlement":"premium","reason":"why not"}"#
            for request: WireRequest in [
                .post("/v1/grants", grant), .get("/v1/accounts/alice"), .get("/v1/changes"),
                .get("/v1/policy"),
            ] { try Self.expectRejected(request, by: shop.operationsSocket, shop) }
            try Self.expect(shop, isHalted: true)
            for target in ["/openapi.json", "/.well-known/authzen-configuration"] {
                #expect(try shop.exchange(shop.operationsSocket, .get(target)).status == 200)
            }
        }
    }

    private static func expectRejected(
        _ request: WireRequest, by socket: String, _ shop: ServedShop
    ) throws {
        let answer = try shop.exchange(socket, request)
        #expect(answer.status == 503, "\(request)")
        #expect(answer.text.contains(#""code":"\#(code)""#), "\(request): \(answer.text)")
    }

    private static func expect(_ shop: ServedShop, isHalted: Bool) throws {
        #expect(try shop.exchange(shop.querySocket, .get("/livez")).status == 200)
        let status = try parseJSON(
            shop.exchange(shop.operationsSocket, .get("/status")).body)
        #expect(status["status"]?.string == (isHalted ? "halted" : "ready"))
        let words = status["degraded"]?.elements?.compactMap(\.string) ?? []
        #expect(words.contains("policy-unreadable") == isHalted)
        let fleet = status["ledger"]?["fleet"]
        #expect(fleet?["leads"] == false && fleet?["durability"] == "replicated")
        #expect(fleet?["synchronous_commit"] == "remote_apply")
        #expect(fleet?["synchronous_standbys"] == "ANY 1 (*)")
        let entry = fleet?["unreadable_policy"]
        let newest = try shop.engine.ledger.read { try $0.head() }.sequence.number
        #expect(entry == (isHalted ? .integer(newest) : nil))
        let metrics = try shop.exchange(shop.operationsSocket, .get("/metrics")).text
        #expect(metrics.contains("\nusher_fleet_halted \(isHalted ? 1 : 0)\n"))
        #expect(metrics.contains("\nusher_ready \(isHalted ? 0 : 1)\n"))
    }
}

extension ServedShop {
    /// A node that follows, of a ledger with what a shop has sold.
    fileprivate init(following memory: MemoryLedger) async throws {
        let shop = try await ServedShop(keptIn: memory)
        try shop.engine.close()
        let options = EngineOptions(
            ledger: FollowedLedger(memory), policyTexts: [], clock: shop.clock)
        self = shop
        engine = try await EntitlementEngine.open(options)
    }
}
