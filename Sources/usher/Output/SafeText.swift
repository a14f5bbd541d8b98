/// What may go out to a terminal: file names, evidence and settings are written by strangers, and
/// a terminal does what it is told.
extension String {
    /// The text of one line: whatever would end the line, move the cursor or turn the text round is
    /// written as its number. Colours stay; what a stranger wrote has none, see `shown`.
    var safeLine: String { safe(keeping: [], keepsColours: true) }

    /// The same for text that has lines of its own.
    func safeText(keepsColours: Bool) -> String {
        safe(keeping: ["\n", "\t"], keepsColours: keepsColours)
    }

    /// JSON, which says the same with such characters written as their numbers.
    var safeJSON: String {
        guard !utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0A }) else { return self }
        var text = UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where scalar == "\n" || scalar == "\t" || scalar == "\r":
                text.append(scalar)
            case .control, .format, .lineSeparator, .paragraphSeparator:
                for unit in Character(scalar).utf16 {
                    let digits = Swift.String(unit, radix: 16)
                    text.append(contentsOf: "\\u".unicodeScalars)
                    text.append(
                        contentsOf: (Swift.String(repeating: "0", count: 4 - digits.count) + digits)
                            .unicodeScalars)
                }
            default: text.append(scalar)
            }
        }
        return String(text)
    }

    private func safe(keeping kept: [Unicode.Scalar], keepsColours: Bool) -> String {
        // Nearly always all of it is plain.
        guard !utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return self }
        var text = ""
        var rest = unicodeScalars[...]
        while let scalar = rest.first {
            if keepsColours, let colour = Paint.sequence(at: rest) {
                text.unicodeScalars.append(contentsOf: colour)
                rest = rest[colour.endIndex...]
                continue
            }
            rest = rest.dropFirst()
            if kept.contains(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += Swift.String(scalar).shown
            }
        }
        return text
    }
}

extension Paint {
    /// The sequence that sets a colour, if one stands here: a colour moves nothing and hides
    /// nothing.
    fileprivate static func sequence(at text: Substring.UnicodeScalarView)
        -> Substring.UnicodeScalarView?
    {
        guard text.starts(with: "\u{1B}[".unicodeScalars) else { return nil }
        let codes = text.dropFirst(2).prefix(8).prefix { ("0"..."9").contains($0) || $0 == ";" }
        guard codes.endIndex < text.endIndex, text[codes.endIndex] == "m", !codes.isEmpty,
            // Not hidden, nor what stays that way.
            codes.split(separator: ";").allSatisfy({ $0.elementsEqual("8".unicodeScalars) == false }
            )
        else { return nil }
        return text[..<text.index(after: codes.endIndex)]
    }
}
