internal import EntitlementModel
internal import Sentences
internal import StoreBox
internal import Testing

@testable internal import PolicyTools

@Suite("The sentences of stories", .timeLimit(.minutes(20)))
struct SentenceTests {
    /// A value that the slot allows.
    private static func sample(_ slot: SentenceSlot, of step: SentenceForm) -> String {
        if let words = step.words.first(where: { $0.slot == slot })?.words { return words[0] }
        return switch slot.kind {
        case .word: "\(slot.rawValue)-1"
        case .purchase: "alice's gold.monthly"
        case .number: "12"
        case .date: "2026-02-17"
        case .length: "1w"
        case .price: "9.99 USD"
        case .text: "a rule, and 'its' name"
        case .flag: "true"
        }
    }

    private static let steps = StepSection.allCases.flatMap(\.steps)

    private static func sentence(_ step: SentenceForm, _ slots: [SentenceSlot]) -> Sentence {
        Sentence(
            verb: step.verb,
            values: Dictionary(
                uniqueKeysWithValues: slots.map { ($0, SentenceValue(sample($0, of: step))) }))
    }

    @Test("what is written in either language reads as the same", arguments: Language.allCases)
    func roundTrip(_ language: Language) throws {
        for step in Self.steps {
            for slots in [step.requiredSlots, step.slots] {
                let sentence = Self.sentence(step, slots)
                let text = try #require(storyTable.write(sentence, in: language))
                let read = try storyTable.read(text)
                #expect(read == sentence, "\(text)")
            }
        }
    }

    @Test(
        "help never says the opposite, nor what is written already",
        arguments: [
            ("alice 扣款失败", nil),
            ("alice's gold renews twice", "{purchase} renews"),
            ("alice's gold fails payment", "{purchase} fails[ grace {days}]"),
            ("expect alice may use premium", "expect {account} has {entitlement}"),
        ])
    func nearest(sentence: String, shown: String?) throws {
        do throws(SentenceMistake) {
            _ = try storyTable.read(sentence)
        } catch {
            #expect(error.isWithinWord == (shown == nil))
            guard let shown else { return }
            #expect(
                error.isComplete ? error.nearest?.text == shown : error.nearest?.shortest == shown)
        }
    }

    @Test("both languages have the same slots, and verbs have names of their own")
    func sameSlots() {
        for step in Self.steps {
            let english = Set(step.english[0].slots)
            #expect(english == Set(step.chinese[0].slots), "\(step.verb)")
            #expect(english.count == step.english[0].slots.count, "\(step.verb)")
        }
        #expect(Set(Self.steps.map(\.verb)).count == Self.steps.count)
        #expect(Self.steps.count > 80)
    }

    @Test(
        "options come in any order, and blanks around Chinese do not count",
        arguments: [
            ("alice buys gold as G with Apple ID A", "alice buys gold with Apple ID A as G"),
            ("alice buys gold with Apple ID A", "alice用 Apple ID A 购买gold"),
            ("A 续期", "A renews"), ("alice's gold renews", "alice 的 gold 续订"),
            (
                "expect alice has premium, because \"a rule\", state grace",
                "期望 alice 有 premium，状态 grace，因为“a rule”"
            ),
            (
                "alice buys gold as G on A token",
                "alice buys gold with Apple ID A as G with a token"
            ),
            ("renewal of A fails, grace until 2026-02-17.", "A 续订失败，宽限期至2026-02-17"),
        ])
    func same(_ first: String, _ second: String) throws {
        let dotless = first.hasSuffix(".") ? String(first.dropLast()) : first
        #expect(try storyTable.read(dotless) == storyTable.read(second))
    }

    @Test(
        "what is not understood is named",
        arguments: [
            ("alice buyes gold", "buyes"), ("alice buys gold quickly", "quickly"),
            ("expect alice has premium, stat grace", "stat"),
            ("expect alice has premium, until tomorrow", "tomorrow"), ("A renews twice", "twice"),
        ])
    func mistakes(_ text: String, _ word: String) {
        let mistake = #expect(throws: SentenceMistake.self) { try storyTable.read(text) }
        #expect(mistake?.token?.text == word)
        #expect(mistake?.nearest != nil)
    }
}
