internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import PolicyLoading
internal import StoreBox
internal import Testing

extension Shop {
    /// Alice has bought what lasts for ever.
    static func withAlice() async throws -> Shop {
        let shop = try await Shop()
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        return shop
    }

    var cause: AdminActionCause { AdminActionCause(actor: "uid:7", reason: "a test") }

    func text(leeway: String) -> String { Shop.policy(trusting: store, leeway: leeway)[0].text }

    func files(_ text: String) -> [PolicyText] {
        [
            PolicyText(path: "policy.yaml", text: text),
            PolicyText(path: "root.der", bytes: store.root.der),
        ]
    }

    /// Without the product that alice has bought.
    var narrower: [PolicyText] {
        files(
            text(leeway: "1h")
                .replacing("  unlock: {kind: non-consumable, grants: [forever]}\n", with: "")
                .replacing("forever: {title: For ever},", with: ""))
    }

    func digest(leeway: String) -> Digest256 { policyDigest(files(text(leeway: leeway))) }

    func request(
        _ texts: [PolicyText], at due: String, acceptLoss: Int64? = nil
    ) async throws -> ScheduleReport {
        try await engine.schedulePolicy(
            ScheduleRequest(
                texts: texts, due: try #require(Instant(rfc3339: due)), acceptLoss: acceptLoss,
                cause: cause))
    }

    func request(leeway: String, at due: String) async throws -> ScheduleReport {
        try await request(files(text(leeway: leeway)), at: due, acceptLoss: 0)
    }

    /// - Returns: what names it.
    func schedule(leeway: String, at due: String) async throws -> LedgerSequence {
        let report = try await request(leeway: leeway, at: due)
        guard case .scheduled(let scheduled, _, _, _) = report else {
            Issue.record("not scheduled: \(report)")
            return .zero
        }
        return scheduled.place
    }

    /// - Returns: `applied`, the outcome or why it was refused; nil where none is due.
    func applyDue(_ engine: EntitlementEngine? = nil) async throws -> String? {
        switch try await (engine ?? self.engine).applyDueSchedule() {
        case nil: nil
        case .changed: "changed"
        case .applied: "applied"
        case .ended(_, let end): end.obstacle?.rawValue ?? end.outcome.rawValue
        }
    }

    func activations() throws -> [PolicyActivation] {
        try ledger.openForReading().read { try $0.policyActivations() }.map(\.value)
    }

    func entryCount() throws -> Int64 {
        try ledger.openForReading().read { try $0.head().sequence.number }
    }

    /// Nothing is wrong with the ledger.
    func audit(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let audit = try ledger.audit()
        #expect(
            audit.isComplete && audit.problems.isEmpty, "\(audit.problems)",
            sourceLocation: sourceLocation)
    }
}
