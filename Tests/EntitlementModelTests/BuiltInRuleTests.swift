internal import EntitlementModel
internal import Testing

@Suite("Rules that no policy has", .timeLimit(.minutes(20)))
struct BuiltInRuleTests {
    @Test("have a name in each language, by which they are found", arguments: BuiltInRule.allCases)
    func names(_ rule: BuiltInRule) {
        let reference = RuleReference.builtIn(rule)
        #expect(reference.name == rule.rawValue)
        #expect(reference.name(in: .english) == rule.rawValue)
        let chinese = reference.name(in: .chinese)
        #expect(chinese != rule.rawValue)
        #expect(BuiltInRule(named: chinese) == rule && BuiltInRule(named: rule.rawValue) == rule)
    }

    @Test("are told apart from rules of a policy that have the same name")
    func ofPolicy() {
        let own = RuleReference(name: BuiltInRule.succession.rawValue, file: "a.yaml", line: 3)
        #expect(own.name(in: .chinese) == "succession")
        #expect(!own.isBuiltIn && RuleReference.builtIn(.succession).isBuiltIn)
    }

    @Test("have names of their own in both languages")
    func distinct() {
        for language in Language.allCases {
            let names = Set(BuiltInRule.allCases.map { $0.text(language) })
            #expect(names.count == BuiltInRule.allCases.count)
        }
    }
}
