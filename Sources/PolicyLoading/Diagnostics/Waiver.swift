internal import EntitlementModel

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
        fields: [
            Field(
                "id",
                .word(
                    DiagnosticID.allCases.filter(\.isWaivable).map(\.rawValue)
                        + DiagnosticID.retired),
                required: true, .expectedID),
            Field("because", .text, required: true, .expectedReason),
        ])

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
        default: return []
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
