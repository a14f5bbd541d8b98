internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

@Suite("What support does with orders", .timeLimit(.minutes(20)))
struct OrderCommandTests {
    /// A service, and the folder that it lives in.
    private struct Scene {
        let shop: SimulatedShop
        let service: RunningService

        init(payWithin: String = "30m") throws {
            shop = try SimulatedShop(
                policy: SimulatedShop.policy
                    + "\norders: {late_payment: review, pay_within: \(payWithin)}\n")
            service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        }

        func usher(_ line: String, language: String = "en") throws -> Program.Output {
            try Program.run(
                Self.words(line) + ["--sockets", service.sockets, "--lang", language])
        }

        /// The same of the file beside the service.
        func read(_ line: String, language: String = "en") throws -> Program.Output {
            try Program.run(
                Self.words(line)
                    + ["--ledger", shop.folder.path + "/ledger", "--lang", language])
        }

        private static func words(_ line: String) -> [String] {
            line.split(separator: " ").map(String.init)
        }

        private func post(_ path: String, _ body: JSONValue) throws -> JSONValue {
            let answer = try service.operations.post(path, json: body.serialized())
            try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
            return try parseJSON(answer.body)
        }

        /// Makes an order for 0.99 USD; returns its id.
        func order(
            _ account: String, _ product: String = "coins", quantity: Int64 = 1
        ) throws -> String {
            let body: JSONValue = [
                "account": .string(account), "product": .string(product),
                "quantity": .integer(quantity),
                "price": ["milliunits": 990, "currency": "USD"],
            ]
            return try #require(try post("/v1/orders", body)["order"]?.string)
        }

        func report(_ order: String, _ event: String) throws {
            _ = try post("/v1/orders/\(order)/events", ["event": .string(event)])
        }

        /// Submits a payment of 1.20 USD for coins, with the order's token.
        func pay(_ order: String?, by account: String, id: Int) throws {
            var coins = try SimulatedShop.transaction("coins", .consumable, id: id)
            coins.price = Price(milliunits: 1_200, currency: "USD")
            coins.appAccountToken = order
            let payload = String(decoding: shop.store.sign(coins.payload), as: UTF8.self)
            _ = try post(
                "/v1/evidence",
                .object(
                    [
                        JSONMember("account", .string(account)),
                        order.map { JSONMember("order", .string($0)) },
                        JSONMember("payload", .string(payload)),
                    ].compactMap(\.self)))
        }

        func end() { #expect(service.stop() == 0) }
    }

    /// Instants, digests and who the caller is differ from run to run.
    private static func plain(_ text: String, _ orders: String...) -> String {
        var text = text.replacing(/\d{4}-\d{2}-\d{2}T[0-9:.]+Z/, with: "<date>")
            // A row that is wider than a line goes on far below its beginning.
            .replacing(/\n {20,}/, with: "  ")
            .replacing(/(uid:\d+|user:[^\s:]+)/, with: "<actor>")
            .replacing(/(policy|策略)  ( *)[0-9a-f]{12}/) { "\($0.1)  \($0.2)<policy>" }
        for (index, order) in orders.enumerated() {
            text = text.replacing(order, with: "<order \(index + 1)>")
        }
        return text
    }

    @Test("list tells the newest first, show everything of one; the file says the same")
    func listAndShow() throws {
        let scene = try Scene()
        let paid = try scene.order("alice")
        let open = try scene.order("alice", quantity: 3)
        try scene.report(paid, "paying")
        try scene.pay(paid, by: "alice", id: 7)
        let list = try scene.usher("orders list alice")
        #expect(list.status == 0, "\(list.errors)")
        #expect(
            Self.plain(list.output, paid, open) == """
                <order 2>  coins  quantity 3  created  <date>
                <order 1>  coins  quantity 1  delivered  <date>  transaction 7

                """)
        let first = try scene.usher("orders list alice --limit 1", language: "zh").output
        #expect(
            Self.plain(first, open).hasPrefix("<order 1>  coins  数量 3  已创建  <date>\n"), "\(first)")
        // The command that it says for the rest has the rest.
        let more = try #require(first.firstMatch(of: /usher (orders list --after .*alice)/)?.1)
        let rest = try scene.usher(String(more))
        #expect(Self.plain(rest.output, paid).contains("<order 1>  coins  quantity 1"), "\(first)")
        let shown = try scene.usher("orders show \(paid)")
        #expect(
            Self.plain(shown.output, paid) == """
                order <order 1>: delivered
                  account              alice
                  product              coins
                  quantity             1
                  price                0.99 USD
                  environment          production
                  policy               <policy>
                  last change          <date>
                  paid by transaction  7
                  owned by             alice
                  payment differs in   price

                Events
                  <date>: made
                  <date>: payment begun [paying]
                    by <actor>
                    state: paying
                  <date>: paid
                    by evidence
                    state: paid
                    transaction 7
                    matched: the purchase carries this order's appAccountToken [token]
                    the payment differs from the order: price
                  <date>: delivered
                    by evidence
                    state: delivered
                    transaction 7

                The client may report
                  finished

                Next commands
                  usher orders refuse <order 1> --reason '…'

                """)
        #expect(try scene.read("orders show \(paid)").output == shown.output)
        #expect(try scene.read("orders list alice").output == list.output)
        let upper = try scene.read("orders show \(paid.uppercased()) --json")
        #expect(
            Self.plain(try scene.usher("orders show \(paid) --json").output)
                == Self.plain(upper.output))
        let found = try scene.usher("find \(open)").output
        #expect(found.contains("\n  command: usher orders show \(open)\n"), "\(found)")
        #expect(try scene.usher("orders list nobody", language: "zh").output == "没有订单\n")
        scene.end()
    }

    @Test("show, explain and timeline know the orders, in both languages and from the file")
    func reports() throws {
        let scene = try Scene()
        let paid = try scene.order("alice")
        let open = try scene.order("alice", "unlock")
        try scene.pay(paid, by: "alice", id: 7)
        for (language, expected) in [
            (
                "en",
                """
                Orders
                  <order 2>  unlock  quantity 1  created  <date>
                  <order 1>  coins   quantity 1  delivered  <date>  transaction 7

                """
            ),
            (
                "zh",
                """
                订单
                  <order 2>  unlock  数量 1  已创建  <date>
                  <order 1>  coins   数量 1  已交付  <date>  交易 7

                """
            ),
        ] {
            let shown = try scene.usher("show alice", language: language)
            #expect(
                Self.plain(shown.output, paid, open).contains(expected),
                "\(shown.output) \(shown.errors)")
            let line = "show alice --at 2027-01-01"
            #expect(try scene.read(line).output == (try scene.usher(line).output))
        }
        let explained = try scene.usher("explain alice forever")
        #expect(
            Self.plain(explained.output, paid, open).contains(
                """
                  orders for products that give it
                    order <order 2> of unlock: created,
                      made <date>
                      command: usher orders show <order 2>

                """), "\(explained.output) \(explained.errors)")
        let table = try scene.read("timeline alice").output
        #expect(
            Self.plain(table, paid, open).hasSuffix(
                "order\t<order 2>\tproduction\t<date>\t-\tmade\tunlock\t-\n"
                    + ["made", "paid", "delivered"].map {
                        "order\t<order 1>\tproduction\t<date>\t-\t\($0)\tcoins 7\t-\n"
                    }.joined()), "\(table)")
        scene.end()
    }

    @Test("lost tells one block an order, with the command that helps, and ends with 1")
    func lost() throws {
        let scene = try Scene(payWithin: "1ms")
        let none = try scene.usher("orders lost")
        #expect(none.status == 0)
        #expect(none.output == "no lost orders\n")
        #expect(try scene.read("orders lost", language: "zh").output == "没有掉单\n")
        let waiting = try scene.order("alice")
        try scene.report(waiting, "no-receipt")
        let late = try scene.order("bob")
        try scene.report(late, "cancelled")
        try scene.pay(late, by: "bob", id: 8)
        let lost = try scene.usher("orders lost")
        #expect(lost.status == 1, "\(lost.errors)")
        #expect(
            Self.plain(lost.output, waiting, late) == """
                bought, but the device had no receipt [without-receipt]
                  order <order 1>: no receipt yet [no-receipt]
                  for 0 min, since <date>
                  account alice, product coins, 0.99 USD
                  next step: have the app submit its evidence again;
                    deliver the order manually only if a statement shows the payment
                  command: usher orders settle <order 1> --reason '…'
                a person has to decide which payment belongs to which order [in-review]
                  order <order 2>: in review [review]
                  for 0 min, since <date>
                  account bob, product coins, 0.99 USD, transaction 8, owned by bob
                  next step: check the payment, and settle the order by it
                  command: usher orders settle --transaction=8 <order 2> --reason '…'

                """)
        let read = try scene.read("orders lost --json")
        #expect(read.status == 1)
        #expect(try parseJSON(Array(read.output.utf8))["orders"]?.elements?.count == 2)
        let first = try scene.usher("orders lost --limit 1", language: "zh")
        #expect(first.output.hasPrefix("已购买，但设备上没有收据 [without-receipt]\n"))
        let next = try #require(first.output.firstMatch(of: /--after ([0-9]+)\n/)?.1)
        let second = try scene.usher("orders lost --limit 1 --after \(next) -q")
        #expect(second.status == 1)
        #expect(second.output + second.errors == "")
        let shown = try scene.usher("orders show \(late)", language: "zh").output
        // From the purchase in May until now.
        let compared = /与订单 <order 1> 比较：Apple ID 未知，价格不同，\n +相隔 [0-9]+ 天/
        #expect(Self.plain(shown, late).contains(compared), "\(shown)")
        let settled = try scene.usher("orders settle --transaction=8 \(late) --reason same")
        #expect(
            Self.plain(settled.output, late)
                == "settled: order <order 1> by transaction 8; bob owns its purchase of coins\n",
            "\(settled.errors)")
        scene.end()
    }

    @Test("an order is settled, refused, given to another account, and what was ruled undone")
    func rulings() throws {
        let scene = try Scene()
        let order = try scene.order("alice")
        func rule(_ line: String, language: String = "en") throws -> String {
            let done = try scene.usher("orders \(line) --reason kind", language: language)
            #expect(done.status == 0, "\(line): \(done.errors)")
            return Self.plain(done.output, order)
        }
        #expect(
            try rule("settle \(order)")
                == "settled: order <order 1>; alice has what coins gives, until a payment takes "
                + "its place (to undo it: usher orders undo <order 1> --reason '…')\n")
        #expect(try scene.usher("credits alice").output.hasPrefix("coins: 1\n"))
        #expect(
            try scene.usher("orders show \(order)").output
                .contains(
                    "Next commands\n  usher orders refuse \(order) --reason '…'\n"
                        + "  usher orders undo \(order) --reason '…'\n"))
        let refused = try scene.usher("orders reassign \(order) bob --new-account --reason kind")
        #expect(refused.status == 1)
        #expect(
            refused.errors.hasPrefix("request rejected: it is delivered: 'usher claims transfer' "),
            "\(refused.errors)")
        #expect(refused.errors.hasSuffix("[order.delivered]\n"), "\(refused.errors)")
        let undone = "undone: order <order 1> is in its former state again: created\n"
        #expect(try rule("undo \(order)") == undone)
        #expect(
            try rule("refuse \(order)", language: "zh")
                == "已关闭：订单 <order 1>；此后若仍有付款，订单将重新打开"
                + "（撤回：usher orders undo <order 1> --reason '…'）\n")
        #expect(try rule("undo \(order)") == undone)
        let stranger = try scene.usher("orders reassign \(order) bob --reason kind")
        #expect(stranger.status == 1)
        #expect(stranger.errors.contains("there is no record of the account 'bob'"))
        #expect(
            try rule("reassign \(order) bob --new-account")
                == "done: order <order 1> and its payment are for bob\n")
        #expect(try scene.usher("orders list bob").output.hasPrefix(order))
        let json = try scene.usher("orders settle \(order) --reason kind --json")
        #expect(try parseJSON(Array(json.output.utf8))["state"]?.string == "delivered")
        scene.end()
    }

    @Test("states is the table of the model, in words and for programs")
    func states() throws {
        let json = try Program.run(["orders", "states", "--json"])
        let rows = try #require(
            try parseJSON(Array(json.output.utf8))["transitions"]?.elements)
        var expected: [[String]] = []
        for state in OrderState.allCases {
            for event in state.events {
                let after = try #require(state.after(event))
                expected.append([state.rawValue, event.rawValue, after.rawValue])
            }
        }
        let found = rows.map { row in ["state", "event", "after"].map { row[$0]?.string ?? "" } }
        #expect(found == expected)
        let english = try Program.run(["orders", "states", "--lang", "en"]).output
        let lines = english.split(separator: "\n")
        #expect(lines.count == expected.count + 4)
        #expect(lines.first?.firstMatch(of: /^STATE +EVENT +STATE AFTER IT$/) != nil)
        // The cells of a column stand below one another.
        let start = try #require(lines.first?.firstRange(of: "EVENT")?.lowerBound)
        let width = english.distance(from: english.startIndex, to: start)
        for line in lines.dropLast() {
            #expect(line.dropFirst(width - 2).hasPrefix("  "), "\(line)")
            #expect(!line.dropFirst(width).hasPrefix(" "), "\(line)")
        }
        #expect(english.contains("  not paid within 'pay_within'  "))
        let chinese = try Program.run(["orders", "states", "--lang", "zh"]).output
        #expect(chinese.contains("已创建 [created]"))
        #expect(chinese.split(separator: "\n").count == lines.count)
    }

    @Test("what is asked wrongly is 64, an order that is not known 1, no service 2")
    func exitCodes() throws {
        let scene = try Scene()
        let unknown = "6f9619ff-8b86-4011-b42d-00cf4fc964ff"
        for id in [unknown, "no-order"] {
            for run in [
                try scene.usher("orders show \(id)"), try scene.read("orders show \(id)"),
                try scene.usher("orders refuse \(id) --reason r"),
            ] {
                #expect(run.status == 1)
                #expect(run.errors.contains("no order has this id"), "\(run.errors)")
                #expect(run.errors.hasSuffix("[order.unknown]\n"), "\(run.errors)")
            }
        }
        for (line, status) in [
            ("orders list", Int32(64)), ("orders show", 64), ("orders list alice --limit 0", 64),
            ("orders lost --limit 1001", 64), ("orders lost --after x", 64),
            ("orders lost --at 2026-06-01", 64), ("orders settle \(unknown)", 64),
            ("orders reassign \(unknown) --reason r", 64),
            ("orders reassign \(unknown) alice --new-account --reason r", 1),
        ] {
            let run = try scene.usher(line)
            #expect(run.status == status, "\(line): \(run.errors)")
            #expect(run.output == "")
        }
        scene.end()
        for line in ["orders list alice", "orders lost", "orders undo \(unknown) --reason r"] {
            #expect(try scene.usher(line).status == 2)
        }
        #expect(try scene.read("orders lost").status == 0)
    }
}
