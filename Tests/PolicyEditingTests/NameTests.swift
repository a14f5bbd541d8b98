internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import PolicyTools

@Suite("Names, rules and repairs in an editor", .timeLimit(.minutes(20)))
struct NameTests {
    private static let rules = """
        access:
          - name: first
            when: {product: com.*, state: billing-retry, state_age: under 7d}
            then: grant
          - name: 第二 🙂
            when: {level: gold, state: [billing-retry, grace]}
            then: withhold
            only: premium

        """

    /// The policy in one file, the rules in another; the position of a text in the second.
    private struct Desk {
        let folder: TemporaryFolder
        let client: Conversation
        let uri: String
        let text: String

        init(_ rules: String, locale: String = "en", grants: String = "[premium]") throws {
            folder = try TemporaryFolder()
            let catalogue = SmallPolicy.text.split(separator: "\naccess:")[0]
                .replacing("grants: [premium]", with: "grants: \(grants)")
            try folder.write(String(catalogue) + "\n", to: "catalog.yaml")
            client = try Conversation(
                locale: locale,
                capabilities: [
                    "textDocument": [
                        "hover": ["contentFormat": ["markdown"]],
                        "codeAction": ["codeActionLiteralSupport": [:]],
                    ]
                ])
            uri = FileAddress.uri(ofPath: folder.path + "/rules.yaml")
            text = rules
            client.open(uri, rules)
        }

        /// The answer about the first place of a text.
        func ask(_ method: String, at needle: String, _ more: JSONValue = [:]) throws -> JSONValue {
            let document = TextDocument(text)
            let before = try #require(text.range(of: needle)?.lowerBound)
            let offset = text[..<before].utf8.count
            var params = more
            params["textDocument"] = ["uri": .string(uri)]
            params["position"] = document.position(at: offset + 1, .utf16).json
            return try #require(try client.ask("textDocument/" + method, params)["result"])
        }

        func hover(at needle: String) throws -> String {
            try ask("hover", at: needle)["contents"]?["value"]?.string ?? ""
        }
    }

    @Test("are explained from the texts")
    func hovers() throws {
        let desk = try Desk(Self.rules)
        let product = try desk.hover(at: "com.*")
        #expect(product.contains("`com.example.reader.gold.monthly` Gold, monthly · 黄金会员"))
        let entitlement = try desk.hover(at: "premium")
        #expect(entitlement.hasPrefix("**premium** Premium · 高级阅读 🙂"))
        #expect(entitlement.contains("given by `com.example.reader.gold.monthly`"))
        #expect(entitlement.contains("“第二 🙂”"))
        #expect(try desk.hover(at: "gold, state").contains("level of `membership`"))
        #expect(try desk.hover(at: "state_age").contains("`under 7d`"))
        #expect(try desk.hover(at: "grant").contains("`withhold`"))
        let catalogue = FileAddress.uri(ofPath: desk.folder.path + "/catalog.yaml")
        let text = String(SmallPolicy.text.split(separator: "\naccess:")[0])
        desk.client.open(catalogue, text)
        let line = Int64(text.split(separator: "\n").firstIndex { $0.contains("monthly:") } ?? 0)
        let params: JSONValue = [
            "textDocument": ["uri": .string(catalogue)],
            "position": ["line": .integer(line), "character": 5],
        ]
        let sheet = try desk.client.ask("textDocument/hover", params)
        let shown = sheet["result"]?["contents"]?["value"]?.string ?? ""
        for part in ["auto-renewable", "9.99 USD", "gives `premium`", "period: `1mo`"] {
            #expect(shown.contains(part), "\(shown)")
        }
    }

    @Test("of entitlements that a product gives by 'all' are explained by what that is now")
    func allEntitlements() throws {
        for (grants, isGiven) in [("all", true), ("{all_except: [premium]}", false)] {
            let shown = try Desk(Self.rules, grants: grants).hover(at: "premium")
            #expect(shown.contains("given by `com.example.reader.gold.monthly`") == isGiven)
        }
    }

    @Test("of rules are explained by what the rules decide")
    func rules() throws {
        let desk = try Desk(Self.rules)
        let second = try desk.hover(at: "第二")
        #expect(second.contains("decides in the states `grace`"), "\(second)")
        #expect(second.contains("`billing-retry`"))
        #expect(second.contains("rules before it that decide some of its cases: “first”"))
        #expect(second.contains("example: `{product: com.example.reader.gold.monthly"))
        let first = try desk.hover(at: "first")
        #expect(!first.contains("`grace`") && !first.contains("before it"))
        let chinese = try Desk(Self.rules, locale: "zh").hover(at: "第二")
        #expect(chinese.contains("排在前面并已决定其部分情形的规则：“first”"))
        let broken = try Desk(Self.rules.replacing("withhold", with: "withold"))
        #expect(try broken.hover(at: "first").contains("once the folder has no errors"))
    }

    @Test("are mended by code actions where the help says what to write")
    func codeActions() throws {
        let rules = Self.rules.replacing("withhold", with: "withold")
            .replacing("only: premium", with: "only: [premum]")
        let desk = try Desk(rules)
        let everywhere: JSONValue = [
            "textDocument": ["uri": .string(desk.uri)], "context": ["diagnostics": []],
            "range": [
                "start": ["line": 0, "character": 0], "end": ["line": 99, "character": 0],
            ],
        ]
        let answer = try desk.client.ask("textDocument/codeAction", everywhere)
        let actions = try #require(answer["result"]?.elements)
        #expect(
            actions.compactMap { $0["title"]?.string } == [
                "Write 'then: withhold'", "Write 'only: [premium]'",
            ])
        var document = TextDocument(rules)
        for action in actions.reversed() {
            #expect(action["isPreferred"]?.bool == true)
            let edits = action["edit"]?["changes"]?[desk.uri]?.elements ?? []
            for edit in edits {
                let isApplied = document.applyEdit(edit)
                #expect(isApplied)
            }
        }
        #expect(
            document.text(0..<document.bytes.count)
                == Self.rules.replacing("only: premium", with: "only: [premium]"))
    }

    @Test("are mended as policy check --fix would mend the file, where the help names no word")
    func repairs() throws {
        let rules = Self.rules.replacing("then: withhold", with: "then：withhold")
        let desk = try Desk(rules)
        let everywhere: JSONValue = [
            "textDocument": ["uri": .string(desk.uri)], "context": ["diagnostics": []],
            "range": [
                "start": ["line": 0, "character": 0], "end": ["line": 99, "character": 0],
            ],
        ]
        let answer = try desk.client.ask("textDocument/codeAction", everywhere)
        let action = try #require(answer["result"]?.elements?.first)
        #expect(action["title"]?.string?.hasPrefix("Write '") == true)
        #expect(action["isPreferred"]?.bool == true)
        var document = TextDocument(rules)
        for edit in action["edit"]?["changes"]?[desk.uri]?.elements ?? [] {
            let isApplied = document.applyEdit(edit)
            #expect(isApplied)
        }
        #expect(document.text(0..<document.bytes.count) == Self.rules)
    }
}

extension TextDocument {
    /// A text edit of a code action.
    fileprivate mutating func applyEdit(_ edit: JSONValue) -> Bool {
        var change = edit
        change["text"] = edit["newText"]
        return apply(change, .utf16)
    }
}
