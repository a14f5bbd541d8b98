internal import PolicyLoading
internal import Testing

/// The printed schema; `scripts/check-schema` compares it with a validator of its own.
@Suite struct PolicySchemaTests {
    @Test func copyBesideTheExampleIsCurrent() throws {
        try Snapshot.check(policySchema(), at: "policies/schema.json")
    }

    @Test func chineseDescribesTheSameKeys() {
        let english = policySchema().split(separator: "\n").filter { !$0.contains("description") }
        let chinese = policySchema(in: .chinese).split(separator: "\n").filter {
            !$0.contains("description")
        }
        #expect(english.dropFirst(3) == chinese.dropFirst(3))
    }
}
