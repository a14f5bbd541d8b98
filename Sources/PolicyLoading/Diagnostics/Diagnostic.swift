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

/// A fix for this very case, where the general advice would say less.
package enum Help: Hashable, LocalizedText, Sendable {
    case didYouMean(String)
    /// Words that are about as near.
    case didYouMeanEither([String])
    case oneOf([String])
    /// Keys to choose from, where the stranger may as well go.
    case oneOfOrRemove([String])
    /// What was probably meant stands there already.
    case alreadyThere(String)
    /// A key that is missing, with the values that it may have.
    case writeOneOf(String, [String])
    /// The last day of the month that was meant, and the day after it.
    case lastDay(String, next: String)
    /// A number that lacks its unit, as it could be meant.
    case unitMissing([String])
    /// What cannot be matched by its ending.
    case listAccounts
    /// The key that goes with this kind in the place of the one written.
    case insteadWrite(String)
    /// Shown as it is to be written, without quotes around it.
    case write(String)
    /// The same where only the author knows which.
    case writeEither([String])
    /// The list of rules that has such a value, and the values that go here.
    case belongsTo(String, [String])
    /// What goes next to a section, rather than into it.
    case writeBeside(String)
    /// Everything is meant where nothing is written.
    case omitForAll
    /// An entry of a list that may begin with this key.
    case newItem(String)
    /// How such a thing is written.
    case writtenLike(String)
    /// A window with its last day in it.
    case wholeDays(String)
    /// The levels as their prices order them; else the prices are wrong.
    case levelsOrPrices(String)
    /// What agrees with a name; else the name is wrong.
    case writeOrRename(String)
    /// What is probably meant; else it is meant as it is.
    case writeOrWaive(String)
    /// The longest cool-down that leaves time for a limit, and the limit that the cool-down does.
    case cooldownOrMoves(String, String)
    /// A condition that a rule lacks.
    case addToWhen(String)
    /// What a rule may lack.
    case addEither([String])
    /// A comma between digits: thousands, or a fraction.
    case thousandsOrFraction(String, String)

    package func facts(in language: Language) -> [String] {
        facts.map { $0.shown(in: language) }
    }

    private var facts: [Fact] {
        switch self {
        case .didYouMean(let text), .alreadyThere(let text), .insteadWrite(let text):
            [.written(text)]
        case .lastDay(let last, let next): [.written(last), .written(next)]
        case .listAccounts, .omitForAll: []
        case .writeBeside(let text), .newItem(let text): [.written(text)]
        case .belongsTo(let list, let texts): [.written(list), .choice(texts)]
        case .write(let text), .writtenLike(let text): [.plain(text)]
        case .wholeDays(let text), .levelsOrPrices(let text), .writeOrRename(let text),
            .writeOrWaive(let text), .addToWhen(let text):
            [.plain(text)]
        case .cooldownOrMoves(let cooldown, let moves): [.plain(cooldown), .plain(moves)]
        case .addEither(let texts): [.choice(texts)]
        case .thousandsOrFraction(let whole, let fraction): [.plain(whole), .plain(fraction)]
        case .oneOf(let texts), .oneOfOrRemove(let texts), .unitMissing(let texts),
            .didYouMeanEither(let texts), .writeEither(let texts):
            [.choice(texts)]
        case .writeOneOf(let key, let texts): [.written(key), .choice(texts)]
        }
    }
}
