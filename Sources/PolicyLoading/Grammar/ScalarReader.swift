internal import EntitlementModel

/// Reading of single values.
extension GrammarReader {
    /// Reads a single value; nil where it has been reported.
    mutating func scalar(
        _ node: YAMLNode, _ shape: Shape, key: String
    ) -> CheckedValue.Content? {
        guard case .text(let text, let style) = node.content else {
            addWrongType(node, shape, key: key)
            return nil
        }
        let value = ScalarText(text: text, style: style, span: node.span, key: key)
        if shape.isASCII, addWidth(of: text, at: node.span) { return nil }
        switch shape {
        case .text, .name, .accountPattern, .productPattern, .storefront, .bundleID:
            return name(value, shape)
        case .word(let words): return word(value, among: words)
        case .boolean: return boolean(value)
        case .version: return whole(value, in: 0...Int64.max)
        case .whole(let range): return whole(value, in: range)
        case .amount: return amount(value)
        case .length(let allowsCalendar):
            return length(value, allowsCalendar: allowsCalendar).map { .length($0) }
        case .wordOrLength(let words): return wordOrLength(value, among: words)
        case .date: return date(text, value).map { .date($0) }
        case .age: return age(value).map { .age($0) }
        case .count: return count(value).map { .count($0) }
        case .dateBound: return dateBound(value).map { .dateBound($0) }
        case .versionBound: return versionBound(value).map { .versionBound($0) }
        case .window: return window(value).map { .dateBound($0) }
        case .timeZone: return timeZone(value).map { .text($0) }
        case .moves: return moves(value).map { .moves($0) }
        case .root, .fingerprint, .certificatePath: return .text(text)
        case .list, .oneOrMany, .section, .table, .either, .allOr:
            preconditionFailure("lists and sections are read before single values")
        }
    }

    // MARK: Words, booleans, numbers

    private mutating func word(
        _ value: ScalarText, among words: [String]
    ) -> CheckedValue.Content? {
        if words.contains(value.text) {
            guard value.style == .plain, case .boolean = PlainReading(value.text) else {
                return .text(value.text)
            }
            problems.add(
                .textReadAsBoolean, at: value.span, .written(value.text),
                help: .write(value.text.inYAMLQuotes))
            return nil
        }
        problems.add(
            .unknownWord, at: value.span, .written(value.text), .written(value.key),
            help: help(for: value, words))
        return nil
    }

    private mutating func wordOrLength(
        _ value: ScalarText, among words: [String]
    ) -> CheckedValue.Content? {
        let isWord = words.contains(value.text) || Help.meant(by: value.text, among: words) != nil
        guard !isWord else { return word(value, among: words) }
        return length(value, allowsCalendar: true).map { .length($0) }
    }

    private func help(for value: ScalarText, _ words: [String]) -> Help {
        // `no` is nearer to `on` than to `off` by its letters only.
        for (on, off) in [("on", "off"), ("yes", "no")] where words.contains(on) {
            guard case .boolean(let isOn) = PlainReading(value.text) else { continue }
            return .write((isOn ? on : off).inYAMLQuotes)
        }
        return .meant(by: value.text, among: words) ?? .oneOf(words)
    }

    private mutating func boolean(_ value: ScalarText) -> CheckedValue.Content? {
        switch (value.style, value.text) {
        case (.plain, "true"): return .boolean(true)
        case (.plain, "false"): return .boolean(false)
        default:
            var help = Help.oneOf(["true", "false"])
            if case .boolean(let meant) = PlainReading(value.text) { help = .write("\(meant)") }
            problems.add(
                .notTrueOrFalse, at: value.span, value.asWritten,
                .written(value.key),
                help: help)
            return nil
        }
    }

    private mutating func whole(
        _ value: ScalarText, in range: ClosedRange<Int64>
    ) -> CheckedValue.Content? {
        guard value.style == .plain, let number = PlainReading.wholeNumber(value.text) else {
            if value.style == .plain, isLongNumber(value.text) {
                addOutOfRange(value, range)
            } else if !addComma(in: value, allowsFraction: false) {
                addNotANumber(value, .notWholeNumber)
            }
            return nil
        }
        guard range.contains(number) else {
            addOutOfRange(value, range)
            return nil
        }
        return .number(number)
    }

    /// Digits that say a number which no integer of ours holds.
    private func isLongNumber(_ text: String) -> Bool {
        text.utf8.count > 18 && text.utf8.first != UInt8(ascii: "0")
            && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private mutating func addOutOfRange(_ value: ScalarText, _ range: ClosedRange<Int64>) {
        problems.add(
            .numberOutOfRange, at: value.span, .written(value.text), .written(value.key),
            .number(range.lowerBound), .number(range.upperBound))
    }

    /// Digits, and up to three after a point; kept in thousandths.
    private mutating func amount(_ value: ScalarText) -> CheckedValue.Content? {
        let parts = value.text.split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? String(parts[1]) : ""
        guard value.style == .plain, let whole = PlainReading.wholeNumber(String(parts[0])),
            !value.text.hasPrefix("-"), whole <= 1_000_000_000_000,
            parts.count == 1 || (1...3).contains(decimals.utf8.count),
            let thousandths = Int64(decimals + String(repeating: "0", count: 3 - decimals.count)),
            decimals.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else {
            if !addComma(in: value, allowsFraction: true) { addNotANumber(value, .badAmount) }
            return nil
        }
        return .number(whole * 1_000 + thousandths)
    }

    private mutating func addNotANumber(_ value: ScalarText, _ id: DiagnosticID) {
        let isOddNotation =
            value.style == .plain && PlainReading(value.text) == .number
            && PlainReading.wholeNumber(value.text) == nil
            && !value.text.utf8.allSatisfy { (0x2D...0x39).contains($0) }
        problems.add(
            isOddNotation ? .numberNotation : id, at: value.span, value.asWritten,
            .written(value.key),
            help: value.number.map(Help.write))
    }
}

/// A single value and where it stands.
struct ScalarText {
    var text: String
    var style: YAMLStyle
    var span: SourceSpan
    var key: String

    /// With quotes where it had some, for messages about values that must not have them.
    var asWritten: Fact {
        guard style == .quoted else { return .written(text) }
        return .plain("\"\(text)\"".inMessage)
    }
}

extension ScalarText {
    /// The plain number in a text that has quotes, a sign of money or lines between digits.
    fileprivate var number: String? {
        let signs: Set<Character> = ["$", "€", "£", "¥", "￥", "元", "_", " "]
        var bare = text.filter { !signs.contains($0) }
        if bare.uppercased().hasPrefix(key) { bare = String(bare.dropFirst(key.count)) }
        if bare.uppercased().hasSuffix(key) { bare = String(bare.dropLast(key.count)) }
        let parts = bare.split(separator: ".", omittingEmptySubsequences: false)
        let isNumber =
            (1...2).contains(parts.count) && parts.allSatisfy { String($0).isDigits }
            && (parts[0].count == 1 || parts[0].first != "0")
        return isNumber && (style == .quoted || bare != text) ? bare : nil
    }
}

/// A comma in a number. YAML has none: in a block it makes a text of the number, in `{…}` two
/// entries.
extension GrammarReader {
    /// The entries without those that are the rest of a number with a comma, which are reported.
    /// - Parameter isWhole: whether a key takes whole numbers only.
    mutating func withoutFractions(
        _ entries: [YAMLEntry], isWhole: (String) -> Bool
    ) -> [YAMLEntry] {
        guard entries.contains(where: \.isFraction) else { return entries }
        var left: [YAMLEntry] = []
        var index = entries.startIndex
        while index < entries.endIndex {
            var entry = entries[index]
            index += 1
            var parts: [YAMLEntry] = []
            while index < entries.endIndex, entries[index].isFraction,
                entries[index].follows(parts.last?.keySpan ?? entry.value.span)
            {
                parts.append(entries[index])
                index += 1
            }
            if let last = parts.last, case .text(let text, .plain) = entry.value.content,
                text.isDigits
            {
                let written = ([text] + parts.map(\.key)).joined(separator: ",")
                var span = entry.value.span
                span.end = last.keySpan.end
                addComma(written, at: span, allowsFraction: !isWhole(entry.key))
                entry.value.content = .rejected
                left.append(entry)
            } else {
                left += [entry] + parts
            }
        }
        return left
    }

    /// Reports a number with commas; false where that is not what is wrong with the text.
    mutating func addComma(in value: ScalarText, allowsFraction: Bool) -> Bool {
        let isNumber = value.text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || $0 == 0x2C || $0 == 0x2E
        }
        guard isNumber, value.text.contains(","), value.text.first?.isNumber == true,
            value.text.last?.isNumber == true
        else { return false }
        addComma(value.text, at: value.span, allowsFraction: allowsFraction)
        return true
    }

    private mutating func addComma(
        _ text: String, at span: SourceSpan, allowsFraction: Bool
    ) {
        problems.add(
            .decimalComma, at: span, .written(text),
            help: meant(by: text, allowsFraction: allowsFraction))
    }

    /// What somebody means who writes 9,99 or 1,234.50 or 1.234,50.
    private func meant(by text: String, allowsFraction: Bool) -> Help? {
        let whole = text.filter(\.isNumber)
        let last = text.lastIndex { $0 == "," || $0 == "." } ?? text.startIndex
        let (before, after) = (
            text[..<last].filter(\.isNumber), text[text.index(after: last)...]
        )
        let fraction = "\(before).\(after)"
        let groups = text.split(separator: ",").dropFirst()
        let isThousands = !text.contains(".") && groups.allSatisfy { $0.count == 3 }
        guard allowsFraction else { return isThousands ? .write(whole) : nil }
        if isThousands {
            return groups.count > 1 ? .write(whole) : .writeEither([whole, fraction])
        }
        return after.count <= 3 ? .write(fraction) : nil
    }
}

extension YAMLEntry {
    /// What stands behind the comma in `{USD: 9,99}`.
    fileprivate var isFraction: Bool { keyStyle == .plain && value.isEmpty && key.isDigits }

    /// Whether nothing but a comma is between the place and the key.
    fileprivate func follows(_ span: SourceSpan) -> Bool {
        span.end.line == keySpan.start.line && span.end.column + 1 == keySpan.start.column
    }
}

extension String {
    /// Nothing but 0 to 9, one at least.
    var isDigits: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
