internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import MemoryLedger
internal import PolicyLoading
internal import StoreBox
internal import Testing

/// A shop that two nodes serve; the first one leads.
struct SharedShop: Sendable {
    let fleet = MemoryFleet()
    let store: StoreSimulator
    let clock: SetClock
    let appStore: ScriptedAppStore
    let policyTexts: [PolicyText]
    let nodes: (first: MemoryFleet.Node, second: MemoryFleet.Node)
    let first: EntitlementEngine
    let second: EntitlementEngine

    init(rules: String = "", appStore: ScriptedAppStore = ScriptedAppStore()) async throws {
        let now = try #require(Instant(rfc3339: "2026-03-01"))
        store = StoreSimulator(seed: 7, now: now)
        clock = SetClock(now)
        self.appStore = appStore
        policyTexts = Shop.policy(trusting: store, rules: rules)
        nodes = (fleet.node("first"), fleet.node("second"))
        fleet.lead(nodes.first)
        var options = EngineOptions(
            ledger: nodes.first, policyTexts: policyTexts, clock: clock)
        options.appStore = appStore
        first = try await EntitlementEngine.open(options)
        options.ledger = nodes.second
        second = try await EntitlementEngine.open(options)
    }

    /// Another engine of a node that follows.
    func open(
        _ node: MemoryFleet.Node, clock: SetClock? = nil
    ) async throws -> EntitlementEngine {
        var options = EngineOptions(
            ledger: node, policyTexts: policyTexts, clock: clock ?? self.clock)
        options.appStore = appStore
        return try await EntitlementEngine.open(options)
    }

    /// The second node leads; the first one hears of it, or stands still.
    func moveLead(unnoticed: Bool = false) {
        fleet.lead(nodes.second, after: unnoticed ? nil : nodes.first)
    }

    func pass(milliseconds: Int64) {
        clock.set(clock.now().advanced(byMilliseconds: milliseconds))
    }

    func entries() throws -> [LedgerEntry] {
        try fleet.memory.read { try $0.entries(after: .zero, limit: 10_000).map(\.value) }
    }

    /// Nothing is wrong with the ledger.
    func audit() throws {
        let audit = try auditLedger(fleet.memory, AuditOptions())
        #expect(audit.isComplete && audit.problems.isEmpty, "\(audit.problems)")
    }
}
