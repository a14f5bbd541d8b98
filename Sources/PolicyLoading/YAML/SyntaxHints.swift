internal import EntitlementModel

/// Lines that are understood better than by what stands where reading stopped.
extension SourceLines {
    /// A text that goes on in the line below it, which begins in the column of a key.
    func continuation(before number: Int, in file: String) -> Problem? {
        for number in [number, contentLine(before: number) ?? number] {
            guard let above = contentLine(before: number) else { continue }
            let text = contentWithoutComment(line(number))
            let indent = text.prefix { $0 == " " }.count
            let rest = text.dropFirst(indent)
            let first = contentWithoutComment(line(above))
            guard let sign = rest.first, !"-[]{},\"'#&*!|>%@`：".contains(sign),
                rest.range(of: ": ") == nil, rest.last != ":", let pair = Self.pair(in: first),
                let begin = pair.value.first, !"[{\"'|>&*!@`".contains(begin)
            else { continue }
            let word = String(rest.prefix { $0.isLetter || $0 == "_" })
            let isText = ["name", "title", "title_zh", "because"].contains(pair.key)
            guard isText || pair.value.contains(" "), !rest.contains("="),
                !PolicyGrammar.areNeighbours(word, String(pair.key)),
                suggestion(for: word, among: PolicyGrammar.neighbours(of: String(pair.key))) == nil
            else { continue }
            let joined = "\(first.drop { $0 == " " }) \(rest)"
            return Problem(
                id: .missingColon, span: span(ofLine: number, in: file),
                help: .joinLines(joined))
        }
        return nil
    }

    /// What goes on with the comment of the line above it, and has no sign of its own.
    func restOfComment(before number: Int, in file: String) -> Problem? {
        for number in [number, contentLine(before: number) ?? number] {
            var first = number
            while first > 1, isWords(first), !hasComment(first - 1), isWords(first - 1) {
                first -= 1
            }
            guard first > 1, isWords(first), hasComment(first - 1) else { continue }
            var last = first
            while last < count, !hasComment(last), isWords(last + 1) { last += 1 }
            return Problem(
                id: .yamlSyntax, span: span(ofLine: first, in: file),
                help: .restOfComment(
                    "# " + String(line(first).drop { $0 == " " }).inMessage,
                    lines: first == last ? "\(first)" : "\(first)-\(last)"))
        }
        return nil
    }

    /// Whether a line has words, rather than a key or an item of a list.
    private func isWords(_ number: Int) -> Bool {
        let text = contentWithoutComment(line(number)).drop { $0 == " " }
        guard let sign = text.first, !"-[]{},\"'#&*!|>%@`：".contains(sign), text.contains(" "),
            text.range(of: ": ") == nil, text.last != ":", !text.contains("=")
        else { return false }
        let word = text.prefix { $0.isASCII && ($0.isLetter || $0 == "_") }
        guard !["name", "title", "title_zh", "because"].contains(word) else { return false }
        let isKey = PolicyGrammar.keys.contains(String(word))
        return !isKey
            || text.split(separator: " ").count > 2 && text.dropFirst(word.count).first != ":"
    }

    private func hasComment(_ number: Int) -> Bool {
        let text = line(number).drop { $0 == " " }
        if text.first == "#" { return true }
        guard let sign = text.range(of: " #") else { return false }
        return text[..<sign.lowerBound].count { $0 == "\"" }.isMultiple(of: 2)
    }

    /// `+    retired: 2026-02-01`, as a comparison of two versions shows a line that is new.
    func signOfDiff(before number: Int, in file: String) -> Problem? {
        for number in [number, contentLine(before: number) ?? number] {
            let text = line(number)
            guard let sign = text.first, sign == "+" || sign == "-", text.hasPrefix("\(sign)  ")
            else { continue }
            return Problem(
                id: .badIndentation,
                span: SourceSpan(
                    file: file, start: SourceMark(line: number, column: 1),
                    end: SourceMark(line: number, column: 2)),
                help: .signOfDiff(String(sign)))
        }
        return nil
    }

    /// `{USD: 11.99, CNY: #N/A}`: the bracket that closes is in a comment. A text is to be quoted.
    func commentInBrackets(_ number: Int, in file: String) -> Problem? {
        let text = line(number)
        guard let match = text.firstMatch(of: /([A-Za-z_]+): (#[^,\]} ]*)[^\]}]*[\]}]/),
            !["title", "title_zh", "name", "because"].contains(String(match.1))
        else { return nil }
        let column = text[..<match.2.startIndex].unicodeScalars.count + 1
        return Problem(
            id: .unclosedBracket,
            span: SourceSpan(
                file: file, start: SourceMark(line: number, column: column),
                end: SourceMark(line: number, column: column + match.2.unicodeScalars.count)),
            help: .commentInBrackets(String(match.2)))
    }

    /// `kind: auto-renewable group: audio`: keys that stand on one line.
    func keysOnOneLine(_ number: Int, in file: String) -> Problem? {
        let text = contentWithoutComment(line(number)).drop { $0 == " " }
        guard let pair = Self.pair(in: text), PolicyGrammar.keys.contains(String(pair.key)),
            !"[{\"'".contains(pair.value.first ?? "[")
        else { return nil }
        var pairs = ["\(pair.key):"]
        for word in pair.value.split(separator: " ") {
            if word.last == ":", PolicyGrammar.keys.contains(String(word.dropLast())),
                PolicyGrammar.areNeighbours(String(word.dropLast()), String(pair.key))
            {
                pairs.append(String(word))
            } else {
                pairs[pairs.count - 1] += " \(word)"
            }
        }
        let isWhole = pairs.dropLast().allSatisfy { $0.last != ":" }
        guard pairs.count > 1, isWhole, !pairs.contains(where: hasSecondColon) else { return nil }
        return Problem(
            id: .colonInText, span: span(ofLine: number, in: file), help: .ownLines(pairs))
    }

    /// A line in the manner of another format, or a text that is only partly in quotes; with what
    /// it should be.
    func oddLine(_ number: Int, _ id: DiagnosticID, in file: String) -> Problem? {
        let whole = contentWithoutComment(line(number)).drop { $0 == " " }
        let dash = whole.prefix { $0 == "-" || $0 == " " }
        let text = dash.first == "-" && dash.count > 1 ? whole.dropFirst(dash.count) : whole
        var meant: String?
        if text.hasPrefix("//") {
            meant = "# " + text.dropFirst(2).drop { $0 == " " }
        } else if text.hasPrefix("* ") {
            meant = "- " + text.dropFirst(2)
        } else if text.last == ";" {
            meant = String(text.dropLast())
        } else if let pair = Self.pair(in: text), let quote = pair.value.first,
            ["title", "title_zh", "because"].contains(pair.key) && "\"'[".contains(quote)
                || pair.key == "name" && quote == "'"
        {
            var value = pair.value
            if quote == "'" { value = value.dropFirst() }
            if quote == "'", value.last == "'" { value = value.dropLast() }
            let isOpen = quote == "\"" && value.dropFirst().allSatisfy { $0 != "\"" }
            if isOpen { value = value.dropFirst() }
            meant = "\(pair.key): \(String(value).inYAMLQuotes)"
        }
        return meant.map { meant in
            let item = text.startIndex == whole.startIndex ? "" : "- "
            return Problem(
                id: id, span: span(ofLine: number, in: file), help: .writtenLike(item + meant))
        }
    }

    private func hasSecondColon(_ pair: String) -> Bool {
        pair.split(separator: ":", maxSplits: 1).last?.contains(": ") ?? false
    }

    /// A rule that was put at the end of a file, below a section that is no list.
    func strayRule(at mark: SourceMark, in file: String) -> Problem? {
        let text = line(mark.line).drop { $0 == " " }
        guard text.hasPrefix("- "), let section = sectionName(before: mark.line),
            let shape = PolicyGrammar.file[section]?.shape
        else { return nil }
        if case .list = shape { return nil }
        if case .table = shape, let row = rowOfTable(text.dropFirst(2)) {
            return Problem(
                id: .badIndentation, span: span(ofLine: mark.line, in: file),
                help: .writtenLike(row))
        }
        var verb: String?
        var isOpen = false
        for number in mark.line...max(mark.line, count) {
            let content = contentWithoutComment(line(number)).drop { " -".contains($0) }
            let begins = line(number).drop { $0 == " " }.hasPrefix("- ")
            let isLeft: Bool = line(number).first.map(\.isLetter) ?? false
            if number > mark.line && (begins || isLeft) { break }
            if content.hasPrefix("then: ") { verb = String(content.dropFirst(6)) }
            if content.hasPrefix("entitlements:") { isOpen = true }
        }
        let lists: [String] = isOpen ? ["open"] : RuleGrammar.lists(withVerb: verb)
        let help = Help.moveRule(from: section, to: lists)
        return Problem(
            id: .badIndentation, span: span(ofLine: mark.line, in: file), help: help)
    }

    /// `identifier: com.example.gold`, an item of a list, as the beginning of a table's row.
    private func rowOfTable(_ item: Substring) -> String? {
        let content = contentWithoutComment(item)
        if content.hasSuffix(":"), !content.contains(" ") { return String(content) }
        let keys = ["id", "identifier", "product_id", "productId", "productID", "sku", "key"]
        guard let pair = Self.pair(in: content), keys.contains(String(pair.key)) else { return nil }
        return "\(pair.value):"
    }

    /// What stands at the left edge above a line, as a key.
    private func sectionName(before number: Int) -> String? {
        let found = (1..<max(1, number)).last { line($0).first?.isLetter ?? false }
        return found.map { String(line($0).prefix { $0 != ":" }) }
    }

    /// The lines of the two sides of a conflict, and of its marks.
    func conflictSides() -> Help? {
        var marks: [Int] = []
        for number in 1...count {
            let text = line(number)
            if ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].contains(where: { text.hasPrefix($0) })
            {
                marks.append(number)
            }
            if text.hasPrefix(">>>>>>>") { break }
        }
        let signs = marks.compactMap { line($0).first }
        let numbers = marks.map { "\($0)" }.joined(separator: ", ")
        guard signs.contains("<"), signs.contains(">") else { return .leftOfMerge(lines: numbers) }
        func lines(_ first: Int, _ last: Int) -> String {
            first == last ? "\(first)" : "\(first)-\(last)"
        }
        guard signs == ["<", "=", ">"], marks[2] > marks[0] + 2 else { return nil }
        if marks[1] == marks[0] + 1 {
            return .oneSide(lines(marks[1] + 1, marks[2] - 1), marks: numbers)
        }
        if marks[2] == marks[1] + 1 {
            return .oneSide(lines(marks[0] + 1, marks[1] - 1), marks: numbers)
        }
        return .keepOneSide(
            lines(marks[0] + 1, marks[1] - 1), lines(marks[1] + 1, marks[2] - 1),
            marks: numbers)
    }

    /// What a reference or a mark for one is to be replaced by.
    func reference(at mark: SourceMark) -> Help? {
        let rest = Substring(line(mark.line).unicodeScalars.dropFirst(mark.column - 1))
        let word = rest.prefix { !" ,]}".contains($0) }
        guard let sign = word.first, word.count > 1 else { return nil }
        if sign == "&" { return .removeMark(String(word)) }
        guard sign == "*" else { return nil }
        let before = Substring(line(mark.line).unicodeScalars.prefix(mark.column - 1))
        if word.contains(".") || word.dropFirst().contains("*") || before.contains("product:") {
            return .quote(String(word))
        }
        var anchors: [String: String] = [:]
        for number in 1...count {
            let text = contentWithoutComment(line(number))
            guard let start = text.range(of: " &")?.upperBound else { continue }
            let parts = text[start...].split(separator: " ", maxSplits: 1)
            if parts.count == 2 { anchors[String(parts[0])] = parts[1].closed }
        }
        let name = suggestion(for: String(word.dropFirst()), among: anchors.keys)
        return .writeOut(String(word), value: name.flatMap { anchors[$0] })
    }

    /// The key and the value of `key: value`, with or without a dash before it.
    private static func pair(in text: Substring) -> (key: Substring, value: Substring)? {
        var text = text.drop { $0 == " " }
        if text.hasPrefix("- ") { text = text.dropFirst(2).drop { $0 == " " } }
        guard let colon = text.range(of: ": ") else { return nil }
        let value = text[colon.upperBound...].drop { $0 == " " }
        return value.isEmpty ? nil : (text[..<colon.lowerBound], value)
    }

    private func span(ofLine number: Int, in file: String) -> SourceSpan {
        let text = contentWithoutComment(line(number))
        let indent = text.prefix { $0 == " " }.count
        return SourceSpan(
            file: file, start: SourceMark(line: number, column: indent + 1),
            end: SourceMark(line: number, column: text.unicodeScalars.count + 1))
    }

    /// The last line before another that has contents.
    func contentLine(before number: Int) -> Int? {
        (1..<max(1, number)).last { number in
            let text = line(number).drop { $0 == " " }
            return !text.isEmpty && text.first != "#"
        }
    }
}

extension ProblemList {
    /// Says of references and their marks what to write in their place. Who writes `*qa` for an
    /// account means no alias, but accounts that end with `qa`.
    func withReferencesExplained(in source: String) -> ProblemList {
        let marks: Set<DiagnosticID> = [.alias, .anchor]
        guard problems.contains(where: { marks.contains($0.id) }) else { return self }
        let lines = SourceLines(source)
        return ProblemList(
            problems: problems.map { problem in
                guard marks.contains(problem.id), let mark = problem.span?.start else {
                    return problem
                }
                var explained = problem
                explained.help =
                    problem.id == .alias && lines.isAccount(at: mark)
                    ? .listAccounts : lines.reference(at: mark)
                return explained
            })
    }
}

extension SourceLines {
    /// Whether what stands here is a value of `account`.
    fileprivate func isAccount(at mark: SourceMark) -> Bool {
        let before = line(mark.line).unicodeScalars.prefix(mark.column - 1)
        return Substring(before).range(of: "account:") != nil
    }
}

extension Substring {
    /// Without what follows a bracket that closes more than was opened, or a comma outside all.
    fileprivate var closed: String {
        var depth = 0
        let whole = prefix { character in
            if "[{".contains(character) { depth += 1 }
            if "]}".contains(character) { depth -= 1 }
            return depth >= 0 && !(depth == 0 && character == ",")
        }
        return String(whole)
    }
}
