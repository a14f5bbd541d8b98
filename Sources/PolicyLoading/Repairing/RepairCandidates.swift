internal import EntitlementModel

/// Everything that might mend a diagnostic; whether it does is found out by trying.
func repairCandidates(
    for diagnostic: Diagnostic, in lines: LineTable, _ texts: [PolicyText]
) -> [RepairCandidate] {
    switch diagnostic.id {
    case .byteOrderMark, .controlCharacter, .invisibleCharacter, .ideographicSpace, .tab:
        characterRepairs(for: diagnostic, in: lines)
    case .fullWidthPunctuation:
        replacements(for: diagnostic, in: lines) + widthRepairs(for: diagnostic, in: lines)
    case .badIndentation, .notIndented: indentationRepairs(for: diagnostic, in: lines)
    case .colonInText, .missingColon, .missingSpace, .reservedCharacter, .unclosedQuote,
        .unclosedBracket, .alias, .anchor, .tag, .severalDocuments, .yamlDirective, .duplicateKey:
        replacements(for: diagnostic, in: lines) + syntaxRepairs(for: diagnostic, in: lines)
    case .wrongType: listRepairs(for: diagnostic, in: lines)
    case .missingVersion: versionRepairs(in: lines)
    case .mixedScripts: scriptRepairs(for: diagnostic, in: lines)
    case .unknownEntitlement, .unknownCredit, .unknownGroup, .unknownProduct:
        replacements(for: diagnostic, in: lines)
            + definitionRepairs(for: diagnostic, texts)
    case .unknownSection, .unknownKey, .unknownWord, .unknownLevel, .levelNotInGroup,
        .unknownRoot, .unknownStorefront, .unknownCurrency, .unknownTimeZone,
        .textReadAsBoolean, .textReadAsNumber, .textReadAsDate, .notTrueOrFalse, .notWholeNumber,
        .numberNotation, .badAmount, .decimalComma, .badLength, .badDate, .badAge, .badDateBound,
        .badMoves, .curlyQuotes:
        replacements(for: diagnostic, in: lines)
    default: []
    }
}

/// What the advice says to write in the place of what is there.
private func replacements(
    for diagnostic: Diagnostic, in lines: LineTable
) -> [RepairCandidate] {
    let bytes = lines.bytes(of: diagnostic.place)
    return (diagnostic.help?.replacements ?? []).compactMap { text in
        let isCode = [.unknownCurrency, .unknownStorefront].contains(diagnostic.id)
        if diagnostic.help?.isGuess == true, !isCode,
            case .written(let word)? = diagnostic.facts.first,
            !isSureSlip(word, text)
        {
            return nil
        }
        return RepairCandidate(lines.file, bytes, text)
    }
}

/// The slip may be where the name is defined, rather than where it is used.
private func definitionRepairs(
    for diagnostic: Diagnostic, _ texts: [PolicyText]
) -> [RepairCandidate] {
    guard case .written(let word)? = diagnostic.facts.first else { return [] }
    return diagnostic.related.filter { $0.note == .definedHere }.compactMap { related in
        guard let text = texts.first(where: { $0.path == related.place.file }),
            let lines = LineTable(text), let bytes = lines.bytes(of: related.place)
        else { return nil }
        let defined = String(decoding: text.bytes[bytes], as: UTF8.self)
        guard isSureSlip(word, defined) else { return nil }
        return RepairCandidate(text.path, bytes, word)
    }
}

/// Whether a word is another with a slip of the keyboard: one in a short word, two in a longer
/// one, and none in its digits, which most often mean what they say.
private func isSureSlip(_ written: String, _ meant: String) -> Bool {
    let limit = written.utf8.count < 8 ? 1 : 2
    return written.filter(\.isNumber) == meant.filter(\.isNumber)
        && suggestion(for: written, among: [meant], within: limit) != nil
}

extension Help {
    /// What it says to write in the place of what is there; several where only the author knows.
    fileprivate var replacements: [String] {
        switch self {
        case .didYouMean(let text), .write(let text): [text]
        case .didYouMeanEither(let texts), .writeEither(let texts), .unitMissing(let texts): texts
        case .thousandsOrFraction(let whole, let fraction): [whole, fraction]
        default: []
        }
    }

    /// Whether it was found by spelling alone.
    fileprivate var isGuess: Bool {
        switch self {
        case .didYouMean, .didYouMeanEither: true
        default: false
        }
    }
}
