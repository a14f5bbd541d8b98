internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import LedgerStore

/// Orders of the example app, all of them finished but for some, which are spread among them:
/// those are delivered, and nobody has said that they were finished.
struct OrderPopulation {
    private static let start = Instant(milliseconds: 1_767_225_600_000)
    private static let product = ProductID(unchecked: "com.example.reader.coins.100")
    private static let inOneCommit = 500

    let orders: Int
    let lost: Int

    func write(to path: String) async throws {
        let ledger = try SQLiteLedger.open(path: path, makeSalts: EngineOptions.randomSalts)
        for first in stride(from: 0, to: orders, by: Self.inOneCommit) {
            _ = try await ledger.write { transaction in
                for number in first..<min(first + Self.inOneCommit, orders) {
                    let time = Self.start.advanced(byMilliseconds: Int64(number))
                    for entry in entries(of: number) {
                        _ = try transaction.append(entry, at: time)
                    }
                }
            }
        }
        try ledger.close()
    }

    /// What the list passes over is as short as an order can be.
    private func entries(of number: Int) -> [LedgerEntry] {
        let id = Self.id(number)
        let order = Order(
            id: id, account: Population.account(number % 10_000), product: Self.product,
            policy: Population.digest(0), actor: "uid:0")
        let isLost = number * lost / orders != (number + 1) * lost / orders
        guard isLost else {
            return [
                .order(order),
                .orderEvent(
                    OrderEvent(order: id, kind: .finished, state: .finished, actor: "uid:0")),
            ]
        }
        let payment = TransactionKey(
            .production, TransactionID(unchecked: "\(4_000_000_000 + number)"))
        let told: [(OrderEventKind, OrderState)] = [
            (.paying, .paying), (.paid, .paid), (.delivered, .delivered),
        ]
        return [.order(order)]
            + told.map { kind, state in
                .orderEvent(
                    OrderEvent(
                        order: id, kind: kind, state: state,
                        transaction: kind == .paying ? nil : payment,
                        basis: kind == .paid ? .token : nil, actor: "uid:0"))
            }
    }

    private static func id(_ number: Int) -> OrderID {
        let digits = String(number)
        let zeros = String(repeating: "0", count: 12 - digits.utf8.count)
        return OrderID(unchecked: "00000000-0000-4000-8000-" + zeros + digits)
    }
}
