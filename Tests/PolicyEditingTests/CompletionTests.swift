internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import PolicyTools

@Suite("Completion", .timeLimit(.minutes(20)))
struct CompletionTests {
    /// A text with `‸` where it is being typed, and what must be proposed there and what must not.
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        var offers: [String] = []
        var omits: [String] = []
        var testDescription: String { text }
    }

    static let keyCases = [
        Case(text: "‸", offers: ["products", "access", "usher"], omits: ["kind", "premium"]),
        Case(text: "acc‸", offers: ["access", "account_switch"]),
        Case(text: "access:\n  - ‸", offers: ["name", "when", "then"], omits: ["moment"]),
        Case(
            text: "access:\n  - name: x\n    ‸", offers: ["when", "then", "only"], omits: ["name"]),
        Case(text: "access:\n- name: x\n  wh‸\n- name: y", offers: ["when"], omits: ["name"]),
        Case(
            text: "access:\n  - when:\n      ‸\n    then: grant", offers: ["kind", "state"],
            omits: ["moment", "then"]),
        Case(
            text: "access:\n  - when: {kind: free, ‸", offers: ["state", "product"],
            omits: ["kind", "then"]),
        Case(text: "access:\n  - when: {st‸}", offers: ["state"]),
        Case(
            text: "account_switch:\n  - when: {‸", offers: ["moment", "token", "paid"],
            omits: ["offer"]),
        Case(text: "account_switch:\n  - limits: {‸}", offers: ["cooldown", "moves", "else"]),
        Case(
            text: "products:\n  a.b:\n    kind: free\n    ‸", offers: ["grants", "title_zh"],
            omits: ["kind", "then"]),
        Case(text: "products:\n  a.b:\n    price: {‸", offers: ["USD", "CNY"], omits: ["kind"]),
        Case(text: "products:\n  a.b:\n    grants: [{‸", offers: ["credit", "entitlement"]),
        Case(text: "environments:\n  ‸", offers: ["production", "sandbox"]),
        Case(text: "app: ‸", omits: ["bundle_id"]),
        Case(text: "app: {‸", offers: ["bundle_id"]),
        Case(text: "# acc‸", omits: ["access"]),
    ]

    static let valueCases = [
        Case(text: "access:\n  - then: ‸", offers: ["grant", "withhold"], omits: ["keep"]),
        Case(text: "access:\n  - then: gr‸", offers: ["grant"]),
        Case(text: "account_switch:\n  - then: ‸", offers: ["keep", "transfer"]),
        Case(text: "access:\n  - when: {state: ‸", offers: ["active", "grace"], omits: ["state"]),
        Case(text: "access:\n  - when: {state: [active, ‸]}", offers: ["grace"]),
        Case(text: "access:\n  - only: [‸", offers: ["premium"], omits: ["gold"]),
        Case(
            text: "access:\n  - when:\n      product: com.‸",
            offers: ["com.example.reader.gold.monthly"]),
        Case(text: "products:\n  a.b:\n    group: ‸", offers: ["membership"], omits: ["gold"]),
        Case(
            text: "products:\n  a.b:\n    group: membership\n    level: ‸",
            offers: ["gold", "silver"], omits: ["low"]),
        Case(text: "products:\n  a.b:\n    level: ‸", offers: ["gold", "low"]),
        Case(text: "products:\n  a.b:\n    grants:\n      - ‸", offers: ["premium", "credit"]),
        Case(text: "products:\n  a.b:\n    grants: ‸", offers: ["premium", "all"]),
        Case(text: "products:\n  a.b:\n    grants: {‸", offers: ["all_except"]),
        Case(text: "products:\n  a.b:\n    grants: {all_except: [‸", offers: ["premium"]),
        Case(text: "account_switch:\n  - when: {paid: ‸", offers: ["yes", "no"]),
        Case(text: "products:\n  a.b:\n    grants: [{credit: ‸", offers: ["coins"]),
        Case(text: "products:\n  a.b:\n    period: ‸", offers: ["1mo", "1y"]),
        Case(text: "access:\n  - when: {state_age: ‸", offers: ["under 7d"], omits: ["1mo"]),
        Case(text: "access:\n  - when: {state_age: under ‸", offers: ["under 7d"]),
        Case(text: "access:\n  - when: {at: ‸", offers: ["before 2026-05-28"]),
        Case(text: "access:\n  - when: {storefront: ‸", offers: ["CHN"]),
        Case(text: "app:\n  newsstand: ‸", offers: ["true", "false"]),
        Case(text: "trust:\n  roots:\n    jws: [‸", offers: ["apple-root-ca-g3"]),
        Case(text: "time_zone: Asia/Sh‸", offers: ["Asia/Shanghai"]),
        Case(text: "open:\n  - entitlements: [‸", offers: ["premium"]),
        Case(text: "access:\n  - name: ‸", omits: ["premium"]),
    ]

    private static let names = """
        usher: 1
        entitlements:
          premium: {title: Premium, title_zh: 高级}
        credits: {coins: {title: Coins}}
        groups:
          membership: {levels: [gold, silver]}
          other: {levels: [low]}
        products:
          com.example.reader.gold.monthly: {kind: free, title: Gold, title_zh: 黄金}
          com.example.reader.gold.yearly: {kind: free}

        """

    /// A client in front of two files: one with the names, and one that is being typed.
    private func answer(
        _ marked: String, locale: String = "en"
    ) throws -> (items: [JSONValue], text: String) {
        let folder = try TemporaryFolder()
        try folder.write(Self.names, to: "names.yaml")
        let parts = marked.split(separator: "‸", omittingEmptySubsequences: false)
        let text = parts.joined()
        let client = try Conversation(locale: locale, encodings: ["utf-8"])
        let uri = FileAddress.uri(ofPath: folder.path + "/typed.yaml")
        client.open(uri, text)
        let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
        let answer = try client.ask(
            "textDocument/completion",
            [
                "textDocument": ["uri": .string(uri)],
                "position": [
                    "line": .integer(Int64(lines.count - 1)),
                    "character": .integer(Int64(lines.last?.utf8.count ?? 0)),
                ],
            ])
        return (try #require(answer["result"]?["items"]?.elements), text)
    }

    @Test("proposes keys where a key is expected", arguments: keyCases)
    func keys(example: Case) throws { try check(example) }

    @Test("proposes words, names and samples where a value is expected", arguments: valueCases)
    func values(example: Case) throws { try check(example) }

    private func check(_ example: Case) throws {
        let labels = try answer(example.text).items.compactMap { $0["label"]?.string }
        for label in example.offers { #expect(labels.contains(label), "\(labels)") }
        for label in example.omits { #expect(!labels.contains(label)) }
        #expect(Set(labels).count == labels.count)
    }

    @Test("writes what it proposes so that the folder reads it as it is meant")
    func applied() throws {
        for (marked, label, expected) in [
            ("access:\n  - wh‸", "when", "access:\n  - when:"),
            ("access:\n  - wh‸: {}", "when", "access:\n  - when: {}"),
            ("access:\n  - when: {st‸}", "state", "access:\n  - when: {state: }"),
            ("access:\n  - when: {auto_renew: ‸}", "on", "access:\n  - when: {auto_renew: \"on\"}"),
            ("access:\n  - then: grnt‸", "grant", "access:\n  - then: grant"),
            ("access:\n  - then: gr‸nt", "grant", "access:\n  - then: grant"),
            ("access:\n  - then: \"gr‸\"", "grant", "access:\n  - then: grant"),
            ("products:\n  a:\n    grants: ‸", "premium", "products:\n  a:\n    grants: [premium]"),
            (
                "access:\n  - when: {product: com‸}", "com.example.reader.*",
                "access:\n  - when: {product: com.example.reader.*}"
            ),
        ] {
            let (items, text) = try answer(marked)
            let item = try #require(
                items.first { $0["label"]?.string == label }, "\(marked): \(items.map(\.text))")
            var document = TextDocument(text)
            let range = try #require(TextRange(item["textEdit"]?["range"]))
            let written = try #require(item["textEdit"]?["newText"]?.string)
            document.replace(document.offsets(of: range, .utf8), with: written)
            #expect(document.text(0..<document.bytes.count).hasPrefix(expected), "\(marked)")
        }
    }

    @Test("tells what it proposes in the client's language")
    func languages() throws {
        for (locale, title, meaning) in [
            ("en", "Gold", "What the product is"), ("zh", "黄金", "产品"),
        ] {
            let products = try answer("access:\n  - when: {product: ‸", locale: locale).items
            let gold = products.first {
                $0["label"]?.string == "com.example.reader.gold.monthly"
            }
            #expect(gold?["detail"]?.string == title)
            let keys = try answer("products:\n  a:\n    ‸", locale: locale).items
            let kind = keys.first { $0["label"]?.string == "kind" }
            let text = kind?["documentation"]?["value"]?.string ?? ""
            #expect(locale == "en" ? !text.isEmpty : text.contains(meaning))
        }
    }
}
