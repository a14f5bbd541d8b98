internal import PolicyLoading
internal import Testing

/// What YAML means and nobody meant (THREATS.md F19 to F25).
@Suite(.timeLimit(.minutes(20)))
struct YAMLTrapTests {
    private static func title(_ written: String) -> String {
        "entitlements:\n  hd: {title: \(written)}"
    }

    private static func name(_ written: String) -> String {
        "entitlements:\n  \(written): {title: High definition}"
    }

    static let names: [Mistake] = [
        Mistake("no", name("⟦no⟧"), .textReadAsBoolean),
        Mistake("Off", name("⟦Off⟧"), .textReadAsBoolean),
        Mistake("y", name("⟦y⟧"), .textReadAsBoolean),
        Mistake("true", name("⟦true⟧"), .textReadAsBoolean),
        Mistake("exponent", name("⟦1e3⟧"), .textReadAsNumber),
        Mistake("octal", name("⟦0o14⟧"), .textReadAsNumber),
        Mistake("old octal", name("⟦014⟧"), .textReadAsNumber),
        Mistake("hexadecimal", name("⟦0xFF⟧"), .textReadAsNumber),
        Mistake("base 60", name("⟦12:30:45⟧"), .textReadAsNumber),
        Mistake("underscores", name("⟦1_000⟧"), .textReadAsNumber),
        Mistake("fraction", name("⟦.5⟧"), .textReadAsNumber),
        Mistake("infinity", name("⟦.inf⟧"), .textReadAsNumber),
        Mistake("plus", name("⟦+1⟧"), .textReadAsNumber),
        Mistake("date", name("⟦2026-01-31⟧"), .textReadAsDate),
        Mistake("short date", name("⟦2026-1-3⟧"), .textReadAsDate),
        Mistake("tilde", name("⟦~⟧"), .textReadAsNothing),
        Mistake("space inside", name("⟦high definition⟧"), .badName),
        Mistake("empty", name("⟦\"\"⟧"), .badName),
        Mistake("star", name("⟦\"h*\"⟧"), .badName),
        Mistake("129 signs", name("⟦\(String(repeating: "a", count: 129))⟧"), .badName),
        Mistake("Chinese", name("⟦高清⟧"), .notASCIIName),
        Mistake("accent", name("⟦café⟧"), .notASCIIName),
        Mistake("Cyrillic a", name("⟦pr\u{435}mium⟧"), .mixedScripts),
        Mistake("fullwidth letter", name("⟦premium\u{FF21}⟧"), .fullWidthPunctuation),
    ]

    static let yaml: [Mistake] = [
        Mistake("anchor on a map", "orders: ⟦&x⟧\n  pay_within: 30m", .anchor),
        Mistake("anchor on a list", "access: &x []", .anchor),
        Mistake("alias to nothing", "leeway: ⟦*nowhere⟧", .alias),
        Mistake("alias as key", "orders:\n  ⟦*x⟧ : 30m", .alias),
        Mistake("binary", title("⟦!!binary aGQ=⟧"), .tag),
        Mistake("own tag", title("⟦!x hd⟧"), .tag),
        Mistake("set", "groups: !!set {a}", .tag),
        Mistake("ordered map", "groups: !!omap []", .tag),
        Mistake("merge", "orders:\n  ⟦<<⟧: {pay_within: 30m}", .mergeKey),
        Mistake("second document", "leeway: 1h\n⟦---⟧\nleeway: 1h", .severalDocuments),
        Mistake("list as key", "entitlements:\n  ⟦[a]⟧: {title: A}", .keyNotText),
        Mistake("folded", "entitlements:\n  hd:\n    title: >\n      High", .textOverLines),
        Mistake("nul", "leeway: ⟦\0⟧1h", .controlCharacter),
        Mistake("tab", "orders:\n⟦\t⟧pay_within: 30m", .tab),
        Mistake("tab in a comment", "leeway: 1h #⟦\t⟧long", .tab),
        Mistake("lone return", "leeway: 1h\r⟦a⟧", .controlCharacter),
        Mistake("next line sign", title("High⟦\u{85}⟧ definition"), .controlCharacter),
        Mistake("line separator", title("High⟦\u{2028}⟧definition"), .invisibleCharacter),
        Mistake("right to left", title("High⟦\u{202E}⟧ definition"), .invisibleCharacter),
        Mistake("hidden in a comment", "leeway: 1h # a⟦\u{2066}⟧b", .invisibleCharacter),
        Mistake("space without break", title("High⟦\u{A0}⟧definition"), .invisibleCharacter),
        Mistake("duplicate in flow", "orders: {pay_within: 1h, ⟦pay_within⟧: 2h}", .duplicateKey),
        Mistake(
            "full-width comma", "groups:\n  a: {levels: [x]⟦，⟧ title: A}", .fullWidthPunctuation),
        Mistake("bracket", "groups:\n  a: ⟦{⟧levels: [x], title: A\nleeway: 1h", .unclosedBracket),
        Mistake("quote", "groups:\n  a: {levels: [x], title: ⟦'⟧A}", .unclosedQuote),
        Mistake("colon forgotten", "⟦entitlements⟧ # rights\n  hd: {title: A}", .missingColon),
        Mistake("space forgotten", "orders:\n  ⟦pay_within:30m⟧", .missingSpace),
        Mistake("space forgotten in brackets", "orders: {⟦pay_within:30m⟧}", .missingSpace),
        Mistake(
            "space forgotten after a required key", "entitlements:\n  hd: {⟦title:High⟧}",
            .missingSpace),
        Mistake("too far right", "orders:\n  pay_within: 1h\n    ⟦m⟧: 1h", .badIndentation),
        Mistake("too far left", "access:\n  - name: a\n   ⟦t⟧hen: grant", .badIndentation),
        Mistake("apostrophe in quotes", title("⟦'⟧It's good'"), .unclosedQuote),
        Mistake("comment in brackets", "entitlements:\n  hd: ⟦{⟧title: #1 fan}", .unclosedBracket),
        Mistake("curved quotes", "entitlements:\n  a: {title: “b, ⟦c”⟧}", .fullWidthPunctuation),
        Mistake("full-width colons", "⟦orders：⟧\n  pay_within：1h", .fullWidthPunctuation),
        Mistake("hash as text", "entitlements:\n  hd:\n    ⟦title⟧: #1 fan", .emptyValue),
        Mistake("backtick", title("⟦`⟧hd`"), .reservedCharacter),
        Mistake("wide text before", "groups:\n  a: {title: 视频会员, level: [x]}", .unknownKey),
    ]

    @Test(arguments: names) func nameThatIsNone(_ mistake: Mistake) { mistake.check() }

    @Test(arguments: yaml) func yamlTrap(_ mistake: Mistake) { mistake.check() }

    /// Quotes make names of what would be something else.
    @Test(arguments: ["no", "1e3", "2026-01-31", "~", "12:30"])
    func quotedNameIsAName(_ name: String) {
        let policy = MarkedPolicy("entitlements:\n  \"\(name)\": {title: Quoted}")
        #expect(policy.diagnose().map(\.id) == [.givenByNothing])
    }

    /// These only look like numbers or dates.
    @Test(arguments: ["archive-2025", "2025-archive", "v1", "1st", "e3", "2025-01-01-sale", "a:b"])
    func plainNameIsAName(_ name: String) {
        let policy = MarkedPolicy("entitlements:\n  \(name): {title: Plain}")
        #expect(policy.diagnose().map(\.id) == [.givenByNothing])
    }

    /// 308 bytes that expand to 269 MB are refused at the first anchor, unexpanded.
    @Test func aliasBombIsRefusedUnexpanded() {
        var text = "access: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1...9 {
            let aliases = [String](repeating: "*a\(level - 1)", count: 9)
            text += "x\(level): &a\(level) [\(aliases.joined(separator: ", "))]\n"
        }
        let ids = MarkedPolicy(text).diagnose().map(\.id)
        #expect(ids.contains(.anchor))
        #expect(ids.contains(.alias))
        #expect(ids.count < 200)
    }

    @Test func depthIsRefusedBeforeItCosts() {
        let nested = [500, 10_000].map { depth in
            "access: " + String(repeating: "[", count: depth)
                + String(repeating: "]", count: depth)
        }
        #expect(MarkedPolicy(nested[0]).diagnose().map(\.id) == [.tooDeep])
        #expect(MarkedPolicy(nested[1]).diagnose().count == 1)
    }
}
