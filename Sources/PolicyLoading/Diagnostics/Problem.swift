/// A diagnostic whose places are still those of the YAML reader.
struct Problem: Hashable, Sendable {
    var id: DiagnosticID
    /// Nil for the folder as a whole.
    var span: SourceSpan?
    var facts: [Fact]
    var help: Help?
    var related: [Related]

    /// Another place that belongs to the story.
    struct Related: Hashable, Sendable {
        var note: RelatedNote
        var span: SourceSpan
    }
}

/// Collects what is wrong; loading goes on as far as it can.
struct ProblemList: Sendable {
    private(set) var problems: [Problem] = []

    var hasErrors: Bool { problems.contains { $0.id.page.severity == .error } }

    /// Facts in the order in which the message names them.
    mutating func add(
        _ id: DiagnosticID, at span: SourceSpan?, _ facts: Fact..., help: Help? = nil,
        related: [Problem.Related] = []
    ) {
        problems.append(Problem(id: id, span: span, facts: facts, help: help, related: related))
    }

    /// Without problems that only follow from a worse one.
    func without(_ id: DiagnosticID) -> ProblemList {
        ProblemList(problems: problems.filter { $0.id != id })
    }

    /// Takes over what another part of loading has found.
    mutating func add(contentsOf other: ProblemList) {
        problems += other.problems
    }
}
