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

    func without(_ isUnwanted: (DiagnosticID) -> Bool) -> ProblemList {
        ProblemList(problems: problems.filter { !isUnwanted($0.id) })
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

/// A warning that a policy expects in a place, and why (spec 2.2).
struct Waiver: Hashable, Sendable {
    let id: DiagnosticID
    /// Of the id.
    let span: SourceSpan
    /// Where the warning may be: in the section that expects it. Nil for anywhere.
    let scope: SourceSpan?

    static let key = "expect-warning"

    static let field = Field(key, .oneOrMany(.section(section)), .expectedWarning)

    private static let section = Section(
        title: key,
        fields: [id, Field("because", .text, required: true, .expectedReason)])

    private static let id: Field = {
        let ids = DiagnosticID.allCases.filter(\.isWaivable).map(\.rawValue)
        var field = Field("id", .word(ids), required: true, .expectedID)
        field.former = DiagnosticID.retired
        return field
    }()

    /// Whether the warning is one that it expects.
    func covers(_ problem: Problem) -> Bool {
        guard problem.id == id else { return false }
        guard let scope else { return true }
        guard let span = problem.span, span.file == scope.file else { return false }
        return scope.start <= span.start && span.start < scope.end
    }

    /// All that are written in a file, the inner ones first.
    static func all(in file: CheckedSection) -> [Waiver] {
        var waivers = file.fields.values.flatMap { field in
            inside(field.value, from: field.keySpan.start)
        }
        waivers.sort { $0.span.start < $1.span.start }
        return waivers + written(in: file, scope: nil)
    }

    private static func inside(_ value: CheckedValue, from start: SourceMark) -> [Waiver] {
        switch value.content {
        case .section(let section):
            let scope = SourceSpan(file: section.span.file, start: start, end: section.span.end)
            return section.fields.filter { $0.key != key }.values.flatMap { field in
                inside(field.value, from: field.keySpan.start)
            } + written(in: section, scope: scope)
        case .table(let rows): return rows.flatMap { inside($0.value, from: $0.nameSpan.start) }
        case .list(let elements): return elements.flatMap { inside($0, from: $0.span.start) }
        case .text, .number, .boolean, .length, .date, .age, .count, .dateBound, .versionBound,
            .moves, .broken:
            return []
        }
    }

    private static func written(in section: CheckedSection, scope: SourceSpan?) -> [Waiver] {
        (section.value(key)?.elements ?? []).compactMap { element in
            guard let value = element.section?.value("id"), let id = value.word(DiagnosticID.self)
            else { return nil }
            return Waiver(id: id, span: value.span, scope: scope)
        }
    }
}

extension ProblemList {
    /// Without the warnings that are expected, and how many they are.
    ///
    /// - Parameter reportsUnneeded: whether a waiver that nothing needs is an error. What depends
    ///   on the day, a ledger or an option may well be there another time.
    func waiving(_ waivers: [Waiver], reportsUnneeded: Bool) -> (ProblemList, Int) {
        var left = problems
        for waiver in waivers {
            let count = left.count
            left.removeAll(where: waiver.covers)
            guard reportsUnneeded, left.count == count, !waiver.id.isCircumstantial else {
                continue
            }
            left.append(
                Problem(
                    id: .waiverNotNeeded, span: waiver.span,
                    facts: [.written(waiver.id.rawValue)], related: []))
        }
        let waived = problems.count - left.filter { $0.id != .waiverNotNeeded }.count
        return (ProblemList(problems: left), waived)
    }
}
