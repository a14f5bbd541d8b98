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
            return groups.count > 1 ? .write(whole) : .thousandsOrFraction(whole, fraction)
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
