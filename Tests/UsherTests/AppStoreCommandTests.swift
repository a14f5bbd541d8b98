internal import EntitlementModel
internal import Foundation
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

/// `usher app-store …` on servers that stand in for Apple's.
@Suite("Commands that ask Apple's servers", .timeLimit(.minutes(20)))
struct AppStoreCommandTests {
    /// A purchase that the shop's own root has signed.
    private static func signed(_ id: Int) throws -> String {
        try SimulatedShop().purchase("unlock", .nonConsumable, id: id)
    }

    /// What the server answers: everything that the commands ask for.
    private static func stub() throws -> AppStoreStub {
        let purchase = try signed(7)
        let forged = purchase.dropLast(8) + "AAAAAAAA"
        return try AppStoreStub { request in
            let path = request.target.split(separator: "?")[0].replacing("/inApps", with: "")
            switch path {
            case "/production/v1/transactions/7":
                return AppStoreStub.json(["signedTransactionInfo": .string(purchase)])
            case "/production/v2/history/7":
                let isLast = request.target.contains("revision=r1")
                return AppStoreStub.json([
                    "revision": isLast ? "r2" : "r1", "hasMore": .bool(!isLast),
                    "signedTransactions": [
                        .string(isLast ? String(forged) : purchase)
                    ],
                ])
            case "/production/v1/subscriptions/7":
                return AppStoreStub.json([
                    "data": [
                        [
                            "lastTransactions": [
                                [
                                    "originalTransactionId": "7", "status": 4,
                                    "signedTransactionInfo": .string(purchase),
                                ]
                            ]
                        ]
                    ]
                ])
            case "/production/v2/refund/lookup/7", "/production/v1/lookup/MN1":
                return AppStoreStub.json(["status": 0, "signedTransactions": [], "hasMore": false])
            case "/production/v1/lookup/MN2": return AppStoreStub.json(["status": 1])
            case "/production/v1/notifications/history":
                return AppStoreStub.json(["notificationHistory": [], "hasMore": false])
            case "/sandbox/v1/notifications/test":
                return AppStoreStub.json(["testNotificationToken": "t1"])
            case "/production/v1/subscriptions/extend/7":
                return AppStoreStub.json([
                    "originalTransactionId": "7", "success": true,
                    "effectiveDate": 1_780_272_000_000,
                ])
            case "/production/v1/subscriptions/extend/mass":
                return AppStoreStub.json(["requestIdentifier": "r"])
            case "/production/v1/subscriptions/extend/mass/unlock/r":
                return AppStoreStub.json([
                    "requestIdentifier": "r", "complete": true, "succeededCount": 5,
                    "failedCount": 2,
                ])
            case "/production/v1/transactions/7/finish",
                "/production/v1/transactions/7/appAccountToken",
                "/production/v2/transactions/consumption/7",
                "/production/v1/transactions/consumption/7":
                return AppStoreStub.json([:])
            case "/production/v1/transactions/9": return AppStoreStub.error(4_000_006)
            case "/production/v1/transactions/10":
                return .bytes(LoopbackServer.answer(401, []))
            default: return AppStoreStub.error(4_040_010)
            }
        }
    }

    /// Each command, its exit code, and what its page says.
    private static let rows: [(String, Int32, String)] = [
        ("show transaction 7", 0, "productId: unlock"), ("show transaction 8", 1, "4040010"),
        ("show transaction 9", 1, "reject"), ("show transaction 10", 2, "credentials"),
        ("show history 7", 1, "[jws.signature]"),
        ("show history 7 --pages 1", 0, "continue with --after r1"),
        ("show history 7 --after r1", 1, "revision: r2"),
        ("show statuses 7", 0, "original transaction 7: in the grace period"),
        ("show refunds 7", 0, "transactions: 0"), ("show order MN1", 0, "the order is valid"),
        ("show order MN2", 1, "does not know"), ("show app-transaction 8", 1, "4040010"),
        (
            "notifications --from 2026-05-01 --to 2026-05-02 --environment production", 0,
            "nothing more"
        ),
        ("test-notification --environment sandbox", 0, "--status t1"),
        ("test-notification --environment sandbox --status t1", 1, "4040010"),
        ("finish 7 --environment production", 0, "finished: transaction 7"),
        ("finish 8 --environment production", 1, "4040010"),
        (
            "set-account-token 7 6f9619ff-8b86-4011-b42d-00cf4fc964ff --environment production",
            0, "original transaction 7"
        ),
        (
            "extend 7 --days 7 --reason outage --request-id r --environment production", 0,
            "renews 2026-06-01T00:00:00Z"
        ),
        (
            "extend-all unlock --storefront USA --days 7 --reason outage --request-id r "
                + "--environment production", 0, "extend-status unlock r"
        ),
        ("extend-status unlock r --environment production", 0, "5 extended, 2 failed"),
        (
            "consumption 7 --customer-consented --delivery DELIVERED --no-sample "
                + "--environment production", 0, "sent: what was used of transaction 7"
        ),
    ]

    @Test("say what they found in pages and in JSON, in both languages, and by their exit code")
    func commands() throws {
        let stub = try Self.stub()
        for (command, status, text) in Self.rows {
            let arguments = command.split(separator: " ").map(String.init)
            let run = try stub.run(arguments)
            #expect(run.status == status, "\(arguments): \(run.output) \(run.errors)")
            let said = run.output + run.errors
            #expect(said.contains(text), "\(arguments): \(said)")
            let json = try stub.run(arguments + ["--json"])
            #expect(json.status == status, "\(arguments)")
            _ = try parseJSON(Array(json.output.utf8))
            let chinese = try stub.run(arguments + ["--lang", "zh"])
            #expect(chinese.status == status)
            let saidInChinese = chinese.output + chinese.errors
            #expect(saidInChinese != said, "\(arguments)")
            for run in [run, json, chinese] {
                for secret in [AppStoreStub.password, "MIGHAgEA", "Bearer", "eyJhbGciOiJFUzI1NiIs"]
                {
                    #expect(!(run.output + run.errors).contains(secret), "\(arguments)")
                }
            }
        }
    }

    @Test(
        "what is shown was a command each: those lines still say the same",
        arguments: [
            "transaction 7", "history 7 --pages 1", "statuses 7", "refunds 7", "order MN1",
            "app-transaction 8 --json", "order", "transaction 7 --help", "history 7 --pages 0",
        ])
    func formerSpelling(line: String) throws {
        let stub = try Self.stub()
        let words = line.split(separator: " ").map(String.init)
        let (former, current) = (try stub.run(words), try stub.run(["show"] + words))
        #expect(former.status == current.status)
        #expect(former.output == current.output)
        #expect(former.errors == current.errors)
    }

    @Test("look in the sandbox if production does not know an id, and only then")
    func fallback() throws {
        let stub = try AppStoreStub { request in
            request.target.hasPrefix("/production")
                ? AppStoreStub.error(4_040_010) : AppStoreStub.error(4_040_001)
        }
        let run = try stub.run(["show", "transaction", "7", "--json"])
        #expect(run.status == 1)
        #expect(run.output.contains("app-store.not-found"))
        #expect(
            stub.server.requests.map { $0.target.split(separator: "/")[0] } == [
                "production", "sandbox",
            ])
    }

    @Test("send the first version of consumption for Advanced Commerce, and no number that is none")
    func advancedCommerce() throws {
        let stub = try Self.stub()
        let file = stub.shop.folder.path + "/numbers.json"
        let arguments = [
            "consumption", "7", "--environment", "production", "--customer-consented",
            "--advanced-commerce", file,
        ]
        for (text, status) in [
            ("{\"platform\": 1, \"sampleContentProvided\": true}", 0), ("{\"platform\": 3}", 2),
            ("{\"platforms\": 1}", 2), ("[]", 2),
        ] as [(String, Int32)] {
            try stub.shop.folder.write(text, to: "numbers.json")
            let run = try stub.run(arguments)
            #expect(run.status == status, "\(text): \(run.errors)")
        }
        let sent = stub.server.requests.filter {
            $0.target.contains("/v1/transactions/consumption")
        }
        #expect(sent.count == 1)
        let body = try parseJSON(#require(sent.first).body)
        #expect(body["platform"] == 1)
        #expect(body["sampleContentProvided"] == true)
    }

    @Test(
        "do not guess: wrong usage is 64, and nothing is sent",
        arguments: [
            ["finish", "7"], ["finish", "7", "--environment", "xcode"],
            ["show", "transaction", "7", "--environment", "local-testing"],
            ["show", "transaction", "7", "--pages", "3"], ["show", "everything", "7"],
            ["show", "order", "MN1", "--environment", "sandbox"],
            ["consumption", "7", "--environment", "production", "--delivery", "DELIVERED"],
            ["set-account-token", "7", "alice", "--environment", "production"],
            [
                "extend", "7", "--environment", "production", "--days", "91", "--reason", "other",
                "--request-id", "r",
            ],
            [
                "extend-all", "unlock", "--environment", "production", "--days", "9", "--reason",
                "other", "--request-id", "r",
            ],
            [
                "notifications", "--environment", "production", "--from", "2026-05-02", "--to",
                "2026-05-01",
            ], ["show", "order", "a b"],
        ])
    func usage(arguments: [String]) throws {
        let stub = try Self.stub()
        let run = try stub.run(arguments)
        #expect(run.status == 64, "\(run.errors)")
        #expect(stub.server.requests.isEmpty)
    }
}
