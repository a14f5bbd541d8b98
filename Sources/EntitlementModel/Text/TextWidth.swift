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
