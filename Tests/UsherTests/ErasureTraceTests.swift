internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

/// What is left of a person whose name is in every text that the service takes: nothing
/// (docs/PRIVACY.md, What goes, and what stays).
@Suite("Traces of an erased person", .timeLimit(.minutes(20)))
struct ErasureTraceTests {
    private static let mark = "MARK3R"
    private static let person = "\(mark)-person"
    private static let token = "4d41524b-3352-4000-8000-00000000abcd"
    /// The first two are of an Apple ID whose purchase another account has claimed.
    private static let transactions = (1...3).map { "7700112233440\($0)" }
    private static let appleIDs = [
        "700000000000778800", "700000000000778800", "700000000000778899",
    ]
    private static var marks: [String] {
        [mark, mark.lowercased(), token, token.uppercased(), transactions[2], appleIDs[2]]
    }

    private struct Scene {
        let shop: SimulatedShop
        let service: RunningService
        let environment: [String: String]

        init() throws {
            shop = try SimulatedShop(
                policy: SimulatedShop.policy + """

                    orders: {late_payment: review}
                    account_switch:
                      - name: support decides
                        when: {kind: non-consumable, moment: restore}
                        then: ask
                    """)
            let (key, secret) = (shop.folder.path + "/key", shop.folder.path + "/secret")
            environment = ["USHER_PRIVACY_KEY_FILE": key]
            #expect(try Program.run(["ledger", "key", key]).status == 0)
            try shop.folder.write("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n", to: "secret")
            chmod(secret, 0o600)
            try shop.folder.write(
                """
                subscriptions:
                  app: {url: "\(shop.folder.path)/nobody.sock:/x", secret-file: \(secret)}
                """, to: "settings.yaml")
            service = try RunningService(
                folder: shop.folder.path, policies: shop.policies, environment: environment,
                arguments: [
                    "--log-level", "debug", "--config", shop.folder.path + "/settings.yaml",
                ]
            )
        }

        @discardableResult
        func post(
            _ path: String, _ body: JSONValue, key: String? = nil,
            status: ClosedRange<Int> = 200...202
        ) throws -> JSONValue {
            let answer = try service.operations.post(
                path, json: body.serialized(), idempotencyKey: key.map { "\(mark)-\($0)" })
            let text = String(decoding: answer.body, as: UTF8.self)
            try #require(status.contains(answer.status), "\(path): \(answer.status) \(text)")
            return try parseJSON(answer.body)
        }

        func delete(_ path: String) throws {
            let body: JSONValue = ["reason": .string(reason("delete"))]
            let answer = try service.operations.delete(path, json: body.serialized())
            try #require(answer.status == 200, "\(path)")
        }

        func text(_ path: String) throws -> String {
            let answer = try service.operations.get(path)
            try #require(answer.status == 200, "\(path)")
            return String(decoding: answer.body, as: UTF8.self)
        }

        func usher(_ arguments: String...) throws -> String {
            let output = try Program.run(
                arguments + ["--lang", "en"],
                environment: environment.merging([
                    "USHER_LEDGER": shop.folder.path + "/ledger", "USHER_SOCKETS": service.sockets,
                ]) { $1 })
            try #require(output.status == 0, "\(arguments) \(output.errors)")
            return output.output
        }

        func reason(_ what: String) -> String { "\(mark) asked for \(what)" }

        /// Submits a purchase with the person's names in it.
        func present(
            _ transaction: Int, _ product: String, _ kind: ProductKind, as account: String,
            token: String? = ErasureTraceTests.token, order: String? = nil,
            moment: String = "purchase"
        ) throws {
            var purchase = try SimulatedShop.transaction(product, kind)
            purchase.transactionID = transactions[transaction]
            purchase.originalTransactionID = transactions[transaction]
            purchase.appTransactionID = appleIDs[transaction]
            purchase.appAccountToken = order ?? token
            purchase.otherFields = [JSONMember("note", .string(mark))]
            let payload = String(decoding: shop.store.sign(purchase.payload), as: UTF8.self)
            var body: JSONValue = [
                "account": .string(account), "payload": .string(payload),
                "moment": .string(moment),
            ]
            if let order { body["order"] = .string(order) }
            try post("/v1/evidence", body)
        }

        /// Where a mark is: the name of the file, and the mark.
        func found() throws -> [String] {
            let names = try FileManager.default.subpathsOfDirectory(atPath: shop.folder.path)
            var found: [String] = []
            for name in names.sorted() {
                let url = URL(filePath: shop.folder.path + "/" + name)
                guard let data = try? Data(contentsOf: url) else { continue }
                found += marks.filter { data.range(of: Data($0.utf8)) != nil }
                    .map { "\(name): \($0)" }
            }
            return found
        }
    }

    /// Each text that a caller can give.
    private static func fill(_ scene: Scene) throws {
        let reason = { (what: String) in JSONValue.string(scene.reason(what)) }
        let account = JSONValue.string(person)
        try scene.post(
            "/v1/account-tokens",
            ["token": .string(token), "account": account, "reason": reason("token")])
        try scene.present(0, "unlock", .nonConsumable, as: person)
        try scene.present(0, "unlock", .nonConsumable, as: "mallory", moment: "restore")
        let claims = try parseJSON(Array(try scene.text("/v1/claims").utf8))
        let claim = try #require(claims["claims"]?.elements?.first?["claim"]?.int64)
        try scene.post(
            "/v1/claims/\(claim)/ruling", ["verb": "refuse", "reason": reason("a ruling")])
        try scene.post(
            "/v1/evidence", ["account": account, "payload": .string("\(mark).\(mark).\(mark)")],
            status: 200...499)
        try fillOrders(scene)
        try fillAccount(scene)
        try fillCredits(scene)
    }

    private static func fillOrders(_ scene: Scene) throws {
        let body: JSONValue = ["account": .string(person), "product": "coins"]
        let paid = try #require(try scene.post("/v1/orders", body, key: "order")["order"]?.string)
        try scene.present(1, "coins", .consumable, as: person, order: paid)
        try scene.present(2, "coins", .consumable, as: person)
        let failed = try #require(try scene.post("/v1/orders", body, key: "other")["order"]?.string)
        try scene.post(
            "/v1/orders/\(failed)/events", ["event": "failed", "store_code": .string(mark)])
        let refused = try #require(
            try scene.post("/v1/orders", body, key: "third")["order"]?.string)
        try scene.post(
            "/v1/orders/\(refused)/refuse", ["reason": .string(scene.reason("a refusal"))])
        try scene.post(
            "/v1/preflight", ["account": .string(person), "product": "unlock"])
    }

    private static func fillAccount(_ scene: Scene) throws {
        let account = JSONValue.string(person)
        let path = "/v1/accounts/\(person)"
        func reason(_ what: String) -> JSONValue { .string(scene.reason(what)) }
        let grant: JSONValue = [
            "account": account, "entitlement": "forever", "reason": reason("a grant"),
        ]
        try scene.post("/v1/grants", grant, key: "grant")
        try scene.delete("/v1/grants/\(mark)-grant")
        try scene.post(
            "/v1/blocks", ["account": account, "reason": reason("a block")], key: "block")
        try scene.delete("/v1/blocks/\(mark)-block")
        try scene.post(
            path + "/refund-consent", ["consented": true, "reason": reason("refunds")])
        try scene.post(
            path + "/catalog/reports", ["invalid_products": [.string("\(mark).product")]])
        try scene.post(path + "/close", ["reason": reason("closing")])
        try scene.post(path + "/reopen", ["reason": reason("reopening")])
        try scene.post(
            "/v1/grants",
            [
                "account": .string("\(mark)-guest"), "entitlement": "forever",
                "reason": reason("a guest"),
            ])
        try scene.post(
            "/v1/merges",
            ["from": .string("\(mark)-guest"), "into": account, "reason": reason("a merge")])
    }

    private static func fillCredits(_ scene: Scene) throws {
        let account = JSONValue.string(person)
        let path = "/v1/accounts/\(person)"
        func reason(_ what: String) -> JSONValue { .string(scene.reason(what)) }
        try scene.post(
            "/v1/grants",
            ["account": account, "credit": "coins", "units": 9, "reason": reason("coins")],
            key: "coins")
        let spend: JSONValue = [
            "amount": 1, "reason": reason("a spend"), "reference": .string("\(mark)-ref"),
        ]
        let spent = try scene.post(path + "/credits/coins/spend", spend, key: "spend")
        try scene.post(
            "/v1/spends/\(try #require(spent["id"]?.int64))/reverse",
            ["reason": reason("a reversal")], key: "reversal")
        let hold: JSONValue = [
            "credits": [["credit": "coins", "amount": 2]],
            "until": .string(Date(timeIntervalSinceNow: 86_400).formatted(.iso8601)),
            "reason": reason("a hold"), "reference": .string("\(mark)-hold-ref"),
        ]
        let captured = try scene.post(path + "/holds", hold, key: "hold")
        try scene.post(
            "/v1/holds/\(try #require(captured["id"]?.int64))/capture",
            ["reason": reason("a capture"), "reference": .string("\(mark)-capture")],
            key: "capture")
        let released = try scene.post(path + "/holds", hold, key: "held")
        try scene.post(
            "/v1/holds/\(try #require(released["id"]?.int64))/release",
            ["reason": reason("a release")])
    }

    @Test("are in no file, no log, no backup, no export, no feed and no metric")
    func traces() throws {
        let scene = try Scene()
        try Self.fill(scene)
        _ = try scene.usher("show", Self.person)
        #expect(try scene.text("/v1/changes?after=0").contains(Self.mark))
        let before = try scene.found()
        #expect(before.contains { $0.hasPrefix("ledger-wal: ") }, "\(before)")
        _ = try scene.usher(
            "erase", Self.person, "--reference", "r-1", "--reason", scene.reason("erasing"),
            "--hold", "0")
        let left = try scene.found()
        #expect(left == [])
        let copy = scene.shop.folder.path + "/copy"
        _ = try scene.usher("ledger", "backup", copy)
        var texts = [try scene.usher("ledger", "export", "--evidence")]
        for path in [
            "/v1/changes?after=0", "/metrics", "/status", "/v1/findings", "/v1/claims",
            "/v1/orders/lost", "/v1/accounts/mallory", "/v1/accounts/mallory/timeline",
        ] {
            texts.append(try scene.text(path))
        }
        for text in texts {
            for mark in Self.marks { #expect(!text.contains(mark), "\(mark): \(text)") }
        }
        #expect(scene.service.stop() == 0)
        let leftAtEnd = try scene.found()
        #expect(leftAtEnd == [])
        let log = try scene.service.said()
        for mark in Self.marks { #expect(!log.contains(mark), "\(log)") }
        #expect(try scene.usher("ledger", "verify").contains("sound"))
    }
}
