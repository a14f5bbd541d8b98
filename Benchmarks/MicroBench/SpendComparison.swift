internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerStore
internal import PolicyLoading
internal import StoreSimulator

extension MicroBench {
    /// Thirty-two callers that spend, each answered when it is durable, beside bare SQLite writing
    /// the same rows, 32 spends in a commit.
    static func spends(in folder: BenchFolder, passes: Int) async throws -> Comparison {
        let bench = SpendBench(folder)
        let first = try await bench.spend()
        let copy = try LedgerCopy(of: first)
        return try await Comparison(
            "a spend of one credit",
            ours: .init(name: "engine, 32 callers") {
                _ = try await bench.spend()
                return SpendBench.spends
            },
            yardstick: .init(name: "bare SQLite, same rows, FULL") {
                let target = try copy.makeTarget(at: bench.newPath())
                try copy.write(
                    to: target, transactions: SpendBench.spends / SpendBench.callers)
                return SpendBench.spends
            }, passes: passes)
    }
}

/// Accounts that were given more than they spend.
private final class SpendBench {
    static let callers = 32
    static let spends = 4_000
    private static let accounts = 256
    private static let now = Instant(milliseconds: 1_780_000_000_000)

    private let folder: BenchFolder
    private let policy: [PolicyText]
    private var files = 4_000

    init(_ folder: BenchFolder) {
        self.folder = folder
        let store = StoreSimulator(seed: 1, now: Self.now)
        let text = """
            usher: 1
            app: {bundle_id: com.example.shop, apple_id: 77}
            trust: {roots: {jws: [{file: root.der}]}}
            environments: {production: trusted}
            credits: {coins: {title: Coins}}
            products:
              coins: {kind: consumable, grants: [{credit: coins, units: 100}]}
            """
        policy = [
            PolicyText(path: "policy.yaml", text: text),
            PolicyText(path: "root.der", bytes: store.root.der),
        ]
    }

    func newPath() -> String {
        files += 1
        return folder.newPath(files)
    }

    /// - Returns: the path of the ledger.
    func spend() async throws -> String {
        let path = newPath()
        let engine = try await EntitlementEngine.open(
            EngineOptions(
                ledger: LedgerFileLocation(path, makeSalts: EngineOptions.randomSalts),
                policyTexts: policy, clock: StoppedClock(Self.now)))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<Self.callers {
                group.addTask {
                    for number in stride(from: caller, to: Self.accounts, by: Self.callers) {
                        try await engine.give(to: Population.account(number))
                    }
                    for number in stride(from: caller, to: Self.spends, by: Self.callers) {
                        let account = Population.account(number % Self.accounts)
                        try await engine.spend(from: account, key: "spend-\(number)")
                    }
                }
            }
            try await group.waitForAll()
        }
        try engine.close()
        return path
    }
}

extension EntitlementEngine {
    fileprivate func give(to account: AccountID) async throws {
        let request = GrantRequest(
            id: GrantID(unchecked: "gift-\(account)"), account: account,
            gift: .credit(CreditName(unchecked: "coins"), units: 1_000_000),
            cause: AdminActionCause(actor: "uid:0", reason: "a measurement"))
        guard case .done = try await grant(request) else { throw BenchFailure.refused("a grant") }
    }

    fileprivate func spend(from account: AccountID, key: String) async throws {
        let request = SpendRequest(
            account: account, parts: [CreditPart(CreditName(unchecked: "coins"), 1)], key: key,
            cause: CreditCause(actor: "uid:0"))
        guard case .done = try await spend(request) else { throw BenchFailure.refused("a spend") }
    }
}
