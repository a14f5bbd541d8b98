internal import EntitlementModel
internal import PolicyAnalysis
internal import Testing

@testable internal import PolicyTools

/// Titles and names that somebody chose to do harm, or that are merely long.
enum HostileTitles {
    static let titles = [
        #"<script>alert(1)</script>"#, #""><img src=x onerror=alert(1)>"#, "&lt;b&gt;",
        "\u{202E}desrever", "line\u{2028}break", String(repeating: "long", count: 50),
        "👨‍👩‍👧 family 🎉", "نص عربي", String(repeating: "很长的标题", count: 20), "{0} {1}",
        "</style></title>", "javascript:alert(1)", "\u{200B}zero\u{FEFF}width",
    ]

    static var policy: String {
        let products = titles.enumerated().map { index, title in
            """
              com.example.reader.p\(index):
                kind: non-consumable
                title: \(quoted(title))
                grants: [premium]

            """
        }
        return ShownPolicy.base + "entitlements:\n  premium: {title: \(quoted(titles[0]))}\n"
            + "products:\n" + products.joined()
            + "access:\n  - name: \(quoted(titles[1]))\n    when: {account: bob}\n    then: grant\n"
            + "open:\n  - name: \(quoted(titles[0]))\n    entitlements: [premium]\n"
            + "    at: from 2026-12-05 until 2026-12-07\n"
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            default:
                let isPlain = (0x20...0x7E).contains(scalar.value)
                quoted += isPlain ? String(scalar) : escape(scalar)
            }
        }
        return quoted + "\""
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }
}

@Suite(.timeLimit(.minutes(20)))
struct HostileTests {
    /// The page has no element but its own, nothing that runs, and nothing that is fetched.
    @Test(arguments: Language.allCases)
    func pageIsHarmless(_ language: Language) throws {
        let tables = policyTables(try ShownPolicy.load(HostileTitles.policy))
        let page = tables.page(try ShownPolicy.showing(language))
        let own: Set<Substring> = [
            "html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "h3", "h4", "p",
            "span", "nav", "ul", "li", "a", "main", "section", "table", "thead", "tbody", "tr",
            "th", "td", "div", "ol", "b", "small", "br", "bdi", "code", "svg", "path", "rect",
            "details", "summary",
        ]
        for match in page.matches(of: /<\/?([A-Za-z][A-Za-z0-9]*)([^>]*)>/) {
            #expect(own.contains(match.output.1), "\(match.output.0)")
            #expect(!match.output.2.contains(/\son[a-z]+=|src=|javascript:/), "\(match.output.0)")
        }
        for match in page.matches(of: /href="([^"]*)"/) {
            #expect(match.output.1.hasPrefix("#"), "\(match.output.0)")
        }
        #expect(page.matches(of: /<title>/).count == 1 && page.matches(of: /<\/style>/).count == 1)
        #expect(page.contains("default-src 'none'; style-src 'unsafe-inline'"))
        #expect(!page.contains("url(") && !page.contains("@import"))
    }

    /// What is hidden is written out, everywhere; what is long is shown in full.
    @Test(arguments: Language.allCases)
    func nothingIsHiddenOrCut(_ language: Language) throws {
        let tables = policyTables(try ShownPolicy.load(HostileTitles.policy))
        var showing = try ShownPolicy.showing(language)
        showing.width = 400
        for shown in [tables.page(showing), tables.text(showing)] {
            #expect(shown.contains("U+202Edesrever"))
            #expect(shown.contains(String(repeating: "long", count: 50)))
            #expect(shown.contains(String(repeating: "很长的标题", count: 20)))
            #expect(!shown.unicodeScalars.contains { $0.isHidden && $0 != "\n" })
        }
    }

    /// Every link of the page leads to a place of it, and no place has two names.
    @Test func linksLead() throws {
        for policy in [try ShownPolicy.example(), try ShownPolicy.load(ShownPolicy.small)] {
            let page = policyTables(policy).page(try ShownPolicy.showing())
            let places = page.matches(of: /\sid="([^"]*)"/).map(\.output.1)
            #expect(Set(places).count == places.count)
            for link in page.matches(of: /href="#([^"]*)"/) {
                #expect(places.contains(link.output.1), "\(link.output.0)")
            }
            for label in page.matches(of: /aria-labelledby="([^"]*)"/) {
                #expect(places.contains(label.output.1), "\(label.output.0)")
            }
        }
    }

    /// Headers of tables say what they head.
    @Test func headersHaveScope() throws {
        let page = policyTables(try ShownPolicy.example()).page(try ShownPolicy.showing(.chinese))
        let heads = page.matches(of: /<th[ >][^>]*>?/)
        #expect(heads.count > 40)
        for head in heads { #expect(head.output.contains("scope="), "\(head.output)") }
        #expect(page.contains("<html lang=\"zh-Hans\">"))
    }
}
