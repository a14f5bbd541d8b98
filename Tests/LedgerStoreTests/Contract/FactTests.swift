internal import EntitlementModel
internal import LedgerModel
internal import TestSupport
internal import Testing

/// Which entries belong together: lineages of one Apple ID, accounts that hold them.
@Suite("Facts", .timeLimit(.minutes(20)))
struct FactTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(
        "an account has its own entries and all of its lineages'",
        arguments: ContractStore.allCases)
    func ownedLineage(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        try await ledger.append(
            Sample.fact(try Sample.transaction("1", of: "1")), Sample.claim("alice", "1"),
            try Sample.decision(.lineage(Sample.lineage("1")), after: ["alice"]),
            Sample.block("bob", id: "b-1"), Sample.block("alice", id: "b-2"),
            Sample.fact(try Sample.transaction("9", of: "9")), Sample.claim("bob", "1"))
        #expect(try ledger.sequences(of: "alice") == [1, 2, 3, 5, 7])
        #expect(try ledger.sequences(of: "bob") == [1, 2, 3, 4, 7])
        #expect(try ledger.sequences(of: "nobody") == [])
    }

    @Test("lineages with one appTransactionId belong together", arguments: ContractStore.allCases)
    func sameAppTransaction(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        try await ledger.append(
            Sample.fact(try Sample.transaction("1", of: "1", apple: "A")),
            Sample.fact(try Sample.transaction("2", of: "2", apple: "A")),
            Sample.fact(try Sample.transaction("3", of: "3", apple: "B")),
            Sample.claim("alice", "1"))
        #expect(try ledger.sequences(of: "alice") == [1, 2, 4])
        #expect(try ledger.related("1") == ["1", "2"])
        let lineages = try ledger.read {
            try $0.lineages(
                withAppTransaction: AppTransactionID(unchecked: "A"), in: .production)
        }
        #expect(lineages == [Sample.lineage("1"), Sample.lineage("2")])
    }

    @Test(
        "an appTransactionId in a renewal info counts too, and comes late",
        arguments: ContractStore.allCases)
    func lateAppTransaction(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        try await ledger.append(
            Sample.fact(try Sample.transaction("1", of: "1", apple: "A")),
            Sample.fact(try Sample.transaction("2", of: "2")))
        #expect(try ledger.related("1") == ["1"])
        try await ledger.append(
            .renewal(
                RenewalFact(
                    snapshot: try Sample.renewal(of: "2", apple: "A"),
                    evidence: LedgerSequence(1))))
        #expect(try ledger.related("1") == ["1", "2"])
    }

    @Test(
        "lineages in one receipt belong together, through one another",
        arguments: ContractStore.allCases)
    func sharedReceipts(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        try await ledger.append(
            Sample.fact(try Sample.transaction("1", of: "1", receipt: 1)),
            Sample.fact(try Sample.transaction("2", of: "2", receipt: 1)),
            Sample.fact(try Sample.transaction("3", of: "3", receipt: 2)),
            Sample.fact(try Sample.transaction("4", of: "4", receipt: 2)),
            Sample.fact(try Sample.transaction("5", of: "5", receipt: 3)))
        #expect(try ledger.related("4") == ["3", "4"])
        try await ledger.append(
            Sample.fact(try Sample.transaction("2", of: "2", receipt: 2, in: .production)))
        #expect(try ledger.related("4") == ["1", "2", "3", "4"])
        #expect(try ledger.related("5") == ["5"])
    }

    @Test(
        "a lineage belongs together with the one that it goes on from, whichever is known first",
        arguments: ContractStore.allCases)
    func successions(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        func transaction(_ id: String, after previous: String) throws -> LedgerEntry {
            var snapshot = try Sample.transaction(id, of: id)
            snapshot.previousOriginalTransactionID = TransactionID(unchecked: previous)
            return Sample.fact(snapshot)
        }
        try await ledger.append(
            transaction("9", after: "5"), Sample.fact(try Sample.transaction("1", of: "1")))
        #expect(try ledger.related("1") == ["1"])
        try await ledger.append(transaction("5", after: "1"))
        #expect(try ledger.related("1") == ["1", "5", "9"])
    }

    @Test("environments are kept apart", arguments: ContractStore.allCases)
    func environments(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        try await ledger.append(
            Sample.fact(try Sample.transaction("1", of: "1", apple: "A")),
            Sample.fact(try Sample.transaction("1", of: "1", apple: "A", in: .sandbox)),
            Sample.claim("alice", "1"))
        #expect(try ledger.sequences(of: "alice") == [1, 3])
    }

    @Test(
        "a claim that comes before its transaction waits for it",
        arguments: ContractStore.allCases)
    func claimFirst(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        try await ledger.append(Sample.claim("alice", "2"))
        #expect(try ledger.read { try $0.lineage(of: Sample.key("2")) } == nil)
        let waiting = try ledger.read { try $0.facts(forTransactions: [Sample.key("2")]) }
        #expect(waiting.claims.map(\.sequence.number) == [1])

        try await ledger.append(Sample.fact(try Sample.transaction("2", of: "1")))
        #expect(try ledger.read { try $0.lineage(of: Sample.key("2")) } == Sample.lineage("1"))
        #expect(try ledger.sequences(of: "alice") == [1, 2])
        let facts = try ledger.read { try $0.facts(forLineage: Sample.lineage("1")) }
        #expect(facts.sequences == [1, 2])
    }

    @Test(
        "whoever holds a lineage of the Apple ID is touched by a fact about any of them",
        arguments: ContractStore.allCases)
    func accountsTouched(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        try await ledger.append(
            Sample.fact(try Sample.transaction("1", of: "1", apple: "A")),
            Sample.fact(try Sample.transaction("2", of: "2", apple: "A")),
            Sample.fact(try Sample.transaction("3", of: "3", apple: "B")),
            Sample.claim("carol", "3"), Sample.claim("bob", "1"),
            try Sample.decision(
                .purchase(Sample.key("1")), before: ["dave"], after: ["alice"]))
        let touched = try ledger.read {
            try $0.accountsTouched(byLineages: [Sample.lineage("2"), Sample.lineage("404")])
        }
        #expect(touched.map(\.text) == ["alice", "bob", "dave"])
        let accounts = try ledger.read {
            try $0.accounts(after: AccountID(unchecked: "alice"), limit: 2, folded: false)
        }
        #expect(accounts.map(\.text) == ["bob", "carol"])
    }

    @Test(
        "accounts are put into the order in which the ledger first named them",
        arguments: ContractStore.allCases)
    func ledgerOrder(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        try await ledger.append(
            Sample.claim("zoe", "1"), Sample.claim("bob", "2"), Sample.claim("zoe", "3"),
            Sample.claim("alice", "4"))
        let asked = ["alice", "nobody", "bob", "zoe"].map { AccountID(unchecked: $0) }
        let arranged = try ledger.read { try $0.inLedgerOrder(asked) }
        #expect(arranged.map(\.text) == ["zoe", "bob", "alice", "nobody"])
    }

    @Test(
        "a single purchase that changed hands brings its former owners' lineages along",
        arguments: ContractStore.allCases)
    func succession(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        let unit = OwnedUnit.purchase(Sample.key("1"))
        try await ledger.append(
            Sample.fact(try Sample.transaction("1", of: "1")),
            Sample.fact(try Sample.transaction("2", of: "2")), Sample.claim("alice", "2"),
            try Sample.decision(unit, after: ["alice"]),
            try Sample.decision(unit, before: ["alice"], after: ["bob"]),
            try Sample.decision(unit, before: ["bob"], after: ["carol"]),
            Sample.block("alice", id: "b-1"))
        #expect(try ledger.sequences(of: "carol") == [1, 2, 3, 4, 5, 6])
        let touched = try ledger.read {
            try $0.accountsTouched(byLineages: [Sample.lineage("2")])
        }
        #expect(touched.map(\.text) == ["alice", "bob", "carol"])
    }

    @Test(
        "a single purchase that was released brings its former owners' lineages along too",
        arguments: ContractStore.allCases)
    func successionAfterRelease(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        let unit = OwnedUnit.purchase(Sample.key("1"))
        try await ledger.append(
            Sample.fact(try Sample.transaction("1", of: "1")),
            Sample.fact(try Sample.transaction("2", of: "2")), Sample.claim("alice", "2"),
            try Sample.decision(unit, after: ["alice"]),
            try Sample.decision(unit, before: ["alice"], after: []),
            try Sample.decision(unit, after: ["bob"]), Sample.block("alice", id: "b-1"))
        #expect(try ledger.sequences(of: "bob") == [1, 2, 3, 4, 5, 6])
        #expect(try ledger.sequences(of: "alice") == [1, 2, 3, 4, 5, 6, 7])
        let touched = try ledger.read {
            try $0.accountsTouched(byLineages: [Sample.lineage("2")])
        }
        #expect(touched.map(\.text) == ["alice", "bob"])
    }

    @Test(
        "the account that a purchase's token names is among the facts",
        arguments: ContractStore.allCases)
    func tokens(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        let token = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        try await ledger.append(
            Sample.fact(try Sample.transaction("1", of: "1", token: token)),
            try Sample.registration("bob", token.uppercased()), Sample.claim("alice", "1"))
        #expect(try ledger.sequences(of: "alice") == [1, 2, 3])
        let facts = try ledger.read { try $0.facts(forTransactions: [Sample.key("1")]) }
        #expect(facts.accountTokens.map(\.value.account.text) == ["bob"])
    }

    @Test(
        "what a rule has denied is found for its claimant, and for others where that is asked for",
        arguments: ContractStore.allCases)
    func denials(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        let unit = OwnedUnit.lineage(Sample.lineage("1"))
        let id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        try await ledger.append(
            Sample.fact(try Sample.transaction("1", of: "1")), Sample.claim("alice", "1"),
            try Sample.decision(unit, after: ["alice"]), Sample.claim("bob", "1"),
            try Sample.denial(unit, of: 4, owner: "alice"), Sample.claim(id.uppercased(), "1"),
            try Sample.denial(unit, of: 6, owner: "alice", outcome: .waiting),
            // A person has refused it: whoever is asked about the unit is told.
            try Sample.denial(unit, of: 6, owner: "alice", outcome: .denied, by: .builtIn(.byHand)))
        #expect(try ledger.sequences(of: "alice") == [1, 2, 3, 8])
        #expect(try ledger.sequences(of: "bob") == [1, 2, 3, 4, 5, 8])
        #expect(try ledger.sequences(of: id) == [1, 2, 3, 6, 7, 8])
        try ledger.read { (ledger) throws in
            let (keys, lineages) = ([Sample.key("1")], Set([Sample.lineage("1")]))
            func denials(_ accounts: [String]?) throws -> [Int64] {
                let accounts = accounts.map { Set($0.map { AccountID(unchecked: $0) }) }
                return try ledger.denials(ofLineages: lineages, to: accounts).sequences
            }
            #expect(try ledger.facts(forTransactions: keys).sequences == Array(1...8))
            let rest = try ledger.facts(forTransactions: keys, withDenials: false)
            #expect(rest.sequences == [1, 2, 3, 8])
            #expect(try ledger.facts(forLineage: Sample.lineage("1")).sequences == Array(1...8))
            #expect(try denials(nil) == [4, 5, 6, 7])
            #expect(try denials(["bob", "nobody"]) == [4, 5])
            #expect(try denials([id]) == [6, 7])
            #expect(try denials([]) == [])
        }
    }

    @Test("natural keys find what is there, and nothing else", arguments: ContractStore.allCases)
    func naturalKeys(in store: ContractStore) async throws {
        let ledger = try store.open(in: folder)
        let transaction = try Sample.transaction("1", of: "1", digest: 1)
        let renewal = try Sample.renewal(of: "1")
        try await ledger.append(
            Sample.fact(transaction),
            .renewal(RenewalFact(snapshot: renewal, evidence: LedgerSequence(1))),
            Sample.notification("uuid"), Sample.block("alice", id: "b-1"))
        var imported = transaction
        imported.source.trust = .imported
        var later = transaction
        later.signedDate = Sample.day(1)
        var otherDigest = renewal
        otherDigest.source.canonicalDigest = try Sample.digest(7)
        try ledger.read { (ledger) throws in
            #expect(try ledger.sequence(of: transaction)?.number == 1)
            #expect(try ledger.sequence(of: imported) == nil)
            #expect(try ledger.sequence(of: later) == nil)
            #expect(try ledger.sequence(of: renewal)?.number == 2)
            #expect(try ledger.sequence(of: otherDigest) == nil)
            #expect(try ledger.sequence(ofNotification: "uuid")?.number == 3)
            #expect(try ledger.sequence(ofNotification: "other") == nil)
            #expect(try ledger.sequence(of: BlockID(unchecked: "b-1"))?.number == 4)
            #expect(try ledger.sequence(of: GrantID(unchecked: "b-1")) == nil)
        }
    }

    @Test(
        "what is known by its natural key is not stored twice",
        arguments: ContractStore.allCases,
        ["transaction", "renewal", "notification", "grant", "block", "full renewal"])
    func duplicates(in store: ContractStore, name: String) async throws {
        let ledger = try store.open(in: folder)
        let named = try EntrySample.all().filter { $0.name.contains(name) }
        let entry = try #require(named.first?.entry)
        try await ledger.append(entry)
        let error = await #expect(throws: LedgerError.self) { try await ledger.append(entry) }
        #expect(error?.kind == .duplicate)
        #expect(try ledger.read { try $0.head().sequence.number } == 1)
    }
}

extension ReadableLedger {
    fileprivate func sequences(of account: String) throws -> [Int64] {
        try read { try $0.facts(forAccount: AccountID(unchecked: account)) }.sequences
    }

    fileprivate func related(_ original: String) throws -> [String] {
        try read { try $0.lineages(relatedTo: Sample.lineage(original)) }
            .map(\.originalTransactionID.text)
    }
}

extension FactSet {
    fileprivate var sequences: [Int64] {
        let lists: [[LedgerSequence]] = [
            transactions.map(\.sequence), renewals.map(\.sequence), claims.map(\.sequence),
            decisions.map(\.sequence), rulings.map(\.sequence), grants.map(\.sequence),
            grantRevocations.map(\.sequence), blocks.map(\.sequence),
            blockRemovals.map(\.sequence), accountTokens.map(\.sequence),
            quarantines.map(\.sequence),
        ]
        return lists.joined().map(\.number).sorted()
    }
}
