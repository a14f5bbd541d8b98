internal import EntitlementModel
internal import Testing

@testable internal import PolicyLoading

/// What a policy may take away from those who had it by another one (spec 2.6).
@Suite(.timeLimit(.minutes(20)))
struct PolicyComparisonTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let old: String
        let new: String
        let lost: [String]

        init(_ name: String, _ old: String, _ new: String, _ lost: [String] = []) {
            testDescription = name
            (self.old, self.new, self.lost) = (old, new, lost)
        }
    }

    private static func policy(_ more: String) throws -> Policy {
        let text = PolicyText(path: "more.yaml", text: more)
        let report = loadPolicy([PolicyExample.base] + (more.isEmpty ? [] : [text]))
        return try #require(report.policy, "\(render(report.diagnostics, sources: [text]))")
    }

    /// As the built-in rules: what is active is given, the rest is not.
    private static var builtIns: [AccessRule] {
        var active = Condition()
        active.states = [.active]
        return [
            AccessRule(reference: .builtIn("active"), when: active, effect: .grant),
            AccessRule(reference: .builtIn("rest"), when: Condition(), effect: .withhold),
        ]
    }

    private static func rules(_ rules: String...) -> String {
        "access:\n"
            + rules.enumerated().map { "  - {name: r\($0.offset), \($0.element)}\n" }
            .joined()
    }

    private static let grace = "when: {state: grace}, then: grant"
    private static let qa = "when: {account: qa, state: revoked}, then: grant"
    private static let noQA = "when: {account: qa}, then: withhold"
    private static let unlock = "products: {unlock: {kind: non-consumable, grants: [premium]}}"
    private static let coins =
        "credits: {coins: {title: Coins}}\nproducts: {c: {kind: consumable, "

    private static func open(_ windows: String, _ names: String = "[premium]") -> String {
        "open:\n  - {name: weekend, entitlements: \(names), at: \(windows)}\n"
    }

    private static let weekend = "from 2026-12-05 until 2026-12-07"

    private static func coins(_ terms: String) -> String {
        coins + "grants: [{credit: coins, units: 5\(terms)}]}}"
    }

    private static func club(_ terms: String) -> String {
        "credits: {coins: {title: Coins}}\nproducts: {c: {kind: auto-renewable, period: 1mo, "
            + "grants: [premium], credits: [{credit: coins, \(terms)}]}}"
    }

    static let creditCases: [Case] = [
        Case("units that lapse", coins(""), coins(", expires: 90d"), ["terms: c expires"]),
        Case("units that lapse no longer", coins(", expires: 90d"), coins("")),
        Case(
            "units that lapse sooner", coins(", expires: 90d"), coins(", expires: 60d"),
            ["terms: c expires"]),
        Case("units that lapse later", coins(", expires: 90d"), coins(", expires: 4mo")),
        Case(
            "units that lapse with the period", club("units: 5, expires: 31d"),
            club("units: 5, expires: period"), ["terms: c expires"]),
        Case(
            "units that outlast the period", club("units: 5, expires: period"),
            club("units: 5, expires: 31d")),
        Case(
            "fewer units of a period", club("units: 5"), club("units: 4"), ["terms: c units"]),
        Case(
            "fewer units under an offer", club("units: 5, under_offer: {free-trial: 3}"),
            club("units: 5, under_offer: {free-trial: 2}"), ["terms: c under_offer"]),
        Case(
            "as many under an offer", club("units: 5, under_offer: {free-trial: 3}"),
            club("units: 6, under_offer: {free-trial: 3, win-back: 5}")),
        Case(
            "longer parts", club("units: 5, every: 7d"), club("units: 5, every: 14d"),
            ["terms: c every"]),
        Case(
            "no parts", club("units: 5, every: 7d"), club("units: 5"), ["terms: c every"]),
        Case("parts", club("units: 5"), club("units: 5, every: 7d")),
        Case(
            "a period's credit is not given any more", club("units: 5"),
            "credits: {coins: {title: Coins}}\n"
                + "products: {c: {kind: auto-renewable, period: 1mo, grants: [premium]}}",
            ["grant: c coins"]),
    ]

    private static func refunds(_ mode: String) -> String {
        "credits: {coins: {title: Coins, on_refund: \(mode)}}\n"
            + "products: {c: {kind: consumable, grants: [{credit: coins, units: 5}]}}"
    }

    static let refundCases: [Case] = [
        Case("a debt", refunds("floor"), refunds("debt"), ["refund: coins floor debt"]),
        Case("a freeze", refunds("debt"), refunds("freeze"), ["refund: coins debt freeze"]),
        Case("what is left", refunds("ignore"), refunds("floor"), ["refund: coins ignore floor"]),
        Case("a debt no longer", refunds("debt"), refunds("floor")),
        Case("the default", refunds("debt"), coins("")),
    ]

    static let openCases: [Case] = [
        Case("the same window", open(weekend), open(weekend)),
        Case(
            "a window in two parts", open(weekend),
            open("[from 2026-12-06 until 2026-12-08, from 2026-12-04 until 2026-12-06]")),
        Case(
            "a day less", open(weekend), open("from 2026-12-05 until 2026-12-06"),
            ["open: weekend premium"]),
        Case(
            "a gap", open(weekend),
            open("[from 2026-12-05T12:00:00Z until 2026-12-07, from 2026-12-01 until 2026-12-05]"),
            ["open: weekend premium"]),
        Case("nothing open any more", open(weekend), "", ["open: weekend premium"]),
        Case("something open", "", open(weekend)),
    ]

    static let cases: [Case] =
        openCases + creditCases + refundCases + [
            Case("nothing changed", rules(grace), rules(grace)),
            Case("a rule by another name", rules(grace), "access:\n- {name: other, \(grace)}"),
            Case("a rule more that grants", rules(grace), rules(qa, grace)),
            Case("a rule less that withholds", rules(noQA, grace), rules(grace)),
            Case("withheld no longer", rules(noQA), rules("when: {account: qa}, then: grant")),
            Case("a longer list", rules(qa), rules(qa.replacing("qa", with: "[qa, qb]"))),
            Case(
                "a shorter list", rules(qa.replacing("qa", with: "[qa, qb]")), rules(qa),
                ["cell: gold.monthly premium revoked"]),
            Case(
                "a rule less that grants", rules(grace, qa), rules(qa),
                ["cell: gold.monthly premium grace"]),
            Case(
                "a rule more that withholds", rules(grace), rules(grace, noQA),
                ["cell: gold.monthly premium active"]),
            Case(
                "a longer time counts as narrower until it is proven not to be",
                rules("when: {state: grace, state_age: under 7d}, then: grant"),
                rules("when: {state: grace, state_age: under 9d}, then: grant"),
                ["cell: gold.monthly premium grace"]),
            Case(
                "an exception more", rules(grace),
                rules("when: {state: grace}, unless: {account: qa}, then: grant"),
                ["cell: gold.monthly premium grace"]),
            Case(
                "an exception less",
                rules("when: {state: grace}, unless: {account: qa}, then: grant"), rules(grace)),
            Case(
                "two rules become one that is wider",
                rules("when: {account: a}, then: grant", "when: {account: b}, then: grant"),
                rules("when: {account: [a, b, c]}, then: grant")),
            Case(
                "an order that hides a grant", rules(qa, noQA), rules(noQA, qa),
                ["cell: gold.monthly premium revoked"]),
            Case("the list is gone", rules(noQA), "", ["list: access"]),
            Case("a product is gone", unlock, "", ["product: unlock"]),
            Case(
                "a product of another kind", unlock,
                "products: {unlock: {kind: non-renewing, duration: 1y, grants: [premium]}}",
                ["product-kind: unlock"]),
            Case(
                "a right is not given any more",
                "entitlements: {hd: {title: HD}}\n"
                    + unlock.replacing("[premium]", with: "[premium, hd]"),
                "entitlements: {hd: {title: HD}}\n" + unlock, ["grant: unlock hd"]),
            Case("a product more", "", unlock),
            Case(
                "fewer units", coins + "grants: [{credit: coins, units: 5}]}}",
                coins + "grants: [{credit: coins, units: 4}]}}", ["terms: c units"]),
            Case(
                "a shorter time", coins + "grants: [{entitlement: premium, for: 1y}]}}",
                coins + "grants: [{entitlement: premium, for: 11mo}]}}", ["terms: c for"]),
            Case(
                "as long in another unit", coins + "grants: [{entitlement: premium, for: 12mo}]}}",
                coins + "grants: [{entitlement: premium, for: 1y}]}}"),
            Case(
                "refund answers give no right",
                "refund_answers: [{name: a, when: {account: a}, then: grant}]", ""),
            Case("a shorter leeway", "leeway: 2h", "leeway: 1h", ["leeway: 1h 2h"]),
            Case(
                "a claim rule less",
                "account_switch: [{name: a, when: {account: a}, then: keep}, {name: b, then: keep}]",
                "account_switch: [{name: b, then: keep}]", ["rule: account_switch a"]),
            Case(
                "a claim rule that says something else",
                "account_switch: [{name: a, then: keep}]", "account_switch: [{name: b, then: deny}]"
            ),
        ]

    @Test(arguments: cases)
    func losses(_ example: Case) throws {
        let lost = policyLosses(
            from: try Self.policy(example.old), to: try Self.policy(example.new),
            builtIns: Self.builtIns)
        let told = lost.map { "\($0.kind.rawValue): \($0.names.joined(separator: " "))" }
        #expect(told.map(Self.sorted) == example.lost.map(Self.sorted))
        for loss in lost {
            for language in Language.allCases {
                let sentence = loss.sentence(in: language)
                #expect(loss.names.allSatisfy { sentence.contains($0) } || loss.kind == .app)
            }
        }
    }

    /// States in any order.
    private static func sorted(_ told: String) -> [String] {
        told.split(separator: " ").map(String.init).sorted()
    }

    @Test func trust() throws {
        let old = try Self.policy("")
        var new = old
        new.environments[.production] = .refused
        new.trust.jws = []
        new.trust.receipt[0].environments = [.sandbox]
        new.trust.maximumSignedAge = Period(30, .days)
        new.trust.deniedKeys = [old.digest]
        new.app.appleID = 2
        let kinds = policyLosses(from: old, to: new, builtIns: []).map(\.kind)
        #expect(kinds == [.environment, .root, .root, .deniedKey, .signedAge, .app])
        var wider = old
        wider.environments[.xcode] = .trusted
        wider.trust.jws.append(wider.trust.receipt[0])
        #expect(policyLosses(from: old, to: wider, builtIns: []).isEmpty)
        let certificate: [UInt8] = [0x30, 0x01, 0x00]
        let fingerprint = try #require(
            Digest256(
                hexadecimal: "edc8c1efa9b3a9dc08b95dd0236472be2167c4eb4994fc1edda33e8deefc1a45"))
        var (named, whole) = (old, old)
        whole.trust.jws = [TrustAnchor(root: .certificate(certificate))]
        named.trust.jws = [TrustAnchor(root: .fingerprint(fingerprint))]
        #expect(policyLosses(from: named, to: whole, builtIns: []).isEmpty)
        #expect(policyLosses(from: whole, to: named, builtIns: []).map(\.kind) == [.root])
    }

    @Test func largePoliciesAreComparedQuickly() throws {
        let products = (0..<400).map {
            "  p\($0): {kind: non-consumable, grants: [premium]}\n"
        }
        let rules = (0..<100).map {
            "  - {name: r\($0), when: {product: p\($0)}, unless: {account: a}, then: grant}\n"
        }
        let old = try Self.policy("products:\n\(products.joined())access:\n\(rules.joined())")
        var new = old
        new.accessRules.swapAt(0, 1)
        let clock = ContinuousClock()
        let time = clock.measure {
            #expect(policyLosses(from: old, to: new, builtIns: Self.builtIns).isEmpty)
        }
        #expect(time < .seconds(90), "\(time)")
    }
}
