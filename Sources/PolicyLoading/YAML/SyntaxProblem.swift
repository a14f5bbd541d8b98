extension ProblemList {
    /// Says in a person's words why a text is not YAML, from what stands where reading stopped
    /// and where the unfinished thing began.
    mutating func addSyntaxProblem(_ failure: YAMLFailure, in source: String, file: String) {
        let lines = SourceLines(source)
        if let slip = lines.slip(before: failure.mark.line, in: file) {
            add(slip)
            return
        }
        let (id, mark) = lines.diagnose(failure)
        var related: [Problem.Related] = []
        if id == .unclosedBracket, mark.line != failure.mark.line {
            related = [.init(note: .stoppedHere, span: SourceSpan(file: file, at: failure.mark))]
        } else if id == .badIndentation, let start = failure.context, start.line != mark.line {
            related = [.init(note: .sectionBegan, span: SourceSpan(file: file, at: start))]
        }
        add(
            id, at: lines.span(at: mark, isLine: id == .missingColon, file: file),
            related: related)
    }
}

extension SourceLines {
    /// A key without its colon or space in the last line with contents up to a line, which YAML
    /// takes for a text that goes on: `then share`, `then:share`, `then = share`, `-name: free`.
    fileprivate func slip(before number: Int, in file: String) -> Problem? {
        for number in [number, contentLine(before: number) ?? number] {
            let text = contentWithoutComment(line(number))
            let indent = text.prefix { $0 == " " }.count
            var rest = text.dropFirst(indent)
            func problem(_ id: DiagnosticID, _ written: Substring, _ meant: String) -> Problem {
                let column = text.count - rest.count + 1
                let span = SourceSpan(
                    file: file, start: SourceMark(line: number, column: column),
                    end: SourceMark(line: number, column: column + written.count))
                let facts: [Fact] = id == .missingSpace ? [.written(String(written))] : []
                return Problem(
                    id: id, span: span, facts: facts, help: .write(meant), related: [])
            }
            if rest.first == "-", let next = rest.dropFirst().first, next.isLetter,
                rest.range(of: ": ") != nil || rest.last == ":"
            {
                return problem(.missingSpace, rest, "- " + rest.dropFirst())
            }
            if rest.hasPrefix("- ") { rest = rest.dropFirst(2) }
            let key = rest.prefix { $0.isASCII && ($0.isLetter || $0 == "_") }
            let after = rest.dropFirst(key.count)
            guard PolicyGrammar.keys.contains(String(key)), let sign = after.first,
                after.range(of: ": ") == nil
            else { continue }
            let value = after.drop { " =:".contains($0) }
            guard !value.isEmpty else { continue }
            if sign == ":", after.dropFirst().first != " " {
                return problem(.missingSpace, rest, "\(key): \(value)")
            }
            if sign == " " || sign == "=" {
                return problem(.missingColon, rest, "\(key): \(value)")
            }
        }
        return nil
    }

    fileprivate func diagnose(_ failure: YAMLFailure) -> (DiagnosticID, SourceMark) {
        let stop = failure.mark
        let beginning = failure.context ?? stop
        if let mark = fullWidthMark(near: failure) { return (.fullWidthPunctuation, mark) }
        if let quote = quoteThatEnds(before: stop) { return (.unclosedQuote, quote) }
        switch scalar(at: beginning) {
        case "\"", "'": return (.unclosedQuote, beginning)
        case "[", "{": return (.unclosedBracket, beginning)
        case "*": return (.alias, beginning)
        case "&": return (.anchor, beginning)
        case "!": return (.tag, beginning)
        default: break
        }
        switch scalar(at: stop) {
        case ":": return diagnoseColon(at: stop)
        case "@", "`", "%": return (.reservedCharacter, stop)
        default: break
        }
        if scalar(at: stop) == nil, let bracket = lastOpenBracket {
            return (.unclosedBracket, bracket)
        }
        if failure.context != nil { return (.badIndentation, stop) }
        return lineWithoutColon(before: stop.line).map { (.missingColon, $0) }
            ?? (.yamlSyntax, stop)
    }

    /// A colon that cannot be: in the middle of a text; after a key that stands too far to the
    /// right; or right in itself, and missing in the line before.
    private func diagnoseColon(at mark: SourceMark) -> (DiagnosticID, SourceMark) {
        let before = line(mark.line).unicodeScalars.prefix(mark.column - 1)
        if Substring(before).range(of: ": ") != nil { return (.colonInText, mark) }
        let start = SourceMark(line: mark.line, column: before.prefix { $0 == " " }.count + 1)
        return lineWithoutColon(before: mark.line).map { (.missingColon, $0) }
            ?? (.badIndentation, start)
    }

    /// The beginning of the last line with contents before a line, if it has no key.
    private func lineWithoutColon(before number: Int) -> SourceMark? {
        guard let previous = contentLine(before: number) else { return nil }
        let text = contentWithoutComment(line(previous))
        guard text.range(of: ": ") == nil, text.last != ":" else { return nil }
        return SourceMark(line: previous, column: text.prefix { $0 == " " }.count + 1)
    }

    /// Where the quote opened that closed just before a place.
    private func quoteThatEnds(before mark: SourceMark) -> SourceMark? {
        let before = line(mark.line).unicodeScalars.prefix(mark.column - 1)
        guard let quote = before.last, quote == "'" || quote == "\"",
            let open = before.firstIndex(of: quote)
        else { return nil }
        let column = before.distance(from: before.startIndex, to: open) + 1
        return SourceMark(line: mark.line, column: column)
    }

    /// A full-width `：` or `，` typed where YAML needs its ASCII sister.
    private func fullWidthMark(near failure: YAMLFailure) -> SourceMark? {
        let first = max(1, min(failure.context?.line ?? failure.mark.line, failure.mark.line) - 1)
        for line in first...max(first, failure.mark.line) {
            if let column = fullWidthColumn(inLine: line) {
                return SourceMark(line: line, column: column)
            }
        }
        return nil
    }

    /// The last line before another that has contents.
    private func contentLine(before number: Int) -> Int? {
        (1..<max(1, number)).last { number in
            let text = line(number).drop { $0 == " " }
            return !text.isEmpty && text.first != "#"
        }
    }

    /// The last bracket that opens outside of quotes and comments and is not closed.
    private var lastOpenBracket: SourceMark? {
        var open: [SourceMark] = []
        for number in 1...count {
            forEachSign(inLine: number) { column, scalar in
                switch scalar {
                case "[", "{": open.append(SourceMark(line: number, column: column))
                case "]", "}": _ = open.popLast()
                default: break
                }
            }
        }
        return open.last
    }

    fileprivate func span(at mark: SourceMark, isLine: Bool, file: String) -> SourceSpan {
        guard isLine else { return SourceSpan(file: file, at: mark) }
        let text = contentWithoutComment(line(mark.line))
        return SourceSpan(
            file: file, start: mark,
            end: SourceMark(line: mark.line, column: text.unicodeScalars.count + 1))
    }
}
