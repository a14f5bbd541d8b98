internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import Testing

/// Warnings that a policy expects (spec 2.2).
@Suite(.timeLimit(.minutes(20)))
struct WaiverTests {
    private static let gift = "{id: grants-after-end, because: a gift}"

    private static func rule(_ name: String, _ rest: String = "") -> String {
        "  - name: \(name)\n    when: {state: expired, expiry_reason: \(name)}\n    then: grant\n\(rest)"
    }

    private func check(_ text: String) -> PolicyReport {
        checkPolicy([PolicyExample.base, PolicyText(path: "r.yaml", text: text)])
    }

    @Test func waivesInItsPlaceOnly() throws {
        let report = check(
            "access:\n" + Self.rule("cancelled", "    expect-warning: \(Self.gift)\n")
                + Self.rule("upgraded"))
        #expect(report.diagnostics.map(\.id) == [.grantsAfterEnd])
        #expect(report.diagnostics.first?.place.line == 6)
        #expect(report.waived == 1)
        #expect(report.policy != nil)
    }

    @Test func waivesAllOfAFolder() {
        let both = "access:\n" + Self.rule("cancelled") + Self.rule("upgraded")
        let report = check("expect-warning: \(Self.gift)\n" + both)
        #expect(report.diagnostics.isEmpty && report.waived == 2)
        let list = check(
            "expect-warning:\n  - \(Self.gift)\n  - {id: given-by-nothing, because: later}\n"
                + "entitlements: {hd: {title: HD}}\n" + both)
        #expect(list.diagnostics.isEmpty && list.waived == 3)
    }

    @Test func waivesWarningsOfLoadingAtAProduct() {
        let product =
            "products:\n  plan:\n    kind: auto-renewable\n    period: 1mo\n"
            + "    grants: [premium]\n"
        #expect(check(product).diagnostics.map(\.id) == [.subscriptionWithoutGroup])
        let waived = check(
            product
                + "    expect-warning: {id: subscription-without-group, because: sold alone}\n")
        #expect(waived.diagnostics.isEmpty && waived.waived == 1)
    }

    @Test(
        "what nothing needs is an error, at its id",
        arguments: [
            // In another rule than the warning.
            "access:\n" + rule("cancelled")
                + "  - name: b\n    when: {state: grace}\n    then: grant\n"
                + "    expect-warning: \(gift)\n",
            // Beside one that is nearer.
            "expect-warning: \(gift)\naccess:\n"
                + rule("cancelled", "    expect-warning: \(gift)\n"),
            "expect-warning: {id: price-decimals, because: x}\nleeway: 1h\n",
        ])
    func unneeded(text: String) throws {
        let report = check(text)
        #expect(report.policy == nil)
        let errors = report.diagnostics.filter { $0.severity == .error }
        #expect(errors.map(\.id) == [.waiverNotNeeded])
        let place = try #require(errors.first?.place)
        let line = text.split(separator: "\n")[place.line - 1]
        #expect(line.dropFirst(place.column - 1).hasPrefix(place.column > 1 ? "" : "e"))
        #expect(line.dropFirst(place.column - 1).prefix(place.length).contains("-"))
    }

    /// The day passes, and a ledger is not always asked.
    @Test func circumstancesMayBeExpected() {
        for id in ["window-past", "unmapped-product", "file-not-read"] {
            let report = check("expect-warning: {id: \(id), because: later}\nleeway: 1h\n")
            #expect(report.diagnostics.isEmpty, "\(id)")
        }
    }

    /// A check that is not made any more does not make a policy invalid that expects it.
    @Test func formerChecksMayBeExpected() {
        let report = check(
            "expect-warning: {id: effect-against-name, because: it is meant}\nleeway: 1h\n")
        #expect(report.policy != nil && report.diagnostics.isEmpty)
    }

    @Test(
        "only warnings that there are, with a reason",
        arguments: [
            ("{id: unknown-key, because: x}", DiagnosticID.unknownWord),
            ("{id: grants-after-ends, because: x}", .unknownWord),
            ("{id: grants-after-end}", .missingKey), ("grants-after-end", .wrongType),
        ])
    func isReadStrictly(waiver: String, id: DiagnosticID) {
        let report = check("expect-warning: \(waiver)\nleeway: 1h\n")
        #expect(report.policy == nil)
        #expect(report.diagnostics.map(\.id) == [id])
    }

    /// The texts of a ledger have no such error (spec 2.6).
    @Test func oldTextsLoad() throws {
        let texts = try PolicyExample(of: .waiverNotNeeded).wrong
        #expect(checkPolicy(texts).policy == nil)
        #expect(loadOldPolicy(texts)?.accessRules.count == 1)
    }
}
