internal import EntitlementModel

/// What other YAML tools read in a text without quotes.
///
/// A name must mean the same to every tool that reads the file, so a name that some tool takes
/// for something else is asked to be quoted (THREATS.md F23).
enum PlainReading: Hashable, Sendable {
    case text
    case boolean(Bool)
    case nothing
    case number
    case date

    init(_ text: String) {
        switch text.lowercased() {
        case "y", "yes", "on", "true": self = .boolean(true)
        case "n", "no", "off", "false": self = .boolean(false)
        case "", "~", "null": self = .nothing
        case ".inf", "-.inf", "+.inf", ".nan": self = .number
        default:
            let bytes = Array(text.utf8)
            if PlainReading.looksLikeDate(bytes) {
                self = .date
            } else {
                self = PlainReading.looksLikeNumber(bytes) ? .number : .text
            }
        }
    }

    /// Digits 0 to 9 without sign, point or leading zeros: the one notation of whole numbers.
    static func wholeNumber(_ text: String) -> Int64? {
        let bytes = text.utf8
        let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
        guard !digits.isEmpty, digits.allSatisfy(isDigit),
            digits.count == 1 || digits.first != UInt8(ascii: "0")
        else { return nil }
        return Int64(text)
    }

    /// `2026-01-31`, also with one digit for month or day, and with a time after it.
    private static func looksLikeDate(_ bytes: [UInt8]) -> Bool {
        let day = bytes.prefix { $0 | 0x20 != UInt8(ascii: "t") && $0 != UInt8(ascii: " ") }
        let parts = day.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0].count == 4 && (1...2).contains(parts[1].count)
            && (1...2).contains(parts[2].count) && parts.allSatisfy { $0.allSatisfy(isDigit) }
    }

    /// Decimal, `0x`, `0o`, `0b`, underscores, fractions, exponents, and base 60 with colons.
    private static func looksLikeNumber(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            rest = rest.dropFirst()
        }
        guard let first = rest.first, isDigit(first) || first == UInt8(ascii: ".") else {
            return false
        }
        if first == UInt8(ascii: "0"), let radix = rest.dropFirst().first, rest.count > 2 {
            let digits = rest.dropFirst(2)
            switch radix {
            case UInt8(ascii: "x"): return digits.allSatisfy(isHexadecimal)
            case UInt8(ascii: "o"), UInt8(ascii: "b"): return digits.allSatisfy(isNumeral)
            default: break
            }
        }
        return isDecimal(rest) || isBase60(rest)
    }

    private static func isDecimal(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(
            maxSplits: 1, omittingEmptySubsequences: false,
            whereSeparator: { $0 | 0x20 == UInt8(ascii: "e") })
        let mantissa = parts[0].split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard mantissa.count <= 2, mantissa.contains(where: { $0.contains(where: isDigit) }),
            mantissa.allSatisfy({ $0.allSatisfy(isNumeral) })
        else { return false }
        guard parts.count == 2 else { return true }
        let exponent = parts[1].drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        return !exponent.isEmpty && exponent.allSatisfy(isDigit)
    }

    private static func isBase60(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count > 1 && parts.allSatisfy { !$0.isEmpty }
            && parts.dropLast().allSatisfy { $0.allSatisfy(isNumeral) }
            && parts[parts.count - 1].allSatisfy { isNumeral($0) || $0 == UInt8(ascii: ".") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isNumeral(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "_")
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isNumeral(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}

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
        var hidden: [Unicode.Scalar: HiddenPlaces] = [:]
        for scalar in text.unicodeScalars {
            if scalar == "\n" {
                mark = SourceMark(line: mark.line + 1, column: 1)
            } else {
                if isForbidden(scalar), scalar != "\u{FEFF}" || mark != .start,
                    problem(with: scalar, at: mark) == .invisibleCharacter
                {
                    reportedLine = mark.line
                    hidden[scalar, default: HiddenPlaces(first: mark)].add(mark.line)
                } else if reportedLine != mark.line,
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
        for (scalar, places) in hidden.sorted(by: { $0.value.first < $1.value.first }) {
            problems.add(
                .invisibleCharacter, at: SourceSpan(file: file, at: places.first),
                .plain(scalar.nameOfHidden), .number(Int64(places.count)),
                .plain(places.shownLines))
        }
        return reportedLine == 0
    }

    /// Where a character that cannot be seen is.
    private struct HiddenPlaces {
        let first: SourceMark
        private(set) var count = 0
        private var lines: [Int] = []

        init(first: SourceMark) { self.first = first }

        mutating func add(_ line: Int) {
            count += 1
            if lines.last != line { lines.append(line) }
        }

        /// `11, 14`, and `…` for those beyond the first ten.
        var shownLines: String {
            lines.prefix(10).map { "\($0)" }.joined(separator: ", ")
                + (lines.count > 10 ? ", …" : "")
        }
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

extension Unicode.Scalar {
    /// The code point of a character that cannot be seen, and what Unicode calls it.
    fileprivate var nameOfHidden: String {
        guard let name = properties.name ?? properties.nameAlias else { return codePoint }
        return "\(codePoint) (\(name.lowercased()))"
    }
}
