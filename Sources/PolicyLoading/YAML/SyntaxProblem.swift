extension ProblemList {
    /// Says in a person's words why a text is not YAML, from what stands where reading stopped
    /// and where the unfinished thing began.
    mutating func addSyntaxProblem(_ failure: YAMLFailure, in source: String, file: String) {
        let lines = SourceLines(source)
        if let mark = fullWidthMark(near: failure, in: lines) {
            add(.fullWidthPunctuation, at: SourceSpan(file: file, at: mark))
            return
        }
        let beginning = failure.context.flatMap(lines.scalar(at:))
        let stop = lines.scalar(at: failure.mark)
        switch (beginning, stop) {
        case ("\"", _), ("'", _):
            add(.unclosedQuote, at: span(of: failure.context, failure, file))
        case ("[", _), ("{", _):
            add(
                .unclosedBracket, at: span(of: failure.context, failure, file),
                related: [
                    .init(note: .stoppedHere, span: SourceSpan(file: file, at: failure.mark))
                ])
        case ("*", _): add(.alias, at: span(of: failure.context, failure, file))
        case ("&", _): add(.anchor, at: span(of: failure.context, failure, file))
        case ("!", _): add(.tag, at: span(of: failure.context, failure, file))
        case (_, ":"): add(.colonInText, at: SourceSpan(file: file, at: failure.mark))
        case (_, "@"), (_, "`"), (_, "%"):
            add(.reservedCharacter, at: SourceSpan(file: file, at: failure.mark))
        default:
            add(
                failure.context == nil ? .yamlSyntax : .badIndentation,
                at: SourceSpan(file: file, at: failure.mark))
        }
    }

    private func span(
        of mark: SourceMark?, _ failure: YAMLFailure, _ file: String
    ) -> SourceSpan {
        SourceSpan(file: file, at: mark ?? failure.mark)
    }

    /// A full-width `：` or `，` typed where YAML needs its ASCII sister.
    private func fullWidthMark(near failure: YAMLFailure, in lines: SourceLines) -> SourceMark? {
        let first = max(1, min(failure.context?.line ?? failure.mark.line, failure.mark.line) - 1)
        for line in first...max(first, failure.mark.line) {
            if let column = lines.fullWidthColumn(inLine: line) {
                return SourceMark(line: line, column: column)
            }
        }
        return nil
    }
}
