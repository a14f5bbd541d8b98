internal import EntitlementModel
internal import PolicyLoading
internal import TestSupport
internal import Testing

/// `policy show` (spec 2.5).
@Suite(.timeLimit(.minutes(20)))
struct PolicyTableTests {
    private let table: PolicyTable

    init() throws {
        let texts = try readPolicyFolder(Repository.path("policies"))
        var policy = try #require(loadPolicy(texts).policy)
        policy.digest = try #require(Digest256([UInt8](repeating: 0xAB, count: 32)))
        table = policyTable(
            policy, builtIns: Self.builtIns, refundBuiltIn: Self.refundBuiltIn)
    }

    /// As spec 1.5 has them.
    private static var builtIns: [AccessRule] {
        var unknown = Condition()
        unknown.ownerships = [.unknown]
        var good = Condition()
        good.states = [.active, .grace, .renewing]
        return [
            AccessRule(
                reference: .builtIn("unknown ownership gives nothing"), when: unknown,
                effect: .withhold),
            AccessRule(
                reference: .builtIn("paid for, in grace or renewing"), when: good, effect: .grant),
            AccessRule(
                reference: .builtIn("otherwise not"), when: Condition(), effect: .withhold),
        ]
    }

    private static let refundBuiltIn = RefundRule(
        reference: .builtIn("nothing is said"), when: Condition(), answer: .nothing)

    @Test(arguments: Language.allCases)
    func textIsAsRecorded(_ language: Language) throws {
        #expect(
            try Snapshot.complaint(
                table.text(in: language),
                at: "Tests/PolicyLoadingTests/Snapshots/table.\(language.rawValue).txt") == nil)
    }

    @Test(arguments: Language.allCases)
    func pageIsAsRecorded(_ language: Language) throws {
        #expect(
            try Snapshot.complaint(
                table.page(in: language),
                at: "Tests/PolicyLoadingTests/Snapshots/table.\(language.rawValue).html") == nil)
    }

    /// Without rules of its own, a policy is what the built-ins make of it.
    @Test func builtInsAlone() throws {
        let policy = try #require(loadPolicy([PolicyExample.base]).policy)
        let cells = policyTable(
            policy, builtIns: Self.builtIns, refundBuiltIn: Self.refundBuiltIn
        ).cells(of: .autoRenewable)
        #expect(
            cells.map(\.verdict) == [.grant, .grant, .grant, .withhold, .withhold, .withhold])
        #expect(cells.allSatisfy { $0.rules.count == 2 })
    }

    /// A rule that always decides hides what comes after it; one that cannot hold is left out.
    @Test func rulesThatMatter() throws {
        let rules = MarkedPolicy(
            """
            access:
              - name: coins only
                when: {kind: consumable}
                then: withhold
              - name: refunds of families
                when: {revocation: family}
                then: grant
              - name: everybody but while retrying
                unless: {state: billing-retry}
                then: grant
              - name: never reached but while retrying
                then: withhold
            """)
        let policy = try #require(loadPolicy([PolicyExample.base, rules.text]).policy)
        let cells = policyTable(
            policy, builtIns: Self.builtIns, refundBuiltIn: Self.refundBuiltIn
        ).cells(of: .autoRenewable)
        let names = Dictionary(
            uniqueKeysWithValues: cells.map { ($0.state, $0.rules.map(\.reference.name)) })
        #expect(names[.expired] == ["everybody but while retrying"])
        #expect(names[.revoked] == ["refunds of families", "everybody but while retrying"])
        #expect(names[.billingRetry] == ["never reached but while retrying"])
    }

    /// A rule says the same everywhere, however long, and no file name disturbs a terminal.
    @Test func nothingIsCutOff() throws {
        let accounts = (1...40).map { "account-\($0)" }
        var rules = MarkedPolicy(
            """
            access:
              - name: testers
                when: {account: [\(accounts.joined(separator: ", "))]}
                then: grant
            """
        ).text
        rules.path = "rules\u{1B}[2J.yaml"
        let policy = try #require(loadPolicy([PolicyExample.base, rules]).policy)
        let table = policyTable(
            policy, builtIns: Self.builtIns, refundBuiltIn: Self.refundBuiltIn)
        let condition = "account: " + accounts.joined(separator: " | ")
        for shown in [table.page(in: .english), table.text(in: .english)] {
            #expect(shown.contains(condition))
            #expect(shown.contains("rulesU+001B[2J.yaml:2"))
            #expect(!shown.contains("\u{1B}"))
        }
    }

    /// Names are text in the page, never markup.
    @Test func pageEscapes() throws {
        let rules = MarkedPolicy("access:\n  - name: \"<script>&\"\n    then: grant")
        let policy = try #require(loadPolicy([PolicyExample.base, rules.text]).policy)
        let page = policyTable(
            policy, builtIns: Self.builtIns, refundBuiltIn: Self.refundBuiltIn
        ).page(in: .english)
        #expect(page.contains("&lt;script&gt;&amp;"))
        #expect(!page.contains("<script>"))
    }
}
