/// Text that is shown.
extension String {
    /// With a sign in place of everything that could disturb a terminal or deceive the eye.
    var madeVisible: String {
        guard unicodeScalars.contains(where: \.isInvisible) else { return self }
        var text = UnicodeScalarView()
        for scalar in unicodeScalars { text.append(scalar.isInvisible ? "\u{FFFD}" : scalar) }
        return String(text)
    }

    /// The columns that it takes on a terminal, where wide characters take two.
    var columnCount: Int { reduce(0) { $0 + $1.columnCount } }

    /// Cut with an ellipsis, and filled up with spaces, to exactly this many columns.
    func fitted(to columns: Int) -> String {
        let text = cut(to: columns)
        return text + String(repeating: " ", count: max(0, columns - text.columnCount))
    }

    /// Cut with an ellipsis to at most this many columns.
    func cut(to columns: Int) -> String {
        guard columnCount > columns else { return self }
        var (text, room) = ("", columns - 1)
        for character in self where room >= 0 {
            room -= character.columnCount
            if room >= 0 { text.append(character) }
        }
        return columns > 0 ? text + "…" : ""
    }
}

extension Character {
    /// Two where it is East Asian Wide or Fullwidth (Unicode Standard Annex 11), in the blocks
    /// that names and our own words use.
    fileprivate var columnCount: Int {
        guard let first = unicodeScalars.first?.value else { return 0 }
        switch first {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
            .unassigned:
            true
        default: false
        }
    }
}
