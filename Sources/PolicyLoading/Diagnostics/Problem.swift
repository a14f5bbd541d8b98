package import EntitlementModel

/// A diagnostic whose places are still those of the YAML reader.
package struct Problem: Hashable, Sendable {
    package var id: DiagnosticID
    /// Nil for the folder as a whole.
    var span: SourceSpan?
    var facts: [Fact]
    var help: Help?
    var related: [Related]
    /// The plainest case that shows it.
    var example: [ExamplePart] = []

    /// - Parameter span: nil for the folder as a whole.
    package init(
        id: DiagnosticID, span: SourceSpan?, facts: [Fact] = [], help: Help? = nil,
        related: [Related] = [], example: [ExamplePart] = []
    ) {
        (self.id, self.span, self.facts, self.help) = (id, span, facts, help)
        (self.related, self.example) = (related, example)
    }

    /// Another place that belongs to the story.
    package struct Related: Hashable, Sendable {
        var note: RelatedNote
        var span: SourceSpan

        package init(note: RelatedNote, span: SourceSpan) {
            self.note = note
            self.span = span
        }
    }
}

/// Collects what is wrong; loading goes on as far as it can.
package struct ProblemList: Sendable {
    package private(set) var problems: [Problem] = []

    package init() {}

    init(problems: [Problem]) {
        self.problems = problems
    }

    package var hasErrors: Bool { problems.contains { $0.id.severity == .error } }

    /// Facts in the order in which the message names them.
    package mutating func add(
        _ id: DiagnosticID, at span: SourceSpan?, _ facts: Fact..., help: Help? = nil,
        related: [Problem.Related] = []
    ) {
        problems.append(Problem(id: id, span: span, facts: facts, help: help, related: related))
    }

    /// The same with the facts in a list.
    package mutating func add(
        _ id: DiagnosticID, at span: SourceSpan?, _ facts: [Fact], help: Help? = nil
    ) {
        problems.append(Problem(id: id, span: span, facts: facts, help: help))
    }

    /// Facts in the order in which the message names them.
    mutating func add(_ problem: Problem) {
        problems.append(problem)
    }

    /// Without problems that only follow from a worse one.
    func without(_ id: DiagnosticID) -> ProblemList {
        ProblemList(problems: problems.filter { $0.id != id })
    }

    /// Removes those after the first few that do not meet a condition.
    mutating func keep(_ first: Int, where isKept: (Problem) -> Bool) {
        problems = problems[..<first] + problems[first...].filter(isKept)
    }

    /// Gives one of them another advice.
    mutating func replaceHelp(of problem: Problem, with help: Help) {
        guard let index = problems.firstIndex(of: problem) else { return }
        problems[index].help = help
    }

    /// Names what there is where a number stands in the place of a name.
    mutating func addNames(of index: NameIndex) {
        for place in problems.indices {
            problems[place].help = index.namesInPlaceOfNumber(problems[place].help)
        }
    }

    /// Takes over what another part of loading has found.
    package mutating func add(contentsOf other: ProblemList) {
        problems += other.problems
    }
}

/// Turns problems into diagnostics: places as editors count them, sorted, each once.
package func diagnostics(of problems: [Problem], in texts: [PolicyText]) -> [Diagnostic] {
    var lines: [String: SourceLines] = [:]
    func place(_ span: SourceSpan?) -> TextLocation {
        guard let span else { return TextLocation(file: "") }
        let text = texts.first { $0.path == span.file }
        guard lines[span.file] != nil || text != nil else { return TextLocation(file: span.file) }
        let source = lines[span.file] ?? SourceLines(text?.text ?? "")
        lines[span.file] = source
        return source.place(of: span)
    }
    var seen: Set<Problem> = []
    let all =
        problems
        .filter { seen.insert($0).inserted }
        .map { problem in
            Diagnostic(
                id: problem.id, place: place(problem.span), facts: problem.facts,
                help: problem.help,
                related: problem.related.map {
                    RelatedLocation(note: $0.note, place: place($0.span))
                }, example: problem.example)
        }
        .sorted(by: Diagnostic.precedes)
    return withoutRepetitions(all)
}

/// How often the same is said of different places, and how many of one sort are said at all.
private let (shownRepetitions, shownOfOneSort) = (3, 10)

/// One mistake can have a thousand consequences that all say the same, or the same of other names:
/// the first ones stay, and the last of them says how many more there are. Notes are asked for, and
/// all of them stay.
private func withoutRepetitions(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    struct Wording: Hashable {
        let id: DiagnosticID
        let facts: [Fact]
        let example: [ExamplePart]
    }
    var places: [Wording: [Int]] = [:]
    var sorts: [DiagnosticID: [Int]] = [:]
    var shown: [Diagnostic] = []
    for diagnostic in diagnostics {
        let saying = Wording(
            id: diagnostic.id, facts: diagnostic.facts, example: diagnostic.example)
        let known = places[saying, default: []]
        if known.count == shownRepetitions, !diagnostic.facts.isEmpty {
            shown[known[known.count - 1]].repetitions += 1
        } else if let sort = sorts[diagnostic.id], sort.count == shownOfOneSort,
            diagnostic.severity != .note
        {
            shown[sort[sort.count - 1]].repetitions += 1
        } else {
            places[saying] = known + [shown.count]
            sorts[diagnostic.id, default: []].append(shown.count)
            shown.append(diagnostic)
        }
    }
    return shown
}

extension Diagnostic {
    /// Causes first: what stops a file from being read, then other errors, warnings and notes; each
    /// by file, line and column, then by id.
    static func precedes(_ left: Diagnostic, _ right: Diagnostic) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        return (left.place.file, left.place.line, left.place.column, left.id.rawValue)
            < (right.place.file, right.place.line, right.place.column, right.id.rawValue)
    }

    private var rank: Int {
        switch severity {
        case .error: id.stopsReading ? 0 : 1
        case .warning: 2
        case .note: 3
        }
    }
}

/// The line at which a rule begins, to show what is said of the rule as a whole; the whole
/// folder for a built-in rule.
package func place(of rule: RuleReference, in texts: [PolicyText]) -> TextLocation {
    guard rule.line > 0, let text = texts.first(where: { $0.path == rule.file }) else {
        return TextLocation(file: "")
    }
    let lines = SourceLines(text.text)
    let content = lines.contentWithoutComment(lines.line(rule.line))
    let indent = content.unicodeScalars.prefix { $0 == " " || $0 == "-" }.count
    return lines.place(
        of: SourceSpan(
            file: rule.file, start: SourceMark(line: rule.line, column: indent + 1),
            end: SourceMark(line: rule.line, column: content.unicodeScalars.count + 1)))
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
