internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

@Suite("The same again, and the impossible", .timeLimit(.minutes(20)))
struct RepetitionTests {
    @Test("D15: one notification a thousand times, in turn and at once, is one")
    func sameNotification() async throws {
        let hostile = HostileEvidence()
        let shop = try await PlayedShop(trusting: hostile.trusted)
        let bytes = hostile.notification()
        try await shop.present(bytes, as: nil)
        let head = shop.engine.revision
        for _ in 0..<10 {
            let reports = try await shop.engine.submit(
                [EvidenceSubmission](repeating: EvidenceSubmission(payload: bytes), count: 100))
            #expect(reports.allSatisfy { $0.refusalCode == nil })
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 { group.addTask { try await shop.present(bytes, as: nil) } }
            try await group.waitForAll()
        }
        #expect(shop.engine.revision == head)
    }

    @Test("D16: one fact under a hundred notifications is one fact")
    func sameFact() async throws {
        let hostile = HostileEvidence()
        let shop = try await PlayedShop(trusting: hostile.trusted)
        let coins = hostile.transaction {
            $0.productID = "coins100"
            $0.kind = .consumable
        }
        try await shop.present(coins, as: "alice")
        let head = shop.engine.revision.number
        for number in 100..<200 {
            let bytes = hostile.notification {
                $0.uuid = "002e14d5-51f5-4503-b5a8-c3a1af68e\(number)"
                $0.transaction = coins
            }
            try await shop.present(bytes, as: nil)
        }
        #expect(shop.engine.revision.number == head + 200, "evidence and notification each")
        let (view, _) = try shop.engine.account(AccountID("alice"))
        let balances = view.balances(in: .production, at: HostileEvidence.now)
        #expect(balances.map(\.balance) == [100])
    }

    @Test("A14: other signatures over the same payload say nothing new")
    func otherSignatures() async throws {
        let hostile = HostileEvidence()
        let shop = try await PlayedShop(trusting: hostile.trusted)
        try await shop.present(hostile.transaction(), as: "alice")
        let head = shop.engine.revision
        for _ in 0..<50 {
            let report = try await shop.present(hostile.transaction(), as: "alice")
            #expect(report.judged?.transactions.map(\.standing) == [.owned])
        }
        #expect(shop.engine.revision == head)
    }

    @Test("the same claim twice is answered twice alike, whoever owns the purchase by then")
    func sameClaim() async throws {
        let shop = try await Shop(
            rules: """
                account_switch: [{name: move, when: {moment: restore}, then: transfer}]
                """)
        let token = "00000000-0000-4000-8000-00000000000a"
        _ = try await shop.engine.register(
            try #require(AppAccountToken(token)), for: "alice",
            AdminActionCause(actor: "uid:7", reason: "a test"))
        let gold = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20") {
            $0.appAccountToken = token
        }
        for _ in 0..<3 {
            let report = try #require(try await shop.present(gold, as: "bob").judged)
            #expect(report.transactions.map(\.standing) == [.denied(.token)])
            #expect(report.transactions.map(\.owners) == [["al***"]])
        }
        let again = EvidenceSubmission(payload: gold, account: "bob")
        _ = try await shop.engine.submit([again, again])
        #expect(try shop.answer("alice", "premium").decision)
        #expect(try !shop.answer("bob", "premium").decision)
    }

    struct Impossible: CustomTestStringConvertible, Sendable {
        let name: String
        let code: QuarantineCode
        let make: @Sendable (HostileEvidence) -> [UInt8]

        init(
            _ name: String, _ code: QuarantineCode,
            _ make: @escaping @Sendable (HostileEvidence) -> [UInt8]
        ) {
            self.name = name
            self.code = code
            self.make = make
        }

        var testDescription: String { "\(name): \(code.rawValue)" }
    }

    private static func subscription(_ end: Int64?) -> @Sendable (HostileEvidence) -> [UInt8] {
        { hostile in
            hostile.transaction { transaction in
                transaction.productID = "gold"
                transaction.kind = .autoRenewable
                transaction.expiresDate = end.map {
                    HostileEvidence.now.advanced(byMilliseconds: $0 * 86_400_000)
                }
            }
        }
    }

    private static func text(
        _ change: @escaping @Sendable (String) -> String
    ) -> @Sendable (HostileEvidence) -> [UInt8] {
        { hostile in
            let payload = HostileEvidence.prize.payload.text
            return hostile.store.sign(payloadBytes: Array(change(payload).utf8))
        }
    }

    private static func field(
        _ name: String, _ value: JSONValue
    ) -> @Sendable (HostileEvidence) -> [UInt8] {
        { $0.transaction { $0.otherFields = [JSONMember(name, value)] } }
    }

    static let impossible =
        [
            Impossible("D24: a subscription without an end", .implausibleExpiry, subscription(nil)),
            Impossible("D24: an end in four years", .implausibleExpiry, subscription(1_461)),
            Impossible("D24: an end before the start", .implausibleExpiry, subscription(-30)),
            Impossible("D24: an end in a hundred years", .implausibleDate, subscription(36_500)),
            Impossible("D24: an end in 1970", .implausibleDate) {
                $0.transaction {
                    $0.productID = "gold"
                    $0.kind = .autoRenewable
                    $0.expiresDate = Instant(milliseconds: 0)
                }
            },
            Impossible("C15: bought in 1970", .implausibleDate) {
                $0.transaction { $0.purchaseDate = Instant(milliseconds: 0) }
            },
            Impossible("A21: a trailing comma", .payloadJSON, text { $0.dropLast() + ",}" }),
            Impossible("A21: a byte order mark", .payloadJSON, text { "\u{FEFF}" + $0 }),
            Impossible(
                "A21: a key twice", .payloadJSON,
                text { $0.dropLast() + #","productId":"gold"}"# }),
        ]
        + [0, -1, 10_000_001, .max].map { quantity in
            Impossible("D25: \(quantity) of them", .implausibleQuantity) {
                $0.transaction { $0.quantity = quantity }
            }
        }
        + ["productId", "purchaseDate", "quantity", "type"].flatMap { name in
            [JSONValue.bool(true), .array([]), .object([])].map { value in
                Impossible("A23: \(name) is \(value.text)", .payloadType, field(name, value))
            }
        }

    @Test(
        "is kept once, without effect, with a finding that names who handed it in",
        arguments: impossible)
    func quarantines(case impossible: Impossible) async throws {
        let hostile = HostileEvidence()
        let shop = try await PlayedShop(trusting: hostile.trusted)
        let bytes = impossible.make(hostile)
        let head = shop.engine.revision.number
        let report = try #require(try await shop.present(bytes, as: "mallory").judged)
        #expect(report.quarantined.map(\.code) == [impossible.code])
        #expect(report.transactions.isEmpty)
        #expect(shop.engine.revision.number == head + 2, "the evidence and the quarantine")
        try await shop.present(bytes, as: "mallory")
        #expect(shop.engine.revision.number == head + 2)
        #expect(try shop.grants("mallory") == [])
        let mallory = AccountID("mallory")
        let told = try shop.engine.questions.report(on: mallory, at: HostileEvidence.now)
        let findings = told.findings
        #expect(findings.map(\.kind) == [.quarantined])
        #expect(findings.map(\.accounts) == [[mallory]])
    }

    @Test("D26: price and currency are no part of any right")
    func prices() async throws {
        let hostile = HostileEvidence()
        let shop = try await PlayedShop(trusting: hostile.trusted)
        for (account, price) in [("alice", Int64(0)), ("bob", 999_999_000)] {
            try await shop.present(
                hostile.transaction {
                    $0.transactionID = account == "alice" ? "1" : "2"
                    $0.originalTransactionID = $0.transactionID
                    $0.price = Price(milliunits: price, currency: "ZZZ")
                }, as: account)
        }
        #expect(try shop.grants("alice") == shop.grants("bob"))
    }
}

@Suite("Refusals in a flood", .timeLimit(.minutes(20)))
struct RefusalThrottleTests {
    @Test("sixty lines a minute, each once an hour; what is left out is counted")
    func bounds() async throws {
        let shop = try await Shop()
        func refuse(_ count: Int, from first: Int = 0) async throws -> Int64 {
            let head = shop.engine.revision.number
            let flood = (first..<first + count).map {
                EvidenceSubmission(payload: Array("word \($0)".utf8))
            }
            let reports = try await shop.engine.submit(flood)
            #expect(reports.allSatisfy { $0.refusalCode == "input.kind" })
            return shop.engine.revision.number - head
        }
        #expect(try await refuse(1_000) == 60)
        #expect(shop.engine.refusalsLeftOut == 940)
        try shop.clock.set("2026-03-01T00:00:59.999Z")
        #expect(try await refuse(10, from: 5_000) == 0)
        try shop.clock.set("2026-03-01T00:01:00Z")
        #expect(try await refuse(70) == 10, "the first sixty have their line")
        try shop.clock.set("2026-03-01T00:59:59.999Z")
        #expect(try await refuse(60) == 0)
        try shop.clock.set("2026-03-01T01:00:00Z")
        #expect(try await refuse(60) == 60)
        try shop.clock.set("2026-02-28")
        #expect(try await refuse(1, from: 9_000) == 1, "a clock that was set back stops nothing")
    }
}
