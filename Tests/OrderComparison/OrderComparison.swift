internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementSpecification
package import HistoryComparison
package import LedgerModel
internal import MemoryLedger
package import TestSupport

/// The engine's orders beside the specification's, over one script.
package struct OrderScriptComparison: Sendable {
    package private(set) var disagreements: [Disagreement] = []
    package private(set) var coverage = Coverage()
    package private(set) var calls = 0
    package private(set) var orders = 0
    /// Orders that a payment belongs to.
    package private(set) var paid = 0
    /// Orders that a person has or had to look at.
    package private(set) var reviewed = 0
    /// Orders that were closed when their payment came.
    package private(set) var reopened = 0
    package private(set) var instants = 0

    /// An engine that fails is a disagreement too.
    ///
    /// - Parameter nodes: where the ledger is for each node of a fleet; one in memory if omitted.
    package static func of(
        _ script: OrderScript, on nodes: [any LedgerLocation] = [MemoryLedger()]
    ) async -> OrderScriptComparison {
        var comparison = OrderScriptComparison()
        do {
            try await comparison.compare(script, on: nodes)
        } catch {
            comparison.fail(because: error)
        }
        return comparison
    }

    private init() {}

    /// Of a script that could not be played.
    package init(failing error: any Error) {
        fail(because: error)
    }

    private mutating func fail(because error: any Error) {
        disagreements.append(
            Disagreement("calls of the engine", derived: "\(error)", specified: "answers"))
    }

    private mutating func compare(
        _ script: OrderScript, on nodes: [any LedgerLocation]
    ) async throws {
        let playback = try await OrderPlayback(script, on: nodes)
        defer { try? playback.shop.close() }
        disagreements = playback.disagreements
        coverage = playback.coverage
        calls = playback.calls
        let all = playback.specified.orders
        orders = all.count
        paid = all.count { $0.payment != nil }
        reviewed = all.count { $0.events.contains { $0.kind == .tied } }
        reopened = all.count(where: \.wasReopened)
        try compareAnswers(playback, after: script.steps.last?.recordedAt)
        disagreements += orderProperties(of: playback)
        disagreements += try await followerDifferences(of: playback)
    }

    /// What is answered now, and at every instant at which an order is abandoned, and beside it.
    private mutating func compareAnswers(
        _ playback: OrderPlayback, after end: Instant?
    ) throws {
        guard let end else { return }
        let deadlines = playback.specified.orders.compactMap(\.deadline).flatMap { deadline in
            [-1, 0, 1].map { deadline.advanced(byMilliseconds: $0) }
        }
        let far = end.advanced(byMilliseconds: 400 * 86_400_000)
        let specification = playback.specification()
        for instant in Set(deadlines + [end, far]).sorted() where instant >= end {
            instants += 1
            for order in playback.specified.orders {
                let told = try playback.shop.engine.questions.order(order.id, at: instant)
                let state = order.state(at: instant)
                coverage.visit("order \(state.rawValue)")
                let expected =
                    "\(state.rawValue) \(order.payment?.transactionID.text ?? "-") "
                    + "\(order.parent?.text ?? "-") \(order.lastAccount)"
                let answered = told.map {
                    "\($0.state.rawValue) \($0.transaction?.text ?? "-") "
                        + "\($0.parent?.text ?? "-") \($0.account)"
                }
                if answered != expected {
                    disagreements.append(
                        Disagreement(
                            "answer about the order \(order.id)", at: instant,
                            derived: answered ?? "none", specified: expected))
                }
            }
        }
        try compareBalances(playback, specification, at: far)
    }

    /// What was delivered, given and taken back comes to the same.
    private mutating func compareBalances(
        _ playback: OrderPlayback, _ specification: Specification, at instant: Instant
    ) throws {
        let accounts = Set(
            playback.specified.orders.map(\.lastAccount)
                + playback.facts.decisions.flatMap(\.value.ownersAfter)
        ).map(specification.name)
        for account in Set(accounts).sorted() {
            let (view, _) = try playback.shop.engine.account(account)
            let coins = CreditName(unchecked: "coins")
            for key in [CreditKey(.production, coins), CreditKey(.sandbox, coins)] {
                let told =
                    view.balances(in: key.environment, at: instant)
                    .first { $0.credit == key.credit }?.balance ?? 0
                let expected = specification.balance(of: account, key: key, at: instant)
                if expected != 0 { coverage.visit("order histories with a balance") }
                if Int128(told) != Int128(expected) {
                    disagreements.append(
                        Disagreement(
                            "coins of \(account)", at: instant, derived: "\(told)",
                            specified: "\(expected)"))
                }
            }
        }
    }
}
