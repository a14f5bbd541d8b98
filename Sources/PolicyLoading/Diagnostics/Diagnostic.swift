package import EntitlementModel

/// Something that a policy's author should know, with its exact place.
package struct Diagnostic: Hashable, Sendable {
    package var id: DiagnosticID
    /// That of its id, unless a caller makes warnings errors.
    package var severity: Severity
    package var place: TextLocation
    /// What the message is about, in the order in which its text names them.
    package var facts: [Fact]
    package var help: Help?
    package var related: [RelatedLocation]
    /// The plainest case that shows it; empty where there is nothing to show.
    package var example: [ExamplePart]
    /// How many more there are that say the same of other places; they are not shown.
    package var repetitions = 0
    /// The line with each of several repairs, of which only its author knows the right one.
    package var choices: [String] = []
    /// What else there is to know, a sentence each, in the reader's language already.
    package var notes: [String] = []

    package init(
        id: DiagnosticID, place: TextLocation, facts: [Fact] = [], help: Help? = nil,
        related: [RelatedLocation] = [], example: [ExamplePart] = []
    ) {
        self.id = id
        severity = id.severity
        self.place = place
        self.facts = facts
        self.help = help
        self.related = related
        self.example = example
    }

    /// The case in the words of a condition, on one line.
    package var exampleText: String {
        "{" + example.map { "\($0.key): \($0.value.inMessage)" }.joined(separator: ", ") + "}"
    }

    /// What is wrong, in one sentence.
    package func message(in language: Language) -> String {
        id.message.filled(with: facts, in: language)
    }

    /// What to do about it.
    package func advice(in language: Language) -> String {
        help?.text(language) ?? id.advice.filled(with: facts, in: language)
    }
}

/// How much a diagnostic weighs: an error stops the policy from loading.
package enum Severity: String, CaseIterable, Hashable, LocalizedText, Sendable {
    case error
    case warning
    case note
}

/// A stretch of one line, as an editor shows it.
package struct TextLocation: Hashable, Sendable {
    /// Relative to the policy folder; empty for the folder itself.
    package var file: String
    /// Counted from 1; 0 where the whole file is meant.
    package var line: Int
    /// Characters as an editor counts them, from 1.
    package var column: Int
    /// Characters; at least 1.
    package var length: Int

    package init(file: String, line: Int = 0, column: Int = 0, length: Int = 1) {
        self.file = file
        self.line = line
        self.column = column
        self.length = length
    }
}

/// Another place that belongs to the story.
package struct RelatedLocation: Hashable, Sendable {
    package var note: RelatedNote
    package var place: TextLocation

    package init(note: RelatedNote, place: TextLocation) {
        self.note = note
        self.place = place
    }
}

/// What a related place is to the diagnostic.
package enum RelatedNote: CaseIterable, Hashable, LocalizedText, Sendable {
    case firstWritten
    case alsoHere
    case stoppedHere
    case sectionBegan
    case definedHere
}
