internal import EntitlementModel

/// Full-width punctuation of a line, and the ASCII signs in its place.
struct WidthEdits {
    let file: String
    let line: LineTable.Line

    private static let textKeys: Set<String> = ["title", "title_zh", "name", "because"]

    /// - Parameter inTitles: whether titles have them, too, where they are text.
    func all(inTitles: Bool) -> [Repair.Edit] {
        let content = line.content
        var edits: [Repair.Edit] = []
        var isTitle = false
        for (index, scalar) in line.signs where index < content.endIndex {
            let next = content.unicodeScalars[index...].dropFirst()
            if isTitle, endsTitle(scalar, Substring(next)) { isTitle = false }
            let isColon = scalar == ":" || scalar == "："
            if !isTitle || inTitles, let plain = scalar.plainSign {
                let start = line.offset(index)
                let bytes = start..<(start + scalar.utf8.count)
                let needsSpace = ":,".contains(plain) && !(next.isEmpty || next.first == " ")
                edits.append(
                    Repair.Edit(
                        file: file, bytes: bytes, replacement: needsSpace ? plain + " " : plain))
            }
            if isColon, !isTitle { isTitle = Self.textKeys.contains(word(before: index)) }
        }
        return edits
    }

    private func word(before index: Substring.Index) -> String {
        let before = line.text[..<index].reversed().prefix { $0.isLetter || $0 == "_" }
        return String(before.reversed())
    }

    /// Whether a title ends here: at a bracket, or at a comma before the next key.
    private func endsTitle(_ scalar: Unicode.Scalar, _ rest: Substring) -> Bool {
        if scalar == "}" || scalar == "｝" { return true }
        guard scalar == "," || scalar == "，" else { return false }
        let word = rest.drop { $0 == " " }.prefix { $0.isASCII && ($0.isLetter || $0 == "_") }
        let after = rest.drop { $0 == " " }.dropFirst(word.count).first
        return PolicyGrammar.keys.contains(String(word)) && (after == ":" || after == "：")
    }
}

extension Unicode.Scalar {
    /// The ASCII sign in the place of a full-width one; nil for others, and for parentheses,
    /// which are text wherever they are.
    fileprivate var plainSign: String? {
        guard self != "（", self != "）" else { return nil }
        return plainForm
    }

    /// The ASCII characters of a full-width one, or of other quotes and dashes.
    fileprivate var plainForm: String? {
        switch value {
        case 0xFF01...0xFF5E: Unicode.Scalar(value - 0xFEE0).map { String($0) }
        case 0x201C...0x201F: "\""
        case 0x2018...0x201B: "'"
        case 0x3010: "["
        case 0x3011: "]"
        case 0x3002: "."
        case 0x3001: ","
        case 0x2010...0x2015, 0x2212: "-"
        default: nil
        }
    }
}

extension String {
    /// The text in ASCII where it differs only in the width of characters; nil for any other.
    var inHalfWidth: String? {
        var plain = ""
        var needsSpace = false
        for scalar in unicodeScalars {
            let form = scalar.plainForm
            let text = form ?? String(scalar)
            if needsSpace, text != " " { plain += " " }
            needsSpace = form == "," || form == ":"
            plain += text
        }
        if plain.hasPrefix("("), plain.hasSuffix(")") {
            plain = String(plain.dropFirst().dropLast())
        }
        return plain != self && plain.utf8.allSatisfy { $0 < 0x80 } ? plain : nil
    }
}
