internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

/// `usher policy diff --accounts`: the full list, held against single questions to the service
/// before and after the change.
@Suite("usher policy diff --accounts", .timeLimit(.minutes(20)))
struct PolicyAccountsTests {
    private static let policy = """
        usher: 1
        app: {bundle_id: com.example.shop, apple_id: 77}
        trust: {roots: {jws: [{file: root.pem}]}}
        environments: {production: trusted, sandbox: trusted}
        entitlements: {forever: {title: For ever}, premium: {title: Pro}, lounge: {title: Lounge}}
        groups: {club: {levels: [top]}}
        products:
          unlock: {kind: non-consumable, grants: [forever]}
          monthly:
            {kind: auto-renewable, group: club, level: top,
             period: 1mo, grants: [premium, lounge]}
          pass: {kind: non-renewing, duration: 60d, grants: [premium], price: {USD: 4.99}}
        """

    /// Accounts that hold each product, paid in three currencies, and what changes for them.
    private struct Scene {
        let shop: SimulatedShop
        let new: String
        let ledger: String
        let now: Instant
        /// In the window, and beyond it.
        let soon: Instant
        let later: Instant
        static let products = ["unlock", "monthly", "pass"]
        static let accounts = (1...12).map { "buyer-\($0)" }
        static let rights = ["forever", "premium", "lounge"]

        init() throws {
            shop = try SimulatedShop(policy: PolicyAccountsTests.policy)
            new = shop.folder.path + "/new"
            ledger = shop.folder.path + "/ledger"
            now = Instant(milliseconds: Int64(Date.now.timeIntervalSince1970) * 1_000)
            soon = now.advanced(byMilliseconds: 12 * 86_400_000)
            later = now.advanced(byMilliseconds: 90 * 86_400_000)
            try FileManager.default.createDirectory(
                atPath: new, withIntermediateDirectories: true)
            try shop.folder.write(shop.store.root.pem, to: "new/root.pem")
            try shop.folder.write(
                PolicyAccountsTests.policy.replacing("[premium, lounge]", with: "[premium]")
                    .replacing("grants: [forever]", with: "grants: [forever, lounge]") + """

                        access:
                          - name: no pass
                            when: {product: pass, at: "from \(soon.rfc3339)"}
                            then: withhold
                          - name: no unlock
                            when: {product: unlock, at: "from \(later.rfc3339)"}
                            then: withhold
                        """, to: "new/policy.yaml")
        }

        func purchase(_ index: Int) throws -> String {
            let kinds: [ProductKind] = [.nonConsumable, .autoRenewable, .nonRenewing]
            let bought = now.advanced(byMilliseconds: -Int64(index + 2) * 86_400_000)
            var transaction = SimulatedTransaction(
                bundleID: "com.example.shop", productID: Self.products[index % 3],
                kind: kinds[index % 3], transactionID: "\(index + 1)", purchaseDate: bought,
                expiresDate: index % 3 == 1
                    ? bought.advanced(byMilliseconds: 30 * 86_400_000) : nil)
            if index % 3 == 1 { transaction.subscriptionGroupID = "7" }
            if index % 2 == 0 { transaction.price = Price(milliunits: 9_990, currency: "EUR") }
            return String(decoding: shop.store.sign(transaction.payload), as: UTF8.self)
        }

        func fill() throws {
            let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
            for (index, account) in Self.accounts.enumerated() {
                let answer = try service.operations.post(
                    "/v1/evidence", json: shop.body(try purchase(index), account: account))
                #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
            }
            #expect(service.stop() == 0)
        }

        /// Whether the account has the right at the instant, as the service on that folder says.
        func answers(
            of folder: String, at instants: [Instant]
        ) throws -> [String: Bool] {
            let service = try RunningService(folder: shop.folder.path, policies: folder)
            // A folder by which somebody loses something waits: this answers once it is in force.
            _ = try Program.run([
                "policy", "reload", "--reason", "agreed", "--accept-loss", "100", "--sockets",
                service.sockets,
            ])
            var answers: [String: Bool] = [:]
            for account in Self.accounts {
                for right in Self.rights {
                    for instant in instants {
                        let answer = try service.query.get(
                            "/v1/accounts/\(account)/entitlements/\(right)?at=\(instant.rfc3339)")
                        let decision = try parseJSON(answer.body)["decision"]
                        #expect(decision == .bool(true) || decision == .bool(false))
                        answers["\(account) \(right) \(instant.rfc3339)"] =
                            decision == .bool(true)
                    }
                }
            }
            #expect(service.stop() == 0)
            return answers
        }
    }

    /// A row of the list.
    private struct Listed {
        let account: String
        let right: String
        let change: String
        let from: String
        let until: String?

        static func changes(_ rows: [JSONValue]) -> [Listed] {
            rows.map { row in
                Listed(
                    account: row["account"]?.string ?? "", right: row["right"]?.string ?? "",
                    change: row["change"]?.string ?? "", from: row["from"]?.string ?? "",
                    until: row["until"]?.string)
            }
        }

        func holds(_ account: String, _ right: String, at instant: String) -> Bool {
            guard self.account == account, self.right == right, from <= instant else {
                return false
            }
            return until.map { instant < $0 } ?? true
        }
    }

    @Test("every row is what single questions say before and after, and nobody is missing")
    func rows() throws {
        let scene = try Scene()
        try scene.fill()
        let list = scene.shop.folder.path + "/accounts.jsonl"
        let diff = [
            "policy", "diff", scene.shop.policies, scene.new, "--ledger", scene.ledger, "--lang",
            "en",
        ]
        let run = try Program.run(diff + ["--accounts", list, "--accept", "agreed"])
        #expect(run.status == 0, "\(run.errors)")
        let text = try String(contentsOfFile: list, encoding: .utf8)
        let rows = try text.split(separator: "\n").map { try parseJSON(Array($0.utf8)) }
        #expect(!FileManager.default.fileExists(atPath: list + ".new"))
        // Four lose 'lounge', four 'premium' in twelve days, four gain 'lounge'.
        #expect(rows.count == 12, "\(text)")
        // From a second after the new policy came into force: until then the old one is.
        let hours: [Int64] = [1, 120, 264, 312, 696]
        let instants: [Instant] = hours.map { scene.now.advanced(byMilliseconds: $0 * 3_600_000) }
        let before = try scene.answers(of: scene.shop.policies, at: instants)
        let after = try scene.answers(of: scene.new, at: instants)
        let changes = Listed.changes(rows)
        for (key, was) in before {
            guard let isNow = after[key] else {
                Issue.record("no answer after the change: \(key)")
                continue
            }
            let expected: [String] = was == isNow ? [] : [was ? "loses" : "gains"]
            let parts = key.split(separator: " ").map(String.init)
            let listed = changes.filter { $0.holds(parts[0], parts[1], at: parts[2]) }
            #expect(listed.map(\.change) == expected, "\(key)")
        }
        #expect(before.values.contains(true) && before != after)
    }

    @Test("a row says what gives the right, what was paid, and whether an Apple ID has it")
    func columns() throws {
        let scene = try Scene()
        try scene.fill()
        let list = scene.shop.folder.path + "/accounts.csv"
        let diff = [
            "policy", "diff", scene.shop.policies, scene.new, "--ledger", scene.ledger, "--lang",
            "en",
        ]
        let run = try Program.run(diff + ["--accounts", list])
        #expect(run.status == 0, "\(run.errors)")
        let lines = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\r\n")
        let header =
            "account,change,environment,subject,right,from,until,product,bound_to_apple_id,state,"
            + "currency,paid"
        #expect(lines.first.map { String($0) } == header)
        let pass = try #require(lines.first { $0.hasPrefix("buyer-3,") })
        let end = scene.now.advanced(byMilliseconds: 56 * 86_400_000)
        #expect(
            pass == "buyer-3,loses,production,entitlement,premium,\(scene.soon.rfc3339),"
                + "\(end.rfc3339),pass,false,active,EUR,9.99")
        let catalogue = try #require(lines.first { $0.hasPrefix("buyer-6,") })
        #expect(catalogue.hasSuffix(",pass,false,active,USD,4.99"), "\(catalogue)")
        let monthly = try #require(lines.first { $0.hasPrefix("buyer-2,") })
        #expect(monthly.contains(",monthly,true,active,,"), "\(monthly)")
        let brief = scene.later.rfc3339.replacing(".000Z", with: "Z")
        #expect(
            run.output.replacing(/\n +/, with: " ").contains(
                "access: 'no unlock' begins at \(brief), beyond the 30 days that are "
                    + "compared; use --days 90 to see what it changes"), "\(run.output)")
        let far = try Program.run(diff + ["--days", "91", "--json"])
        let impact = try parseJSON(Array(far.output.utf8))
        #expect(impact["days"]?.int64 == 91 && impact["later"] == nil)
        // Four more lose 'forever', and 'lounge' is gained and then lost.
        #expect(impact["losing"]?.int64 == 12, "\(far.output)")
        #expect(impact["groups"]?.elements?.first?["by_day"]?.elements?.count == 92)
    }

    @Test("what is not whole is not written, and what cannot be is said before anything is done")
    func refusals() throws {
        let scene = try Scene()
        try scene.fill()
        let diff = ["policy", "diff", scene.shop.policies, scene.new, "--lang", "en"]
        let ledger = diff + ["--ledger", scene.ledger]
        let list = scene.shop.folder.path + "/accounts.csv"
        try scene.shop.folder.write("as it was", to: "accounts.csv")
        for (arguments, said) in [
            (diff + ["--accounts", list], "--accounts needs --ledger"),
            (diff + ["--live", "--accounts", list], "--accounts needs --ledger"),
            (ledger + ["--accounts", list, "--resume", "state"], "exclude each other"),
            (ledger + ["--accounts", "accounts.txt"], "ends in .csv or .jsonl"),
            (ledger + ["--days", "0"], "--days is a number from 1 to 400"),
            (ledger + ["--days", "401"], "--days is a number from 1 to 400"),
            (diff + ["--days", "60"], "--days needs --ledger or --live"),
        ] {
            let run = try Program.run(arguments)
            #expect(run.status == 64 && run.errors.contains(said), "\(run.errors)")
        }
        try scene.shop.folder.write("not a ledger", to: "broken")
        let broken = scene.shop.folder.path + "/broken"
        #expect(try Program.run(diff + ["--ledger", broken, "--accounts", list]).status == 2)
        let nowhere = try Program.run(ledger + ["--accounts", "/nowhere/at/all.csv"])
        #expect(nowhere.status == 2 && nowhere.errors.contains("/nowhere/at/all.csv"))
        let kept = try String(contentsOfFile: list, encoding: .utf8)
        #expect(kept == "as it was")
        #expect(!FileManager.default.fileExists(atPath: list + ".new"))
    }

    @Test("a service looks as far ahead as it is asked to")
    func live() throws {
        let scene = try Scene()
        try scene.fill()
        let service = try RunningService(
            folder: scene.shop.folder.path, policies: scene.shop.policies)
        let diff = [
            "policy", "diff", scene.new, "--live", "--json", "--sockets", service.sockets,
        ]
        let near = try parseJSON(Array(try Program.run(diff).output.utf8))
        #expect(near["days"]?.int64 == 30 && near["losing"]?.int64 == 8)
        #expect(near["later"]?.elements?.first?["days"]?.int64 == 90)
        let far = try parseJSON(Array(try Program.run(diff + ["--days", "91"]).output.utf8))
        #expect(far["days"]?.int64 == 91 && far["losing"]?.int64 == 12)
        let body: JSONValue = ["files": .array([]), "days": 401]
        let refused = try service.operations.post("/v1/policy/impact", json: body.serialized())
        #expect(refused.status == 400)
        #expect(service.stop() == 0)
    }
}
