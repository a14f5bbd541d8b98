internal import EntitlementModel
internal import PolicyLoading
internal import TestSupport
internal import Testing

/// The printed schema; `scripts/check-schema` compares it with a validator of its own.
@Suite(.timeLimit(.minutes(20)))
struct PolicySchemaTests {
    @Test func copyBesideTheExampleIsCurrent() throws {
        #expect(try Snapshot.complaint(policySchema(), at: "policies/schema.json") == nil)
    }

    @Test(arguments: Language.allCases)
    func everyKeyIsDescribed(_ language: Language) {
        let lines = policySchema(in: language).split(separator: "\n")
        let descriptions = lines.filter { $0.contains("\"description\":") }
        #expect(descriptions.count > 60)
        for description in descriptions {
            let isChinese = description.unicodeScalars.contains {
                (0x4E00...0x9FFF).contains($0.value)
            }
            #expect(isChinese == (language == .chinese), "\(description)")
            #expect(description.hasSuffix(language == .chinese ? "。\"," : ".\","))
        }
    }

    @Test func chineseDescribesTheSameKeys() {
        let english = policySchema().split(separator: "\n").filter { !$0.contains("description") }
        let chinese = policySchema(in: .chinese).split(separator: "\n").filter {
            !$0.contains("description")
        }
        #expect(english.dropFirst(3) == chinese.dropFirst(3))
    }
}
