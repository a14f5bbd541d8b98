package import EntitlementModel
package import StoreBox

/// One verb of the grammar, as it is listed.
package struct ListedStep: Sendable {
    package var form: SentenceForm

    /// The key of the long form.
    package var verb: String { form.verb }

    /// The sentence with its slots.
    package func pattern(in language: Language) -> String {
        form.patterns(in: language).first?.shown ?? ""
    }

    /// The words that a slot of it allows, where they can be counted.
    package var words: [(slot: SentenceSlot, words: [String])] {
        form.slots.compactMap { slot in
            StoryNames.words(for: slot, of: form.verb).map { (slot, $0) }
        }
    }
}

/// A part of the grammar.
package enum StepSection: CaseIterable, Sendable {
    case store
    case service
    case expectations

    package var steps: [ListedStep] {
        let forms: [SentenceForm] =
            switch self {
            case .store: StoreVerb.forms
            case .service: StoryVerb.forms
            case .expectations: StoryExpectation.forms
            }
        return forms.map { ListedStep(form: $0) }
    }

    package var phrase: StoryPhrase {
        switch self {
        case .store: .inStore
        case .service: .outsideStore
        case .expectations: .expectations
        }
    }
}

/// The whole grammar as text, a verb in both languages.
package func listedSteps(in language: Language) -> String {
    var lines: [String] = []
    for section in StepSection.allCases {
        if !lines.isEmpty { lines.append("") }
        lines.append(section.phrase.text(language))
        for step in section.steps {
            lines.append("  " + step.verb)
            lines += Language.allCases.map { "      " + step.pattern(in: $0) }
            lines += step.words.map { slot, words in
                "      {\(slot.rawValue)}: " + words.joined(separator: " | ")
            }
        }
    }
    return lines.joined(separator: "\n") + "\n"
}
