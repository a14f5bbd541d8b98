internal import AppStoreClient
internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import PolicyLoading
internal import StoreSimulator
internal import StrictJSON
internal import TestSupport
internal import Testing

@Suite("Stories of refunds", .timeLimit(.minutes(20)))
struct RefundStoryTests {
    private static let folder = Repository.url("fixtures/refunds")
    private static let files =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
        .filter { $0.hasSuffix(".txt") }.sorted() ?? []

    @Test("come out as told", arguments: files)
    func story(file: String) async throws {
        var story = try await RefundStory()
        let text = try String(
            contentsOf: Self.folder.appendingPathComponent(file), encoding: .utf8)
        try await story.play(text)
    }

    @Test("are there, and have the rules that they say")
    func all() throws {
        #expect(Self.files.count >= 22)
        let readme = try String(
            contentsOf: Self.folder.appendingPathComponent("README.md"), encoding: .utf8)
        #expect(readme.contains("```yaml\n\(RefundShop.rules)\n```"))
    }
}

/// Plays a story of `fixtures/refunds` line by line; its README says what each line means.
private struct RefundStory {
    private struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    private let shop: RefundShop
    private var sales: [String: SimulatedTransaction] = [:]
    private var notifications = 0
    private var line = ""

    init() async throws {
        shop = try await RefundShop()
    }

    mutating func play(_ text: String) async throws {
        let lines = text.split(separator: "\n").drop { !$0.hasPrefix("Why: ") }.dropFirst()
        for line in lines {
            self.line = String(line)
            var words = line.split(separator: " ").map(String.init)
            if line.hasPrefix(" ") {
                try check(words)
            } else {
                let day = words[0].contains(":") ? "1" : words.removeFirst()
                let padded = day.count == 1 ? "0" + day : day
                let time = "2026-03-\(padded)T\(words.removeFirst()):00Z"
                try await pass(until: #require(Instant(rfc3339: time)))
                try await perform(words)
            }
        }
        try shop.engine.close()
    }

    /// The service looks every minute.
    private func pass(until instant: Instant) async throws {
        guard instant >= shop.engine.now() else { throw malformed() }
        while shop.engine.now() < instant {
            shop.pass(hours: 1.0 / 60)
            await shop.answer()
        }
    }

    private func malformed() -> Malformed { Malformed(description: line) }

    private func sale(_ name: String) throws -> SimulatedTransaction {
        guard let sale = sales[name] else { throw malformed() }
        return sale
    }

    private mutating func perform(_ words: [String]) async throws {
        switch (words[0], words[1]) {
        case ("nothing", _): break
        case ("apple", "asks"):
            notifications += 1
            try await shop.ask(about: sale(words[3]), notifications)
        case ("apple", "refunds"):
            var after = try sale(words[2])
            after.signedDate = shop.engine.now()
            after.revocation = Revocation(date: shop.engine.now(), type: .known(.full))
            sales[words[2]] = after
            try await tell("REFUND", of: words[2])
        case ("apple", "declines"): try await tell("REFUND_DECLINED", of: words[2])
        case ("apple", "is"):
            let isAway = words[2] == "away"
            shop.appStore.change {
                $0.failure = isAway ? AppStoreFailure(.unavailable, httpStatus: 503) : nil
            }
        case ("support", "answers"):
            let done = try await shop.engine.recordAnswered(
                try request(words[2]).request,
                AdminActionCause(actor: "uid:0", reason: "a story"))
            guard case .done = done else { throw malformed() }
        case ("the", "rules"): try await activate(words[3])
        case (let account, "agrees"): try await shop.consent(AccountID(unchecked: account))
        case (let account, "disagrees"):
            try await shop.consent(AccountID(unchecked: account), false)
        case (let account, "spends"):
            guard let units = Int64(words[2]) else { throw malformed() }
            _ = try await shop.engine.spend(
                SpendRequest(
                    account: AccountID(unchecked: account), parts: [CreditPart("coins", units)],
                    key: line, cause: CreditCause(actor: "uid:7")))
        case (let account, "buys"), (let account, "renews"): try await buy(account, words)
        case (let account, "sends"): try await submit(sale(words[2]), for: account)
        default: throw malformed()
        }
    }

    private mutating func tell(_ type: String, of name: String) async throws {
        notifications += 1
        try await shop.tell(type, of: sale(name), notifications)
    }

    private func activate(_ word: String) async throws {
        let texts = shop.shop.policyTexts.map { text in
            let changed = String(decoding: text.bytes, as: UTF8.self)
                .replacing("{name: the rest, then: prorate}", with: "{name: all, then: \(word)}")
            return text.path.hasSuffix(".yaml") ? PolicyText(path: text.path, text: changed) : text
        }
        let digest = shop.engine.policy.digest
        _ = try await shop.engine.activate(texts)
        #expect(shop.engine.policy.digest != digest, "\(line)")
    }

    private mutating func buy(_ account: String, _ words: [String]) async throws {
        let kinds: [String: ProductKind] = [
            "gold": .autoRenewable, "unlock": .nonConsumable, "coins": .consumable,
            "pass": .nonRenewing,
        ]
        guard words.count > 4, let kind = kinds[words[2]] else { throw malformed() }
        let id = "100" + words[4].dropFirst()
        let now = shop.engine.now()
        var sale = try shop.transaction(words[2], kind, id: id)
        (sale.purchaseDate, sale.originalPurchaseDate, sale.signedDate) = (now, now, now)
        if kind == .autoRenewable { sale.expiresDate = Period(1, .months).end(from: now) }
        let rest = words.dropFirst(5).joined(separator: " ")
        switch rest {
        case "", "for nobody": break
        case "on trial":
            sale.offer = Offer(type: 1, discountType: "FREE_TRIAL")
            sale.expiresDate = now.advanced(byMilliseconds: 86_400_000)
        case "in sandbox": sale.environment = .sandbox
        case "from the family": sale.ownership = "FAMILY_SHARED"
        case "by her company": sale.ownership = "ASSIGNED"
        case "by Advanced Commerce":
            sale.otherFields = [JSONMember("advancedCommerceInfo", ["items": []])]
        default:
            guard words[1] == "renews", words[5] == "after" else { throw malformed() }
            let first = try self.sale(words[6])
            sale.originalTransactionID = first.originalTransactionID
            sale.originalPurchaseDate = first.originalPurchaseDate
            sale.reason = .renewal
        }
        sales[words[4]] = sale
        try await submit(sale, for: rest == "for nobody" ? nil : account)
    }

    private func submit(_ sale: SimulatedTransaction, for account: String?) async throws {
        let submission = EvidenceSubmission(
            payload: shop.shop.store.sign(sale.payload),
            account: account.map(AccountID.init(unchecked:)))
        let report = try await shop.engine.submit([submission]).first
        #expect(report?.judged != nil, "\(line)")
    }
}

/// What must hold.
extension RefundStory {
    private func request(_ number: String) throws -> RefundRequestAnswer {
        let requests = try shop.requests()
        guard let place = Int(number), requests.indices.contains(place - 1) else {
            throw malformed()
        }
        return requests[place - 1]
    }

    private func check(_ words: [String]) throws {
        guard words[0] == "apple" else {
            let request = try request(words[0])
            #expect(request.state.rawValue == words[2].filter { $0 != ":" }, "\(line)")
            let obstacle = words.count > 3 ? words[3] : nil
            if request.state == .open {
                #expect(request.obstacle?.obstacle.rawValue == obstacle, "\(line)")
            }
            return
        }
        let (told, first) = (shop.appStore.consumption, shop.appStore.firstConsumption)
        switch words[3] {
        case "nothing": #expect(shop.appStore.calls == [], "\(line)")
        case "once": #expect(shop.appStore.calls.count == 1, "\(line)")
        case "twice": #expect(shop.appStore.calls.count == 2, "\(line)")
        case "of":
            let name = words[4].filter { $0 != ":" }
            let id = TransactionID(unchecked: "100" + name.dropFirst())
            let text = line.split(separator: ": ", maxSplits: 1)[1]
            if words.contains("numbers:") {
                #expect(first[id]?.last.map(Self.text) == String(text), "\(line)")
            } else {
                #expect(told[id]?.last.map(Self.text) == String(text), "\(line)")
            }
        default: throw malformed()
        }
    }

    private static func text(_ report: ConsumptionReport) -> String {
        var words = [report.preference?.rawValue ?? "-", report.delivery.rawValue]
        if let used = report.consumedMilliPercent { words.append("\(used / 1_000) %") }
        if report.hadSample { words.append("tried before") }
        return words.joined(separator: ", ")
    }

    private static func text(_ report: FirstConsumptionReport) -> String {
        let fields: [(String, FirstConsumptionReport.Field)] = [
            ("consumption", .consumptionStatus), ("delivery", .deliveryStatus),
            ("preference", .refundPreference),
        ]
        return fields.map { "\($0.0) \(report.fields[$0.1].map { "\($0)" } ?? "-")" }
            .joined(separator: ", ")
    }
}
