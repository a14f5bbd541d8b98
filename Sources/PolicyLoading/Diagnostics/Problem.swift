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

/// How often the same is said of different places.
private let shownRepetitions = 3

/// One mistake can have a thousand consequences that all say the same: the first ones stay, and
/// the last of them says how many more there are.
private func withoutRepetitions(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    struct Wording: Hashable {
        let id: DiagnosticID
        let facts: [Fact]
        let example: [ExamplePart]
    }
    var places: [Wording: [Int]] = [:]
    var shown: [Diagnostic] = []
    for diagnostic in diagnostics {
        let saying = Wording(
            id: diagnostic.id, facts: diagnostic.facts, example: diagnostic.example)
        let known = places[saying, default: []]
        if known.count == shownRepetitions, !diagnostic.facts.isEmpty {
            shown[known[known.count - 1]].repetitions += 1
        } else {
            places[saying] = known + [shown.count]
            shown.append(diagnostic)
        }
    }
    return shown
}

extension Diagnostic {
    /// By file, line and column, then by id.
    static func precedes(_ left: Diagnostic, _ right: Diagnostic) -> Bool {
        (left.place.file, left.place.line, left.place.column, left.id.rawValue)
            < (right.place.file, right.place.line, right.place.column, right.id.rawValue)
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

/// The candidate that a misspelt word was probably meant to be: the nearest by edits (insert,
/// delete, replace, swap neighbours), within a third of its length; nil where none is near.
package func suggestion(for word: String, among candidates: some Sequence<String>) -> String? {
    let written = Array(word.lowercased().utf8)
    let limit = max(1, written.count / 3)
    var best: (distance: Int, candidate: String)?
    for candidate in candidates {
        let other = Array(candidate.lowercased().utf8)
        guard abs(other.count - written.count) <= limit else { continue }
        let distance = editDistance(written, other)
        guard distance <= limit else { continue }
        if let best, (best.distance, best.candidate) <= (distance, candidate) { continue }
        best = (distance, candidate)
    }
    return best?.candidate
}

private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforePrevious = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    for row in 0..<left.count {
        var current = [row + 1]
        current.reserveCapacity(right.count + 1)
        for column in 0..<right.count {
            let cost = left[row] == right[column] ? 0 : 1
            var best = min(
                previous[column + 1] + 1, current[column] + 1, previous[column] + cost)
            if row > 0, column > 0, left[row] == right[column - 1],
                left[row - 1] == right[column]
            {
                best = min(best, beforePrevious[column - 1] + 1)
            }
            current.append(best)
        }
        (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
}
