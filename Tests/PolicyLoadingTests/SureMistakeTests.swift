internal import EntitlementModel
internal import PolicyAnalysis
internal import TestSupport
internal import Testing

@testable internal import PolicyLoading

/// What is surely a mistake, and what is said of it.
@Suite(.timeLimit(.minutes(20)))
struct SureMistakeTests {
    private static func access(_ rest: String) -> String {
        "access:\n  - name: a\n    \(rest)"
    }

    private static func price(_ written: String) -> String {
        "products:\n  p: {kind: non-consumable, grants: [premium], price: {\(written)}}"
    }

    struct Advice: CustomTestStringConvertible, Sendable {
        let policy: MarkedPolicy
        let id: DiagnosticID
        let advice: String?
        let testDescription: String

        init(_ name: String, _ marked: String, _ id: DiagnosticID, _ advice: String?) {
            testDescription = name
            policy = MarkedPolicy(marked)
            (self.id, self.advice) = (id, advice)
        }
    }

    static let mistakes: [Advice] = [
        Advice("a comma in {}", price("USD: ⟦9,99⟧"), .decimalComma, "write 9.99"),
        Advice(
            "the same fraction twice", price("USD: ⟦9,99⟧, CNY: 68,99"), .decimalComma,
            "write 9.99"),
        Advice(
            "two groups of thousands", price("USD: ⟦1,234,567⟧"), .decimalComma, "write 1234567"),
        Advice(
            "thousands or a fraction", price("USD: ⟦\"1,234\"⟧"), .decimalComma,
            "write one of: '1234', '1.234'"),
        Advice(
            "a comma in a block",
            "products:\n  p:\n    kind: non-consumable\n    grants: [premium]\n"
                + "    price:\n      USD: ⟦9,99⟧",
            .decimalComma, "write 9.99"),
        Advice(
            "both signs",
            "products:\n  p:\n    kind: non-consumable\n    grants: [premium]\n"
                + "    price:\n      USD: ⟦1.234,50⟧",
            .decimalComma, "write 1234.50"),
        Advice(
            "thousands of units",
            "credits: {c: {title: C}}\nproducts:\n"
                + "  p: {kind: consumable, grants: [{credit: c, units: ⟦1,000⟧}]}",
            .decimalComma, "write 1000"),
        Advice(
            "levels with numbers", "groups: {g: {levels: ⟦{gold: 1, silver: 2}⟧}}", .wrongType,
            "write it like this: levels: [gold, silver]"),
        Advice(
            "levels as sections", "groups: {g: {levels: [⟦{name: gold}⟧, {name: silver}]}}",
            .wrongType, "write it like this: levels: [gold, silver]"),
        Advice(
            "levels in one text", "groups: {g: {levels: ⟦\"gold, silver\"⟧}}", .wrongType,
            "write [gold, silver]"),
        Advice(
            "levels in the place of the group", "groups: {g: ⟦[gold, silver]⟧}", .wrongType,
            "write it like this: g: {levels: [gold, silver]}"),
        Advice(
            "products as a list", "products:\n  ⟦-⟧ id: p\n    kind: free", .wrongType,
            "write it like this: products: {com.example.unlock: "
                + "{kind: non-consumable, grants: [premium]}}"),
        Advice(
            "a product as a text", "products:\n  p: ⟦free⟧", .wrongType,
            "write it like this: p: {kind: non-consumable, grants: [premium]}"),
        Advice(
            "products without indentation",
            "products:\n  p:\n  ⟦kind⟧: non-consumable\n  grants: [premium]", .notIndented,
            "indent each of the keys that belong to 'p' by two more spaces"),
        Advice(
            "both sides of a date",
            access(
                "when: {first_purchased: ⟦[before 2026-06-01, from 2026-03-01]⟧}\n"
                    + "    then: grant"),
            .oppositeBounds,
            "write it like this: first_purchased: from 2026-03-01 until 2026-06-01"),
        Advice(
            "both sides of an age",
            access("when: {state: grace, state_age: ⟦[at least 3d, under 7d]⟧}\n    then: grant"),
            .oppositeBounds,
            "write it like this: state_age: from 3d to 7d"),
        Advice(
            "an interval that ends before it begins",
            access("when: {at: ⟦from 2026-06-01 until 2026-06-01⟧}\n    then: grant"),
            .emptyInterval, nil),
        Advice(
            "a conflict", "⟦<<<<<<< HEAD⟧\nleeway: 1h\n=======\nleeway: 2h\n>>>>>>> b",
            .mergeConflict,
            "keep one of the two versions, and remove the lines with '<<<<<<<', '=======' and "
                + "'>>>>>>>'"),
        Advice(
            "a conflict of which a part was removed", "leeway: 2h\n⟦>>>>>>> b⟧", .mergeConflict,
            "keep one of the two versions, and remove the lines with '<<<<<<<', '=======' and "
                + "'>>>>>>>'"),
        Advice(
            "a conflict of which only the middle is left", "leeway: 2h\n⟦=======⟧\norders: {}",
            .mergeConflict,
            "keep one of the two versions, and remove the lines with '<<<<<<<', '=======' and "
                + "'>>>>>>>'"),
        Advice(
            "everything is withheld", "access:\n  - name: ⟦nobody⟧\n    then: withhold",
            .withholdsEverything,
            "state what it withholds, for example: when: {state: billing-retry}"),
        Advice(
            "everything is withheld by what all products are",
            "access:\n  - name: ⟦nobody⟧\n    when: {kind: auto-renewable}\n    then: withhold",
            .withholdsEverything, nil),
        Advice(
            "everything of all that is trusted",
            "access:\n  - name: ⟦nobody⟧\n"
                + "    when: {environment: [production, sandbox]}\n    then: withhold",
            .withholdsEverything, nil),
    ]

    private static let states =
        "one of: 'active', 'renewing', 'grace', 'billing-retry', 'expired', 'revoked'"

    private static func grants(_ written: String) -> String {
        "products:\n  p: {kind: non-consumable, grants: \(written)}"
    }

    private static func app(_ rest: String) -> String {
        "app_purchase:\n  - name: a\n    \(rest)\n    grants: [premium]"
    }

    static let opposites: [Advice] = [
        Advice(
            "a word with letters in front", access("when: {state: ⟦inactive⟧}\n    then: grant"),
            .unknownWord, states),
        Advice(
            "the same with a sign", access("when: {state: ⟦un-active⟧}\n    then: grant"),
            .unknownWord, states),
        Advice(
            "one letter too many", access("when: {state: ⟦aactive⟧}\n    then: grant"),
            .unknownWord, "did you mean 'active'?"),
        Advice(
            "a name with letters in front", grants("[⟦unpremium⟧]"), .unknownEntitlement,
            "one of: 'premium'"),
    ]

    private static let everyForm =
        "write one of: 'grants: all', 'grants: {all_except: [ads]}', 'grants: [premium]'"

    static let forms: [Advice] = [
        Advice("everything by a star", grants("⟦\"*\"⟧"), .wrongType, everyForm),
        Advice(
            "levels by a star", "groups: {g: {levels: ⟦\"*\"⟧}}", .wrongType,
            "write it like this: levels: [gold, silver]"),
        Advice("exceptions without signs", grants("⟦all_except premium⟧"), .wrongType, everyForm),
        Advice("exceptions under another key", grants("⟦{but: [premium]}⟧"), .wrongType, everyForm),
        Advice(
            "a grant without its list", grants("⟦{entitlement: premium}⟧"), .wrongType, everyForm),
        Advice("nothing in braces", grants("⟦{}⟧"), .wrongType, everyForm),
        Advice("names without a list", grants("⟦premium⟧"), .wrongType, "write [premium]"),
        Advice(
            "a key too many beside the only one",
            grants("{all_except: [premium], ⟦but⟧: [premium]}"), .unknownKey,
            "remove it, or correct its name"),
    ]

    static let places: [Advice] = [
        Advice(
            "a condition of another list",
            access("when: {⟦first_version⟧: before 3.0}\n    then: grant"), .fieldNotHere,
            "it belongs to: 'app_purchase.when'"),
        Advice(
            "a verb where every rule gives",
            app("when: {first_version: before 3.0}\n    ⟦then⟧: grant"), .fieldNotHere,
            "it belongs to: 'access', 'account_switch', 'refund_answers'"),
        Advice(
            "a lapse of the credit itself", "credits: {c: {title: C, ⟦expires⟧: 90d}}", .unknownKey,
            "it belongs to: 'products.credits', 'products.grants'"),
        Advice(
            "a period of what does not renew",
            "products:\n  p:\n    kind: non-renewing\n    ⟦period⟧: 3mo\n    grants: [premium]",
            .notForKind, "write it like this: duration: 3mo"),
        Advice(
            "a duration of a subscription",
            "products:\n  p:\n    kind: auto-renewable\n    group: membership\n    level: gold\n"
                + "    ⟦duration⟧: 1y\n    grants: [premium]",
            .notForKind, "write it like this: period: 1y"),
        Advice(
            "credits of a consumable",
            "credits: {c: {title: C}}\nproducts:\n  p:\n    kind: consumable\n"
                + "    ⟦credits⟧: [{credit: c, units: 5}]",
            .notForKind, "write it like this: grants: [{credit: c, units: 5}]"),
        Advice(
            "seats below one",
            "account_switch:\n  - name: a\n    when: {quantity: ⟦under 1⟧}\n    then: keep",
            .badCount, "write one of: 'quantity: 1', 'quantity: under 2'"),
    ]

    @Test(arguments: mistakes + opposites + forms + places)
    func isSaidAsWhatItIs(_ mistake: Advice) throws {
        let found = Self.errors(in: mistake.policy)
        let shown = render(found, sources: [mistake.policy.text])
        let first = try #require(found.first, "\(shown)")
        #expect(Set(found.map(\.id)) == [mistake.id], "\(shown)")
        #expect(first.place.line == mistake.policy.place?.line, "\(shown)")
        #expect(first.place.column == mistake.policy.place?.column, "\(shown)")
        if let advice = mistake.advice { #expect(first.advice(in: .english) == advice) }
        #expect(first.advice(in: .chinese).isEmpty == false)
    }

    @Test(
        "what is not withheld from everybody, or is meant, is no error",
        arguments: [
            "access:\n  - {name: a, when: {account: qa}, then: withhold}",
            "access:\n  - {name: a, when: {environment: sandbox}, then: withhold}",
            "access:\n  - {name: a, when: {product: gold.monthly}, then: withhold}",
            "access:\n  - {name: a, when: {state: [active, grace]}, then: grant}\n"
                + "  - {name: b, then: withhold}",
            "entitlements: {hd: {title: HD}}\nproducts:\n"
                + "  p: {kind: non-consumable, grants: [hd]}\n"
                + "access:\n  - {name: a, then: withhold, only: [premium]}",
            "access:\n  - {name: a, when: {purchased: [before 2026-01-01, from 2026-06-01]}, "
                + "then: withhold}",
        ])
    func isNoMistake(policy: String) {
        let found = Self.errors(in: MarkedPolicy(policy))
        #expect(found.isEmpty, "\(render(found, sources: []))")
    }

    private static func errors(in policy: MarkedPolicy) -> [Diagnostic] {
        checkPolicy([PolicyExample.base, policy.text]).diagnostics.filter {
            $0.severity == .error && $0.place.file == policy.text.path
        }
    }

    @Test func intervalsHoldBetweenTheirEnds() throws {
        let texts = [
            PolicyExample.base,
            PolicyText(
                path: "r.yaml",
                text: "access:\n  - name: a\n    then: grant\n    when: {state: grace, "
                    + "at: from 2026-03-01 until 2026-06-01, state_age: from 3d to 7d}"),
        ]
        let when = try #require(loadPolicy(texts).policy?.accessRules.first?.when)
        let bound = try #require(when.at?.first)
        let days = [
            "2026-02-28": false, "2026-03-01": true, "2026-05-31": true, "2026-06-01": false,
        ]
        for (day, holds) in days {
            let instant = try #require(Instant(rfc3339: day))
            #expect(bound.range.contains(instant.milliseconds) == holds, "\(day)")
        }
        #expect(when.stateAges == [.between(Period(3, .days), Period(7, .days))])
    }

    /// Texts that were once in force load, and mean what they meant (spec 2.6).
    @Test(arguments: [DiagnosticID.oppositeBounds, .withholdsEverything])
    func oldTextsLoad(_ id: DiagnosticID) throws {
        let texts = try PolicyExample(of: id).wrong
        #expect(checkPolicy(texts).policy == nil)
        let old = try #require(loadOldPolicy(texts))
        #expect(old.accessRules.count == 1)
        if id == .oppositeBounds { #expect(old.accessRules[0].when.purchased?.count == 2) }
    }

    @Test func consequencesAreCappedAndTheCauseIsShown() throws {
        let products = (1...2_000).map { "  p\($0): {kind: non-consumable, grants: [premuim]}\n" }
        let texts = [
            PolicyExample.base,
            PolicyText(path: "many.yaml", text: "products:\n" + products.joined()),
        ]
        let found = loadPolicy(texts).diagnostics
        #expect(found.count == 3)
        #expect(found.map(\.repetitions) == [0, 0, 1_997])
        #expect(found[0].related.map(\.place.file) == ["app.yaml"])
        let shown = render(found, sources: texts)
        #expect(shown.contains("\n  = note: defined at app.yaml:13:3\n"), "\(shown)")
        #expect(shown.contains("\n  = note: and 1997 more like it\n"), "\(shown)")
        #expect(shown.hasSuffix("\n2000 errors, 0 warnings\n"), "\(shown)")
        let json = render(found, sources: texts, as: RenderOptions(format: .json))
        #expect(json.contains("\"errors\": 2000"))
        #expect(json.contains("\"more\": 1997"))
    }

    @Test func summaryNamesWhatWasRead() throws {
        let folder = try TemporaryFolder()
        try folder.write(PolicyExample.base.bytes, to: "app.yaml")
        try folder.write("notes", to: "NOTES.txt")
        try folder.write("story: x", to: "tests.yml.bak")
        let contents = try readPolicyFolderContents(folder.path)
        #expect(contents.texts.map(\.path) == ["app.yaml"])
        let policy = try #require(loadPolicy(contents.texts).policy)
        let summary = FolderSummary(
            files: contents.texts.map(\.path), ignored: contents.ignored, policy: policy)
        #expect(
            summary.text(in: .english) == """
                files read: app.yaml
                files ignored: NOTES.txt, tests.yml.bak
                products: auto-renewable 1
                rules: access 0, account_switch 0, open 0, refund_answers 0

                """)
        #expect(
            summary.text(in: .chinese) == """
                已读取的文件：app.yaml
                已忽略的文件：NOTES.txt、tests.yml.bak
                产品：auto-renewable 1
                规则：access 0、account_switch 0、open 0、refund_answers 0

                """)
        let json = render([], sources: [], summary: summary, as: RenderOptions(format: .json))
        #expect(json.contains(#""ignored": ["NOTES.txt", "tests.yml.bak"]"#), "\(json)")
    }

    @Test func acceptanceIsReadStrictly() throws {
        let digest = String(repeating: "ab", count: 32)
        func report(_ text: String) -> PolicyReport {
            loadPolicy([PolicyExample.base, PolicyText(path: "accept.yaml", text: text)])
        }
        let whole = report("{from: \(digest), because: spring, accounts_at_most: 12}")
        #expect(whole.acceptance?.accountsAtMost == 12)
        #expect(whole.acceptance?.from.hexadecimal == digest)
        #expect(whole.policy != nil)
        for (text, id) in [
            ("{from: \(digest), because: spring}", DiagnosticID.missingKey),
            ("{from: ab, because: spring, accounts_at_most: 1}", .badFingerprint),
            ("{from: \(digest), becuse: s, accounts_at_most: 1}", .unknownKey),
            ("{from: \(digest), because: s, accounts_at_most: -1}", .numberOutOfRange),
            ("{form: \(digest)}", .unknownSection),
        ] {
            let broken = report(text)
            #expect(broken.policy == nil && broken.acceptance == nil)
            #expect(broken.diagnostics.map(\.id).contains(id), "\(text)")
        }
        // Any file might have had that name.
        #expect(report("leeway: 2h").policy?.leeway == Period(2, .hours))
    }
}
