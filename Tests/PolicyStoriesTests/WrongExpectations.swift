internal import Sentences
internal import StoreBox

@testable internal import PolicyTools

extension Story {
    /// The same story with each expectation in all ways in which one word of it can be wrong.
    var contradicted: Story {
        var story = self
        story.steps = steps.flatMap { step -> [StoryStep] in
            guard let expectation = StoryExpectation(rawValue: step.sentence.verb) else {
                return [step]
            }
            return step.sentence.contradictions(of: expectation).map { sentence in
                var wrong = step
                wrong.sentence = sentence
                return wrong
            }
        }
        return story
    }
}

extension Sentence {
    /// What says of which answer it speaks; everything else is what it says of it.
    private static let addresses: Set<SentenceSlot> = [
        .account, .entitlement, .credit, .order, .other, .purchase, .product, .appleID,
        .environment, .finding,
    ]

    private static let opposites: [StoryExpectation: StoryExpectation] = [
        .has: .lacks, .lacks: .has, .finding: .noFinding, .noFinding: .finding,
        .owner: .noOwner, .tokenSet: .tokenWaits, .tokenWaits: .tokenSet, .sameOrder: .otherOrder,
        .otherOrder: .sameOrder,
        .lostOrder: .nothingLost, .lostPayment: .nothingLost, .appleTold: .appleToldNothing,
        .appleToldNumbers: .appleToldNothing, .told: .untold,
    ]

    /// What an expectation without words of its own is made of to be wrong.
    private static let inventions: [StoryExpectation: Sentence] = [
        .nothingLost: Sentence(
            verb: StoryExpectation.lostOrder.rawValue,
            values: [.order: SentenceValue("none"), .reason: SentenceValue("never-paid")]),
        .appleToldNothing: Sentence(
            verb: StoryExpectation.appleTold.rawValue,
            values: [.purchase: SentenceValue("none"), .preference: SentenceValue("DECLINE")]),
        .noOwner: Sentence(
            verb: StoryExpectation.owner.rawValue, values: [.account: SentenceValue("none")]),
        .untold: Sentence(
            verb: StoryExpectation.told.rawValue,
            values: [.units: SentenceValue("99"), .until: SentenceValue("2001-01-01")]),
        .noChange: Sentence(
            verb: StoryExpectation.change.rawValue,
            values: [.change: SentenceValue("gains"), .entitlement: SentenceValue("premium")]),
    ]

    func contradictions(of expectation: StoryExpectation) -> [Sentence] {
        var wrong: [Sentence] = []
        if let opposite = Self.opposites[expectation] {
            let kept = values.filter { Self.addresses.contains($0.key) }
            wrong.append(Sentence(verb: opposite.rawValue, values: kept))
        }
        if var invented = Self.inventions[expectation] {
            invented.values.merge(values) { own, _ in own }
            wrong.append(invented)
        }
        let isCount = expectation == .appleToldCount
        for slot in values.keys.sorted(by: { $0.rawValue < $1.rawValue })
        where !Self.addresses.contains(slot) && (slot != .number || isCount) {
            wrong.append(contradicting(slot))
        }
        return wrong
    }

    private func contradicting(_ slot: SentenceSlot) -> Sentence {
        var wrong = self
        let others: [SentenceSlot: (SentenceSlot, String)] = [
            .tried: (.untried, "true"), .untried: (.tried, "true"), .noPercent: (.percent, "99"),
            .noObstacle: (.reason, "assigned"), .always: (.until, "2001-01-01"),
        ]
        if let (other, text) = others[slot] {
            wrong.values[slot] = nil
            wrong.values[other] = SentenceValue(text)
            return wrong
        }
        let text =
            switch slot.kind {
            case .number: "\((number(slot) ?? 0) + 1)"
            case .date: "2001-01-01"
            default: slot == .change ? (self[slot] == "gains" ? "loses" : "gains") : "wrong"
            }
        wrong.values[slot] = SentenceValue(text)
        return wrong
    }
}
