internal import EntitlementModel
internal import Foundation
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

/// `usher refunds …`, on a service and on its ledger (spec 1.12).
@Suite("usher refunds", .timeLimit(.minutes(20)))
struct RefundCommandTests {
    /// A request of June, long past, about alice's coins; and the entry that names it.
    private static func asked(_ shop: SimulatedShop, _ service: RunningService) throws -> Int64 {
        let coins = try shop.purchase("coins", .consumable, id: 7)
        var notification = SimulatedNotification(
            type: "CONSUMPTION_REQUEST", uuid: "002e14d5-51f5-4503-b5a8-c3a1af68eb21",
            bundleID: "com.example.shop", appAppleID: 77,
            signedDate: try #require(Instant(rfc3339: "2026-06-01")))
        notification.transaction = Array(coins.utf8)
        let signed = String(decoding: shop.store.sign(notification.payload), as: UTF8.self)
        let notice: JSONValue = ["payload": .string(signed)]
        let lines = [shop.body(coins, account: "alice"), notice.serialized()]
            .map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
        try shop.folder.write(lines, to: "evidence.jsonl")
        let run = try Program.run([
            "ingest", shop.folder.path + "/evidence.jsonl", "--sockets", service.sockets,
        ])
        #expect(run.status == 0, "\(run.errors)\(run.output)")
        let list = try Program.run([
            "refunds", "list", "--all", "--json", "--sockets", service.sockets,
        ])
        #expect(list.status == 1, "\(list.errors)")
        let requests = try parseJSON(Array(list.output.utf8))["requests"]?.elements
        return try #require(requests?.first?["request"]?.int64)
    }

    private static let rules =
        "\nrefund_answers: [{name: no coins back, when: {kind: consumable}, then: decline}]\n"

    @Test("list, show, preview and record, on the service and on the file")
    func commands() throws {
        let shop = try SimulatedShop(policy: SimulatedShop.policy + Self.rules)
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        let request = try Self.asked(shop, service)
        let ledger = ["--ledger", shop.folder.path + "/ledger"]
        func run(_ words: [String], _ status: Int32 = 0) throws -> String {
            let run = try Program.run(["refunds"] + words + ["--lang", "en"])
            #expect(run.status == status, "\(words): \(run.errors)\(run.output)")
            return run.output + run.errors
        }
        for place in [["--sockets", service.sockets], ledger] {
            #expect(try run(["list"] + place) == "no refund request is open\n")
            let all = try run(["list", "--all"] + place, 1)
            #expect(all.hasPrefix("refund request \(request): Apple takes no answer any more\n"))
            #expect(all.contains("account alice, product coins"))
            #expect(all.contains("Apple would be told: DECLINE, DELIVERED, 0 % used"))
            #expect(all.contains("rule 'no coins back' at policy.yaml:"))
            #expect(all.contains("nothing is sent: the customer has not consented [no-consent]"))
            #expect(try run(["show", "\(request)"] + place) == all)
            _ = try run(["show", "1"] + place, 1)
            let preview = try run(["preview"] + place)
            #expect(preview.contains("DECLINE"))
            #expect(preview.contains("1 without consent"))
        }
        #expect(
            try run(["preview", "--policies", shop.policies] + ledger).contains("no coins back"))
        #expect(
            try run(["preview", "--policies", "nowhere"] + ledger, 2)
                .contains("the policy folder nowhere cannot be read"))
        let socket = ["--sockets", service.sockets]
        #expect(
            try run(["consent", "alice", "--given", "--reason", "terms"] + socket)
                == "recorded: alice lets Apple be told what was used\n")
        let account = try Program.run(["show", "alice", "--lang", "en"] + socket)
        #expect(account.output.contains("Apple may be told what was used"))
        #expect(
            try run(["consent", "alice", "--withdrawn", "--reason", "mail"] + socket)
                == "recorded: alice does not let Apple be told what was used\n")
        #expect(
            try run(["answered", "\(request)", "--reason", "told Apple"] + socket)
                == "recorded: a person has answered refund request \(request)\n")
        #expect(
            try run(["answered", "\(request)", "--reason", "again"] + socket, 1)
                .contains("[refund.answered]"))
        _ = try run(["answered", "1", "--reason", "again"] + socket, 1)
        let shown = try run(["show", "\(request)"] + socket)
        #expect(shown.hasPrefix("refund request \(request): a person has answered\n"))
        #expect(shown.contains(": told Apple"))
    }

    @Test(
        "what makes no sense is told",
        arguments: [
            (["show", "0"], "the number is above 0"),
            (["answered", "0", "--reason", "x"], "the number is above 0"),
            (["list", "--after", "-1"], "--after"),
            (["list", "--limit", "0"], "--limit is a number from 1 to 1000"),
            (["consent", "alice", "--reason", "x"], "name one of --given and --withdrawn"),
            (
                ["consent", "alice", "--given", "--withdrawn", "--reason", "x"],
                "name one of --given and --withdrawn"
            ),
        ])
    func usage(words: [String], sentence: String) throws {
        let run = try Program.run(["refunds"] + words)
        #expect(run.status == 64, "\(run.output)")
        #expect(run.errors.contains(sentence), "\(run.errors)")
    }

    @Test("a preview of a folder needs the ledger")
    func needsLedger() throws {
        let shop = try SimulatedShop()
        let run = try Program.run([
            "refunds", "preview", "--policies", shop.policies, "--lang", "en",
        ])
        #expect(run.status == 2)
        #expect(run.errors.contains("--policies needs the ledger"), "\(run.errors)")
    }
}
