internal import EntitlementModel
internal import PolicyLoading
internal import Testing

/// Where the usual advice would lead astray, the advice is about what was written.
@Suite(.timeLimit(.minutes(20)))
struct AdviceTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let policy: MarkedPolicy
        let id: DiagnosticID
        let advice: String
        let testDescription: String

        init(_ name: String, _ marked: String, _ id: DiagnosticID, _ advice: String) {
            testDescription = name
            policy = MarkedPolicy(marked)
            self.id = id
            self.advice = advice
        }
    }

    private static func rule(_ when: String) -> String {
        """
        access:
          - name: a rule
            when: {\(when)}
            then: withhold

        """
    }

    @Test(arguments: [
        Case(
            "a number without its unit", rule("kind: auto-renewable, state_age: under 7"),
            .badLength,
            "write one of: 'under 7m', 'under 7h', 'under 7d'"),
        Case(
            "accounts by their ending", rule("account: ⟦*qa⟧"), .alias,
            "write the value out; a product pattern that begins with '*' needs quotes"),
        Case(
            "a key that is there already", rule("kind: auto-renewable, ⟦kinds⟧: free"),
            .unknownKey,
            "remove it, or correct its name"),
        Case(
            "a rule that says nothing", "access:\n  - name: a rule\n    when: {kind: free}\n",
            .missingKey,
            "write one of: 'then: grant', 'then: withhold'"),
    ])
    func isAboutWhatWasWritten(_ mistake: Case) throws {
        let found = mistake.policy.diagnose().filter { $0.severity == .error }
        let shown = render(found, sources: [mistake.policy.text])
        let first = try #require(found.first)
        #expect(first.id == mistake.id, "\(shown)")
        #expect(first.advice(in: .english) == mistake.advice, "\(shown)")
        #expect(!first.advice(in: .chinese).isEmpty)
        if let place = mistake.policy.place { #expect(first.place == place, "\(shown)") }
    }
}
