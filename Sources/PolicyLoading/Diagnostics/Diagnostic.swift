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
package enum Severity: String, CaseIterable, Hashable, PolicyLoadingText, Sendable, Wording {
    case error, warning, note
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
}

/// What a related place is to the diagnostic.
package enum RelatedNote: String, CaseIterable, Hashable, PolicyLoadingText, Sendable, Wording {
    case firstWritten = "first written at"
    case alsoHere = "the other one is at"
    case stoppedHere = "reading stopped at"
    case sectionBegan = "its section begins at"
    case definedHere = "defined at"
}

/// A fix for this very case, where the general advice would say less.
package enum Help: Hashable, PolicyLoadingText, Sendable {
    case didYouMean(String)
    /// Words that are about as near.
    case didYouMeanEither([String])
    case oneOf([String])
    /// What is to stand in the marked place.
    case write(String)
    /// The same where only the author knows which.
    case writeEither([String])
    /// How such a thing is written, with the key that it belongs to.
    case writtenLike(String)
    /// The same where only the author knows which.
    case likeEither([String])
    /// The sections that have such a key.
    case placedIn([String])

    package func facts(in language: Language) -> [String] {
        let fact: Fact =
            switch self {
            case .didYouMean(let text): .written(text)
            case .write(let text), .writtenLike(let text): .plain(text)
            case .didYouMeanEither(let texts), .oneOf(let texts), .writeEither(let texts),
                .likeEither(let texts), .placedIn(let texts):
                .choice(texts)
            }
        return [fact.shown(in: language)]
    }

    /// What may stand in the marked place by it; several where only the author knows.
    var replacements: [String] {
        switch self {
        case .didYouMean(let text), .write(let text): [text]
        case .didYouMeanEither(let texts), .writeEither(let texts): texts
        case .oneOf, .writtenLike, .likeEither, .placedIn: []
        }
    }

    /// Whether it was found by how a word is spelt.
    var isBySpelling: Bool {
        switch self {
        case .didYouMean, .didYouMeanEither: true
        case .oneOf, .write, .writeEither, .writtenLike, .likeEither, .placedIn: false
        }
    }

    package var english: String {
        switch self {
        case .didYouMean: "did you mean {0}?"
        case .didYouMeanEither: "did you mean one of: {0}?"
        case .oneOf: "one of: {0}"
        case .write: "write {0}"
        case .writeEither, .likeEither: "write one of: {0}"
        case .writtenLike: "write it like this: {0}"
        case .placedIn: "it belongs to: {0}"
        }
    }
}

extension Help {
    /// What a misspelt word was probably meant to be: the nearest candidate with those that are at
    /// most one edit farther; nil where none is near.
    static func meant(
        by word: String, among candidates: some Sequence<String>
    ) -> Help? {
        let near = nearest(to: word, among: candidates, within: word.slips).sorted {
            ($0.distance, $0.candidate) < ($1.distance, $1.candidate)
        }
        guard let best = near.first else { return nil }
        let others = near.filter { $0.distance <= best.distance + 1 }.map(\.candidate)
        return best.distance == 0 || others.count == 1
            ? .didYouMean(best.candidate) : .didYouMeanEither(Array(others.prefix(3)))
    }
}

extension String {
    /// How many slips of the keyboard a word of its length may have: `non-renewable` is no slip of
    /// `auto-renewable`.
    var slips: Int { max(1, utf8.count / 4) }
}
