internal import EntitlementModel

/// Reading of names and texts: the same for every tool that reads the file, and the same to the
/// eye as to the machine.
extension GrammarReader {
    /// Reads a name or a text; nil where it has been reported.
    mutating func name(_ value: ScalarText, _ shape: Shape) -> CheckedValue.Content? {
        guard isUnambiguous(value) else { return nil }
        switch shape {
        case .text: return text(value)
        case .storefront: return storefront(value)
        case .bundleID: return bundleID(value)
        case .productPattern:
            return isIdentifier(value, maximumLength: 128, allowsStar: true)
                ? .text(value.text) : nil
        case .accountPattern:
            guard isIdentifier(value, maximumLength: 256, allowsStar: true) else { return nil }
            guard !value.text.dropLast().contains("*") else {
                problems.add(.starInAccount, at: value.span, .written(value.text))
                return nil
            }
            return .text(value.text)
        default:
            return isIdentifier(value, maximumLength: 128, allowsStar: false)
                ? .text(value.text) : nil
        }
    }

    /// Whether a table's key may name what the table holds.
    mutating func isName(_ entry: YAMLEntry, _ names: NameClass, key: String) -> Bool {
        let value = ScalarText(
            text: entry.key, style: entry.keyStyle, span: entry.keySpan, key: key)
        guard isUnambiguous(value) else { return false }
        guard names == .currency else {
            return isIdentifier(value, maximumLength: 128, allowsStar: false)
        }
        if !Currencies.codes.contains(entry.key) {
            problems.add(
                .unknownCurrency, at: entry.keySpan, .written(entry.key),
                help: Currencies.meant(by: entry.key).map(Help.didYouMean))
        }
        return true
    }

    /// Texts without quotes that some tools read as something else are to be quoted.
    private mutating func isUnambiguous(_ value: ScalarText) -> Bool {
        guard value.style == .plain else { return true }
        let id: DiagnosticID
        switch PlainReading(value.text) {
        case .text: return true
        case .boolean: id = .textReadAsBoolean
        case .nothing: id = .textReadAsNothing
        case .number: id = .textReadAsNumber
        case .date: id = .textReadAsDate
        }
        problems.add(
            id, at: value.span, .written(value.text), help: .write("\"\(value.text)\""))
        return false
    }

    private mutating func text(_ value: ScalarText) -> CheckedValue.Content? {
        let length = value.text.utf8.count
        guard (1...400).contains(length), value.text.contains(where: { !$0.isWhitespace }) else {
            problems.add(.badText, at: value.span, .written(value.key))
            return nil
        }
        if hasMixedScripts(value.text) {
            problems.add(.mixedScripts, at: value.span, .written(value.text))
            return nil
        }
        return .text(value.text)
    }

    private mutating func isIdentifier(
        _ value: ScalarText, maximumLength: Int, allowsStar: Bool
    ) -> Bool {
        if hasMixedScripts(value.text) {
            problems.add(.mixedScripts, at: value.span, .written(value.text))
            return false
        }
        guard value.text.utf8.allSatisfy({ $0 < 0x80 }) else {
            problems.add(.notASCIIName, at: value.span, .written(value.text))
            return false
        }
        guard !value.text.isEmpty, value.text.utf8.count <= maximumLength,
            value.text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            allowsStar || !value.text.contains("*")
        else {
            problems.add(
                .badName, at: value.span, .written(value.text), .number(Int64(maximumLength)))
            return false
        }
        return true
    }

    private mutating func bundleID(_ value: ScalarText) -> CheckedValue.Content? {
        let isPlausible =
            value.text.utf8.count <= 128
            && value.text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
                !$0.isEmpty
                    && $0.utf8.allSatisfy { byte in
                        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                            || byte == UInt8(ascii: "-")
                    }
            }
        guard isPlausible else {
            problems.add(.badBundleID, at: value.span, .written(value.text))
            return nil
        }
        return .text(value.text)
    }

    private mutating func storefront(_ value: ScalarText) -> CheckedValue.Content? {
        if let code = Storefronts.alpha3(value.text) { return .text(code) }
        problems.add(
            .unknownStorefront, at: value.span, .written(value.text),
            help: Storefronts.meant(by: value.text).map(Help.didYouMean))
        return nil
    }

    /// Whether a word has Latin letters beside Greek, Cyrillic or other ones that look like them.
    private func hasMixedScripts(_ text: String) -> Bool {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        return text.unicodeScalars.split { !$0.properties.isAlphabetic }.contains { word in
            word.contains { isLatin($0.value) } && word.contains { looksLatin($0.value) }
        }
    }

    private func isLatin(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF: true
        default: false
        }
    }

    /// Greek, Cyrillic, Armenian, Cherokee, mathematical and full-width letters.
    private func looksLatin(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x370...0x3FF, 0x400...0x52F, 0x530...0x58F, 0x13A0...0x13FF, 0x1D400...0x1D7FF,
            0xFF21...0xFF3A, 0xFF41...0xFF5A:
            true
        default: false
        }
    }
}
