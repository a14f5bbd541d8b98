internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerStore
internal import PolicyLoading
internal import StoreBox

extension MicroBench {
    /// Thirty-two callers that make an order and hand in what pays it, each answered when it is
    /// durable, beside bare SQLite writing the same rows, 32 calls in a commit.
    static func orders(in folder: BenchFolder, passes: Int) async throws -> Comparison {
        let bench = OrderBench(folder)
        let first = try await bench.buy(at: bench.newPath())
        let copy = try LedgerCopy(of: first)
        return try await Comparison(
            "an order and its evidence, 2 calls",
            ours: .init(name: "engine, 32 callers") {
                _ = try await bench.buy(at: bench.newPath())
                return OrderBench.purchases
            },
            yardstick: .init(name: "bare SQLite, same rows, FULL") {
                let target = try copy.makeTarget(at: bench.newPath())
                try copy.write(
                    to: target, transactions: 2 * OrderBench.purchases / OrderBench.callers)
                return OrderBench.purchases
            }, passes: passes)
    }

    /// The same evidence of accounts that have an open order, which it pays, and of accounts that
    /// have none, in a ledger without orders.
    static func evidenceBesideOrders(
        in folder: BenchFolder, passes: Int
    ) async throws -> Comparison {
        let bench = OrderBench(folder)
        let open = try await bench.ledgers(passes + 1) { engine, account in
            _ = try await engine.makeOrder(account)
        }
        let none = try await bench.ledgers(passes + 1) { _, _ in }
        return try await Comparison(
            "evidence of a purchase",
            ours: .init(name: "it pays an open order, 32 callers") {
                try await bench.handIn(at: open.next())
            },
            yardstick: .init(name: "a ledger without orders, 32 callers") {
                try await bench.handIn(at: none.next())
            }, passes: passes)
    }
}

extension MicroBench {
    /// Evidence that is recorded while its changes are told, and while nobody tells them.
    static func evidenceBesideFeed(
        in folder: BenchFolder, passes: Int
    ) async throws -> Comparison {
        let bench = OrderBench(folder)
        return try await Comparison(
            "evidence of a purchase, told",
            ours: .init(name: "until its changes are told, 32 callers") {
                try await bench.handIn(at: bench.newPath(), isTold: true)
            },
            yardstick: .init(name: "nothing is told, 32 callers") {
                try await bench.handIn(at: bench.newPath())
            }, passes: passes)
    }
}

/// Signed purchases, each of an account of its own, and engines to hand them to.
private final class OrderBench {
    static let callers = 32
    static let purchases = 4_000
    fileprivate static let product = "gold"
    private static let now = Instant(milliseconds: 1_780_000_000_000)

    private let evidence: [[UInt8]]
    private let folder: BenchFolder
    private let policy: [PolicyText]

    init(_ folder: BenchFolder) {
        self.folder = folder
        let store = StoreSimulator(seed: 1, now: Self.now)
        evidence = (0..<Self.purchases).map { number in
            store.sign(
                SimulatedTransaction(
                    bundleID: "com.example.shop", productID: Self.product, kind: .autoRenewable,
                    transactionID: "\(3_000_000_000 + number)", purchaseDate: Self.now,
                    expiresDate: Self.now.advanced(byMilliseconds: 30 * 86_400_000)
                ).payload)
        }
        policy = NotificationBench.policyTexts(trusting: store)
    }

    func newPath() -> String { folder.newPath() }

    /// - Returns: the path of the ledger.
    func buy(at path: String) async throws -> String {
        let evidence = evidence
        try await play(at: path) { engine, number in
            let order = try await engine.makeOrder(Population.account(number))
            try await engine.submit(
                evidence[number], of: Population.account(number), paying: order)
        }
        return path
    }

    /// - Parameter isTold: whether the change feed is kept, and all that it has to tell belongs to it.
    /// - Returns: how many purchases.
    func handIn(at path: String, isTold: Bool = false) async throws -> Int {
        let evidence = evidence
        try await play(at: path, isTold: isTold) { engine, number in
            try await engine.submit(evidence[number], of: Population.account(number), paying: nil)
        }
        return Self.purchases
    }

    /// As many ledgers alike, in which something was done for each account.
    func ledgers(
        _ count: Int,
        _ prepare: @escaping @Sendable (EntitlementEngine, AccountID) async throws -> Void
    ) async throws -> Paths {
        let first = newPath()
        try await play(at: first) { engine, number in
            try await prepare(engine, Population.account(number))
        }
        let source = try RawSQLite(path: first)
        let copies = try (0..<count).map { _ in
            let path = newPath()
            try source.execute("VACUUM INTO '\(path)'")
            return path
        }
        return Paths(copies)
    }

    /// Does it for all purchases, from all callers at once.
    private func play(
        at path: String, isTold: Bool = false,
        _ act: @escaping @Sendable (EntitlementEngine, Int) async throws -> Void
    ) async throws {
        let engine = try await EntitlementEngine.open(
            EngineOptions(
                ledger: LedgerFileLocation(path, makeSalts: EngineOptions.randomSalts),
                policyTexts: policy, clock: StoppedClock(Self.now)))
        if isTold { engine.startFeed() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<Self.callers {
                group.addTask {
                    for number in stride(from: caller, to: Self.purchases, by: Self.callers) {
                        try await act(engine, number)
                    }
                }
            }
            try await group.waitForAll()
        }
        // What the feed's own thread has not told yet.
        while isTold, try await engine.advanceFeed(at: Self.now) {}
        try engine.close()
    }
}

/// Files that are used once each.
private final class Paths {
    private var rest: ArraySlice<String>

    init(_ paths: [String]) { rest = paths[...] }

    func next() -> String {
        guard let path = rest.popFirst() else { preconditionFailure("one for each pass was made") }
        return path
    }
}

extension EntitlementEngine {
    fileprivate func makeOrder(_ account: AccountID) async throws -> OrderID {
        let request = OrderRequest(
            account: account, product: ProductID(unchecked: OrderBench.product),
            key: "order-\(account)", actor: "uid:0")
        guard case .done(let history) = try await makeOrder(request).report else {
            throw BenchFailure.refused("an order")
        }
        return history.id
    }

    fileprivate func submit(
        _ evidence: [UInt8], of account: AccountID, paying order: OrderID?
    ) async throws {
        let reports = try await submit([
            EvidenceSubmission(payload: evidence, account: account, order: order)
        ])
        guard case .judged(let judged)? = reports.first, judged.orderProblem == nil,
            order == nil || judged.transactions.first?.order == order
        else { throw BenchFailure.refused("a genuine purchase") }
    }
}
