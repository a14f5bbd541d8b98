internal import EntitlementModel
internal import Glibc
package import LedgerStore
package import PolicyLoading

/// What an engine is opened with.
package struct EngineOptions: Sendable {
    package var ledgerPath: String
    package var policyTexts: [PolicyText]
    package var clock: any EngineClock
    /// How many accounts are kept in memory at most: about 0.7 kB each where
    /// there are eight transactions (`scripts/bench`).
    package var accountsInMemory: Int
    /// How the ledger's file is kept.
    package var custody = LedgerCustody()
    /// Makes unpredictable bytes for the ledger's salts, some times 16 at each call.
    package var makeSalts: @Sendable () -> [UInt8]

    package init(
        ledgerPath: String, policyTexts: [PolicyText], clock: any EngineClock = SystemClock(),
        accountsInMemory: Int = 2_000_000,
        makeSalts: @escaping @Sendable () -> [UInt8] = EngineOptions.randomSalts
    ) {
        self.ledgerPath = ledgerPath
        self.policyTexts = policyTexts
        self.clock = clock
        self.accountsInMemory = accountsInMemory
        self.makeSalts = makeSalts
    }

    /// Sixteen salts of the system's random source, in one call to it.
    @Sendable
    package static func randomSalts() -> [UInt8] {
        // As many bytes as the system gives whole, whatever happens meanwhile.
        [UInt8](unsafeUninitializedCapacity: 256) { room, count in
            guard getentropy(room.baseAddress, room.count) == 0 else {
                preconditionFailure("the system has a random source")
            }
            count = room.count
        }
    }
}

extension EntitlementEngine {
    /// Opens the ledger, making it if there is none, and puts the policy into force.
    ///
    /// A policy that differs from the one last in force is recorded with its full text before
    /// the first question is answered by it.
    /// - Throws: `.policyRefused` if the texts have errors; the ledger is not touched then.
    package static func open(
        _ options: EngineOptions
    ) async throws(EngineError) -> EntitlementEngine {
        let report = loadNewPolicy(options.policyTexts)
        guard let policy = report.policy else { throw .policyRefused(report.diagnostics) }
        let ledger: Ledger
        do {
            ledger = try Ledger.open(
                path: options.ledgerPath, custody: options.custody, makeSalts: options.makeSalts)
        } catch {
            throw .ledger(error)
        }
        let history = try await record(policy, options, in: ledger)
        let head = try ledger.reading { reader throws(LedgerStoreError) in
            try reader.head()
        }
        return EntitlementEngine(
            ledger: ledger, policy: ActivePolicy(history), head: head,
            clock: options.clock, accountsInMemory: options.accountsInMemory)
    }

    private static func record(
        _ policy: Policy, _ options: EngineOptions, in ledger: Ledger
    ) async throws(EngineError) -> PolicyHistory {
        let known = try PolicyHistory(recordedIn: ledger.reader)
        if let known, known.current.digest == policy.digest { return known }
        let activation = PolicyActivation(policy, texts: options.policyTexts)
        let now = options.clock.now()
        let activatedAt = try await ledger.writing(
            { transaction throws(LedgerStoreError) in
                _ = try transaction.append(.policyActivation(activation), at: now)
                return try transaction.head().recordedAt
            }, committed: { _ in })
        guard var history = known else {
            return PolicyHistory(.init(policy: policy, activatedAt: activatedAt))
        }
        history.activate(policy, at: activatedAt)
        return history
    }
}
