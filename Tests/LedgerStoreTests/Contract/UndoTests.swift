internal import EntitlementModel
internal import LedgerModel
internal import TestSupport
internal import Testing

/// What the writer remembers within a transaction goes where a failing body goes.
@Suite("Undoing a body", .timeLimit(.minutes(20)))
struct UndoTests {
    /// One write: everything about a purchase that gets a number or is remembered.
    private struct Write: Sendable {
        let entries: [LedgerEntry]
        let fails: Bool
        private let account: AccountID
        private let order: OrderID

        init(_ name: String, fails: Bool = false, repeats: Bool = false) throws {
            let transaction = "\(name)1"
            account = AccountID(unchecked: "u-\(name)")
            order = OrderID(unchecked: "o-\(name)")
            let made = Order(
                id: order, account: account, environment: .production,
                product: ProductID(unchecked: "gold"), policy: try Sample.digest(6), actor: "uid:7")
            let event = OrderEvent(order: order, kind: .paying, state: .paying, actor: "uid:7")
            let merge = AccountMerge(
                from: AccountID(unchecked: "guest-\(name)"), into: account, actor: "uid:7",
                reason: "signed up", rules: Sample.rules)
            let purchase = try Sample.fact(
                Sample.transaction(transaction, of: name, apple: "7\(name)"))
            let renewal = LedgerEntry.renewal(
                RenewalFact(
                    snapshot: try Sample.renewal(of: name, apple: "7\(name)"),
                    evidence: LedgerSequence(1)))
            entries =
                [
                    purchase, renewal, Sample.claim("u-\(name)", transaction),
                    try Sample.decision(.lineage(Sample.lineage(name)), after: ["u-\(name)"]),
                    .order(made), .orderEvent(event), .accountMerge(merge),
                ] + (repeats ? [purchase] : [])
            self.fails = fails
        }

        func run(in transaction: any LedgerWriting) throws {
            var (events, merges) = (0, 0)
            for entry in entries {
                _ = try transaction.append(entry, at: Sample.start)
                if case .orderEvent = entry { events += 1 }
                if case .accountMerge = entry { merges += 1 }
                // An answer that is remembered is the one as of the entries so far.
                #expect(try (transaction.order(order)?.events.count ?? 0) == events)
                #expect(try transaction.mergesAndBlocks(of: account).accountMerges.count == merges)
            }
            if fails { throw Refused() }
        }
    }

    private struct Refused: Error {}

    struct Batch: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The names of the purchases; `!` for a body that throws in the end, `+` for one that
        /// meets its own first entry again.
        let writes: [String]
    }

    @Test(
        "a failing body leaves the ledger as if it had never been there",
        arguments: ContractStore.allCases,
        [
            Batch(testDescription: "alone", writes: ["10!"]),
            Batch(testDescription: "alone, by a duplicate", writes: ["10+"]),
            Batch(testDescription: "before the same names", writes: ["10!", "10"]),
            Batch(testDescription: "before other names", writes: ["10!", "20", "10"]),
            Batch(testDescription: "behind another", writes: ["20", "10!", "10"]),
            Batch(testDescription: "among its like", writes: ["10!", "20+", "20!", "10", "20"]),
            Batch(testDescription: "last", writes: ["10", "20!"]),
        ])
    func failingBody(in store: ContractStore, batch: Batch) async throws {
        let folder = try TemporaryFolder()
        let ledger = try store.open(in: folder)
        let writes = try batch.writes.map { text in
            try Write(
                String(text.prefix(2)), fails: text.hasSuffix("!"), repeats: text.hasSuffix("+"))
        }
        try await run(writes, inOneBatchOf: ledger)
        try await ledger.append(Sample.block("alice", id: "b-1"))

        let kept = zip(batch.writes, writes).filter { $0.0.count == 2 }.flatMap(\.1.entries)
        let entries = try ledger.read { try $0.entries(after: .zero, limit: 100) }
        #expect(entries.map(\.value) == kept + [Sample.block("alice", id: "b-1")])
        #expect(entries.map(\.sequence.number) == Array(1...Int64(entries.count)))
        // The chain follows on, and the index is what the entries make of it.
        #expect(try ledger.verify() == [])
        try ledger.close()
        withExtendedLifetime(folder) {}
    }

    /// They wait behind a write that holds the writer, and so share the next transaction.
    private func run(_ writes: [Write], inOneBatchOf ledger: any Ledger) async throws {
        let gate = WriterGate()
        async let holding: Void = ledger.write { _ in gate.hold() }
        try await gate.waitUntilHeld()
        var results: [Task<Void, any Error>] = []
        for write in writes {
            results.append(Task { try await ledger.write { try write.run(in: $0) } })
            let count = results.count
            try await yieldUntil("the write waits") {
                try ledger.condition().waitingWrites >= count
            }
        }
        gate.open()
        try await holding
        for (write, result) in zip(writes, results) {
            let isUndone = write.fails || write.entries.count > 7
            switch await result.result {
            case .success: #expect(!isUndone)
            case .failure: #expect(isUndone)
            }
        }
    }
}
