internal import EntitlementModel

/// Finds characters that have no business in a policy, before any of it is understood.
enum CharacterCheck {
    /// Adds a problem for each line that has some, and says whether the text can be parsed.
    ///
    /// Tabs, controls and hidden characters are refused in comments too: text that shows itself
    /// otherwise than it is read deceives reviewers wherever it stands.
    static func check(
        _ text: String, file: String, into problems: inout ProblemList
    ) -> Bool {
        var mark = SourceMark.start
        var reportedLine = 0
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            if scalar == "\n" {
                mark = SourceMark(line: mark.line + 1, column: 1)
            } else {
                if reportedLine != mark.line,
                    let id = isAfterReturn ? .controlCharacter : problem(with: scalar, at: mark)
                {
                    reportedLine = mark.line
                    problems.add(
                        id, at: SourceSpan(file: file, at: mark),
                        .plain((isAfterReturn ? "\r" : scalar).codePoint))
                }
                mark.column += 1
            }
            isAfterReturn = scalar == "\r"
        }
        return reportedLine == 0
    }

    /// Whether a policy may not contain a character. The list is a part of the policy format,
    /// unlike `isHidden`, which grows with Unicode: what was once in force must load again.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0xA0, 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x1680,
            0x17B4, 0x17B5, 0x180E, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x206F, 0x3164,
            0xFE00...0xFE0E, 0xFEFF, 0xFFA0, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF:
            true
        default: false
        }
    }

    private static func problem(
        with scalar: Unicode.Scalar, at mark: SourceMark
    ) -> DiagnosticID? {
        switch scalar.value {
        case 0x0D, 0x20...0x7E: nil
        case 0x09: .tab
        case 0x00...0x1F, 0x7F...0x9F: .controlCharacter
        case 0xFEFF where mark == .start: .byteOrderMark
        case 0x3000: .ideographicSpace
        default: isForbidden(scalar) ? .invisibleCharacter : nil
        }
    }
}
