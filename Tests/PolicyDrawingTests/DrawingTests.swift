internal import EntitlementModel
internal import PolicyAnalysis
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import PolicyTools

/// The tables of `policy show` as text, page and JSON (spec 2.5).
@Suite(.timeLimit(.minutes(20)))
struct DrawingTests {
    private func snapshot(_ text: String, _ name: String) throws -> String? {
        try Snapshot.complaint(text, at: "Tests/PolicyDrawingTests/Snapshots/\(name)")
    }

    @Test(arguments: Language.allCases)
    func textIsAsRecorded(_ language: Language) throws {
        let tables = policyTables(try ShownPolicy.load(ShownPolicy.small))
        let text = tables.text(try ShownPolicy.showing(language))
        #expect(try snapshot(text, "small.\(language.rawValue).txt") == nil)
    }

    @Test(arguments: Language.allCases)
    func pageIsAsRecorded(_ language: Language) throws {
        let tables = policyTables(try ShownPolicy.load(ShownPolicy.small))
        let page = tables.page(try ShownPolicy.showing(language))
        #expect(try snapshot(page, "small.\(language.rawValue).html") == nil)
    }

    @Test func jsonIsAsRecorded() throws {
        let tables = policyTables(try ShownPolicy.load(ShownPolicy.small))
        let json = tables.json(try ShownPolicy.showing()).text
        #expect(try snapshot(json + "\n", "small.json") == nil)
    }

    /// No row is wider than the terminal, in either language, whatever the titles: a single word,
    /// which may be an id, is not broken.
    @Test(arguments: [40, 60, 79, 80, 100, 133, 200], Language.allCases)
    func rowsFit(_ width: Int, _ language: Language) throws {
        for policy in [try ShownPolicy.example(), try ShownPolicy.load(HostileTitles.policy)] {
            let text = policyTables(policy).text(
                try ShownPolicy.showing(language, width: width))
            for line in text.split(separator: "\n") {
                let words = line.split(separator: " ")
                #expect(String(line).columns <= width || words.count == 1, "\(line)")
            }
        }
    }

    @Test func partsAreThoseAskedFor() throws {
        let tables = policyTables(try ShownPolicy.load(ShownPolicy.small))
        var showing = try ShownPolicy.showing()
        // The policy says nothing of the app itself.
        for part in PolicyPart.allCases where part != .app {
            showing.parts = [part]
            let page = tables.page(showing)
            for other in PolicyPart.allCases {
                #expect(page.contains("<section id=\"\(other.rawValue)\"") == (other == part))
            }
        }
        showing.parts = [.products]
        let json = tables.json(showing)
        #expect(json["products"]?.elements?.count == 3)
        #expect(json["cells"] == nil)
    }

    @Test(
        arguments: [
            (9_900, "USD", "9.90 USD"), (9_990, "USD", "9.99 USD"), (68_000, "CNY", "68 CNY"),
            (1_200_000, "JPY", "1200 JPY"), (300_500, "JPY", "300.5 JPY"),
            (1_500, "KWD", "1.500 KWD"), (1_255, "USD", "1.255 USD"), (0, "USD", "0 USD"),
        ] as [(Int64, String, String)])
    func prices(_ thousandths: Int64, _ currency: String, _ text: String) throws {
        var policy = try ShownPolicy.load(ShownPolicy.small)
        let id = try #require(policy.products.keys.first)
        policy.products[id]?.prices = [currency: thousandths]
        let page = policyTables(policy).page(try ShownPolicy.showing())
        #expect(page.contains("<span class=\"price\">\(text)</span>"))
    }

    /// A rule without conditions hides what is behind it; one that cannot be met is not listed,
    /// and is named where it decides nothing.
    @Test func rulesThatMatter() throws {
        let policy = try ShownPolicy.load(
            ShownPolicy.small.replacing(
                "access:\n",
                with: """
                    access:
                      - name: coins only
                        when: {kind: consumable}
                        then: withhold
                      - name: everybody but while retrying
                        unless: {state: billing-retry}
                        then: grant

                    """))
        let access = policyTables(policy).access
        let names = Dictionary(
            uniqueKeysWithValues: access.cells(of: .autoRenewable).map { cell in
                (cell.state, cell.deciders.map { access.rules[$0.rule].reference.name })
            })
        #expect(names[.expired] == ["everybody but while retrying"])
        #expect(
            names[.billingRetry] == [
                "a week while Apple retries the card", "unknown ownership gives nothing",
                "everything else gives nothing",
            ])
        #expect(
            access.idle.map { access.rules[$0].reference.name } == [
                "coins only", "early readers keep it",
            ])
    }

    @Test(
        arguments: [
            ("com.example.*", 3), ("*gold", 1), ("gold", 1), ("GOLD", 1), ("黄金", 1), ("coins", 1),
            ("g*d", 0), ("nothing", 0),
        ])
    func products(_ pattern: String, _ count: Int) throws {
        let policy = try ShownPolicy.load(ShownPolicy.small)
        let tables = policyTables(policy, TableScope(products: ProductFilter(pattern)))
        #expect(tables.products.count == count)
        #expect(tables.products.total == 3)
    }

    @Test func datesAreHeldAgainstNow() throws {
        let dates = policyTables(try ShownPolicy.load(ShownPolicy.small)).dates
        let now = try ShownPolicy.showing().now
        #expect(
            dates.rows.map { "\($0.meaning.rawValue) \($0.phase(at: now).rawValue)" } == [
                "first_purchased past", "retired current", "open future", "at current",
            ])
    }
}
