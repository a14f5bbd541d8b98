internal import EntitlementModel

/// Colons, quotes, brackets and marks of YAML that are missing or too many.
func syntaxRepairs(for diagnostic: Diagnostic, in lines: LineTable) -> [RepairCandidate] {
    guard let line = lines.line(diagnostic.place.line),
        let place = lines.bytes(of: diagnostic.place)
    else { return [] }
    let writer = LineRepairs(file: lines.file, line: line, place: place)
    let candidates: [RepairCandidate?] =
        switch diagnostic.id {
        case .colonInText where diagnostic.help == nil:
            [writer.quoteValue(), writer.makeSection()]
        case .reservedCharacter: [writer.quoteValue(from: place.lowerBound)]
        case .missingColon where diagnostic.help == nil:
            [writer.insert(":", at: line.contentBytes.upperBound)]
        case .missingSpace where diagnostic.help == nil: [writer.insertSpace()]
        case .unclosedQuote: writer.closeQuote(like: diagnostic.help)
        case .unclosedBracket: writer.closeBracket()
        case .alias: [writer.quoteWord()]
        case .anchor, .tag: [writer.removeWord(), writer.quoteValue(from: place.lowerBound)]
        case .severalDocuments, .yamlDirective: [writer.removeLine()]
        case .duplicateKey: [writer.removeCopy(diagnostic, lines)]
        default: []
        }
    return candidates.compactMap { $0 }
}

/// A value where a list is meant: `grants: premium`.
func listRepairs(for diagnostic: Diagnostic, in lines: LineTable) -> [RepairCandidate] {
    guard diagnostic.facts.dropFirst().first == .form(.list),
        diagnostic.facts.last == .form(.singleValue), let place = lines.bytes(of: diagnostic.place),
        let line = lines.line(diagnostic.place.line)
    else { return [] }
    let value = line.text.utf8.dropFirst(place.lowerBound - line.start).prefix(place.count)
    let text = String(decoding: Array(value), as: UTF8.self)
    return [RepairCandidate(lines.file, place, "[\(text)]")].compactMap { $0 }
}

/// The version of the format, after the comments at the top.
func versionRepairs(in lines: LineTable) -> [RepairCandidate] {
    let line = lines.lines.first { $0.text.first != "#" }
    guard let line else { return [] }
    let ending = lines.lines[0].text.utf8.count + 2 == lines.lines[0].end ? "\r\n" : "\n"
    return [RepairCandidate(lines.file, line.start..<line.start, "usher: 1" + ending)]
        .compactMap { $0 }
}

/// Repairs within one line.
private struct LineRepairs {
    let file: String
    let line: LineTable.Line
    /// The bytes that the diagnostic marks.
    let place: Range<Int>

    private var content: Range<Int> { line.contentBytes }

    private func text(_ bytes: Range<Int>) -> String {
        let utf8 = line.text.utf8.dropFirst(bytes.lowerBound - line.start).prefix(bytes.count)
        return String(decoding: Array(utf8), as: UTF8.self)
    }

    func insert(_ text: String, at offset: Int) -> RepairCandidate? {
        RepairCandidate(file, offset..<offset, text)
    }

    /// From behind the first `key: ` of the line to its end; nil without one.
    private var value: Range<Int>? {
        guard let colon = line.content.range(of: ": ") else { return nil }
        let start = line.offset(colon.upperBound)
        let spaces = text(start..<content.upperBound).utf8.prefix { $0 == UInt8(ascii: " ") }.count
        return start + spaces < content.upperBound ? (start + spaces)..<content.upperBound : nil
    }

    /// `title: Video: high definition` with the value in quotes.
    func quoteValue() -> RepairCandidate? {
        guard let value, !"[{\"'".contains(text(value).first ?? " ") else { return nil }
        return RepairCandidate(file, value, text(value).inYAMLQuotes)
    }

    /// From a place to where a value ends: in brackets at a comma or the bracket's end.
    func quoteValue(from start: Int) -> RepairCandidate? {
        let rest = text(start..<max(start, content.upperBound))
        let isInBrackets = text(content.lowerBound..<start).contains { "[{".contains($0) }
        let value = isInBrackets ? rest.prefix { !",]}".contains($0) } : rest[...]
        guard !value.isEmpty, !value.contains("\"") else { return nil }
        return RepairCandidate(
            file, start..<(start + value.utf8.count), String(value).inYAMLQuotes)
    }

    /// `orders: pay_within: 30m` with the keys in brackets.
    func makeSection() -> RepairCandidate? {
        guard let value else { return nil }
        return RepairCandidate(file, value, "{\(text(value))}")
    }

    /// A space after the first colon that lacks it.
    func insertSpace() -> RepairCandidate? {
        let marked = text(place)
        guard let colon = marked.firstIndex(of: ":") else { return nil }
        let offset = marked.utf8.distance(from: marked.startIndex, to: colon) + 1
        return insert(" ", at: place.lowerBound + offset)
    }

    /// - Parameter help: has the whole line where the quote is that of a title; a line with a
    ///   quote inside quotes is a guess.
    func closeQuote(like help: Help?) -> [RepairCandidate?] {
        if case .writtenLike(let line)? = help {
            guard !line.contains("\\"), line.last == "\"" else { return [] }
            let rest = text(place.upperBound..<(self.line.start + self.line.text.utf8.count))
            let closed = RepairCandidate(file, place, line)
            // `"Gold #1`: what begins like a number may be in the text, too.
            guard let sign = rest.firstIndex(of: "#"), !rest[sign...].dropFirst().isEmpty,
                rest[sign...].dropFirst().first != " "
            else { return [closed] }
            let whole = place.lowerBound..<(place.upperBound + rest.utf8.count)
            return [closed, RepairCandidate(file, whole, line.dropLast() + rest + "\"")]
        }
        guard let quote = text(place).first, quote == "\"" || quote == "'" else { return [] }
        let all = (line.start)..<(line.start + line.text.utf8.count)
        let rest = text(place.lowerBound..<all.upperBound).dropFirst()
        var offsets: [Int] = []
        var previous: Character = quote
        for index in rest.indices {
            let isEnd = "}],".contains(rest[index]) || (rest[index] == "#" && previous == " ")
            if isEnd {
                var before = rest[..<index]
                while before.last == " " { before.removeLast() }
                offsets.append(before.utf8.count)
            }
            previous = rest[index]
        }
        var whole = rest
        while whole.last == " " { whole.removeLast() }
        offsets.append(whole.utf8.count)
        return offsets.map { insert(String(quote), at: place.lowerBound + 1 + $0) }
    }

    func closeBracket() -> [RepairCandidate?] {
        if let hash = textInComment { return [quote(hash)] }
        let closing = text(place).first == "{" ? "}" : "]"
        let commas = keys(after: place.upperBound).map { insert(",", at: $0) }
        return [insert(closing, at: content.upperBound)] + commas
    }

    /// `{title: The #1 edition, period: 1w}`: what YAML takes for a comment has the end of a text,
    /// and the bracket that is missed.
    private var textInComment: Range<Int>? {
        let end = line.start + line.text.utf8.count
        guard place.lowerBound < content.upperBound, content.upperBound < end else { return nil }
        let comment = text(content.upperBound..<end)
        guard comment.contains(where: { "}]".contains($0) }) else { return nil }
        let before = text(place.lowerBound..<content.upperBound)
        let starts = [": ", ", ", "{", "["].compactMap { before.ranges(of: $0).last?.upperBound }
        guard let start = starts.max() else { return nil }
        let ends = [", ", "}", "]"].compactMap { comment.firstRange(of: $0)?.lowerBound }
        guard let last = ends.min() else { return nil }
        let first = content.upperBound - before[start...].utf8.count
        return first..<(content.upperBound + comment[..<last].utf8.count)
    }

    private func quote(_ bytes: Range<Int>) -> RepairCandidate? {
        let text = text(bytes)
        return text.contains(where: { "\"'\\".contains($0) })
            ? nil : RepairCandidate(file, bytes, "\"\(text)\"")
    }

    /// Where a known key follows a value without a comma: the end of that value.
    private func keys(after start: Int) -> [Int] {
        let words = text(start..<max(start, content.upperBound))
            .split(separator: " ", omittingEmptySubsequences: false)
        var offset = start
        var found: [Int] = []
        for (index, word) in words.enumerated() {
            if index > 0, word.last == ":", PolicyGrammar.keys.contains(String(word.dropLast())),
                words[index - 1].last != ","
            {
                found.append(offset - 1)
            }
            offset += word.utf8.count + 1
        }
        return found
    }

    /// A pattern such as `*.monthly`, which YAML takes for an alias.
    func quoteWord() -> RepairCandidate? {
        let word = text(place.lowerBound..<max(place.lowerBound, content.upperBound))
            .prefix { !" ,]}".contains($0) }
        guard word.utf8.count > 1 else { return nil }
        return RepairCandidate(
            file, place.lowerBound..<(place.lowerBound + word.utf8.count), "\"\(word)\"")
    }

    /// An anchor or a tag before a value.
    func removeWord() -> RepairCandidate? {
        let rest = text(place.lowerBound..<max(place.lowerBound, content.upperBound))
        let word = rest.prefix { $0 != " " }
        guard word.count > 1, "&!".contains(word.first ?? " ") else { return nil }
        let spaces = rest.dropFirst(word.count).prefix { $0 == " " }.count
        let length = word.utf8.count + spaces
        return RepairCandidate(file, place.lowerBound..<(place.lowerBound + length), "")
    }

    func removeLine() -> RepairCandidate? {
        guard "-%".contains(text(content).first ?? " ") else { return nil }
        return RepairCandidate(file, line.start..<line.end, "")
    }

    /// The second of two lines that say the same.
    func removeCopy(_ diagnostic: Diagnostic, _ lines: LineTable) -> RepairCandidate? {
        guard let first = diagnostic.related.first?.place, first.file == file,
            let other = lines.line(first.line), other.start != line.start,
            other.content == line.content, line.content.last != ":",
            place.lowerBound == content.lowerBound
        else { return nil }
        return RepairCandidate(file, line.start..<line.end, "")
    }
}

extension String {
    /// In double quotes, as YAML reads them.
    var inYAMLQuotes: String {
        let escaped = map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return "\"\(escaped)\""
    }
}
