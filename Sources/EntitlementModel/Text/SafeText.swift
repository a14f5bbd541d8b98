/// Text that is safe to display: file names, evidence, titles and settings come from strangers, and
/// a terminal obeys control characters. This is the one rule and the one escaping.
extension Unicode.Scalar {
    /// Whether it is invisible, moves or reorders others, or controls the terminal: controls,
    /// formats, private and unassigned characters, whatever a font may omit, and spaces that look
    /// like the ordinary one. Not the sign that makes an emoji of a character (U+FE0F), nor the
    /// full-width space, which is as wide as it looks.
    package var isHidden: Bool {
        if (0x20...0x7E).contains(value) { return false }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
            .unassigned:
            return true
        case .spaceSeparator: return value != 0x3000
        default: return properties.isDefaultIgnorableCodePoint && value != 0xFE0F
        }
    }

    /// `U+202E`.
    package var codePoint: String {
        "U+" + value.hexadecimal(width: 4, uppercase: true)
    }
}

extension String {
    /// The text with everything hidden written as its code point.
    package var shown: String { shown(atMost: .max) }

    /// The same, cut after that many characters of the text.
    package func shown(atMost limit: Int) -> String {
        guard unicodeScalars.count > limit || unicodeScalars.contains(where: \.isHidden) else {
            return self
        }
        var shown = ""
        for (count, scalar) in unicodeScalars.enumerated() {
            if count == limit { return shown + "…" }
            shown += scalar.isHidden ? scalar.codePoint : String(scalar)
        }
        return shown
    }

    /// The text of one line, with nothing hidden in it. Colours stay; what a stranger wrote has
    /// none, see `shown`.
    package var safeLine: String { safe(keeping: [], keepsColours: true) }

    /// The same for text that has lines of its own.
    package func safeText(keepsColours: Bool) -> String {
        safe(keeping: ["\n", "\t"], keepsColours: keepsColours)
    }

    /// JSON, which says the same with such characters written as its own escapes.
    package var safeJSON: String {
        var text = ""
        for scalar in unicodeScalars {
            guard scalar.isHidden, !["\n", "\t", "\r"].contains(scalar) else {
                text.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                text += "\\u" + unit.hexadecimal(width: 4)
            }
        }
        return text
    }

    private func safe(keeping kept: [Unicode.Scalar], keepsColours: Bool) -> String {
        // Nearly always all of it is plain.
        guard !utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return self }
        var text = ""
        var rest = unicodeScalars[...]
        while let scalar = rest.first {
            if keepsColours, let end = rest.endOfColour {
                text.unicodeScalars.append(contentsOf: rest[..<end])
                rest = rest[end...]
                continue
            }
            rest = rest.dropFirst()
            text += kept.contains(scalar) || !scalar.isHidden ? String(scalar) : scalar.codePoint
        }
        return text
    }
}

extension Substring.UnicodeScalarView {
    /// The end of the sequence that sets a colour, if the text begins with one: a colour moves
    /// nothing, and 8, which hides, is not let through.
    fileprivate var endOfColour: Index? {
        guard starts(with: "\u{1B}[".unicodeScalars) else { return nil }
        let codes = dropFirst(2).prefix(8).prefix { ("0"..."9").contains($0) || $0 == ";" }
        guard codes.endIndex < endIndex, self[codes.endIndex] == "m", !codes.isEmpty,
            !codes.split(separator: ";").contains(where: { $0.elementsEqual("8".unicodeScalars) })
        else { return nil }
        return index(after: codes.endIndex)
    }
}

/// How much room text takes on a terminal, by the one table of widths.
extension String {
    /// Columns: two for wide characters, none for colours and what combines with the character
    /// before it.
    package var columns: Int {
        var count = 0
        var rest = self[...]
        while let character = rest.popFirst() {
            if character == "\u{1B}" {
                rest = rest.drop { $0 != "m" }.dropFirst()
            } else {
                count += character.columns
            }
        }
        return count
    }

    /// Filled up with spaces to a width.
    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - columns))
    }

    /// Cut with an ellipsis to at most this many columns.
    package func cut(to width: Int) -> String {
        guard columns > width else { return self }
        var (text, room) = ("", width - 1)
        for character in self {
            room -= character.columns
            if room < 0 { break }
            text.append(character)
        }
        return width > 0 ? text + "…" : ""
    }
}

extension Character {
    /// The columns of the scalar that it begins with: what follows combines with it.
    package var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        let isEmoji =
            first.properties.isEmojiPresentation
            || unicodeScalars.contains { $0.value == 0xFE0F } && first.properties.isEmoji
        return isEmoji || Self.isWide(first.value) ? 2 : 1
    }

    /// East Asian Wide and Fullwidth (Unicode Standard Annex 11), in its larger blocks.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
            0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
