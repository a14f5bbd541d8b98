internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import StrictJSON

/// A change of a file that mends a diagnostic.
struct SuggestedEdit: Hashable, Sendable {
    /// What the author sees.
    let title: String
    /// Bytes of the diagnostic's file, and what takes their place.
    let edits: [Repair.Edit]
    /// Whether it is surely what was meant: there is no other.
    let isPreferred: Bool
}

/// What mends a diagnostic, where its help says what to write in the place of what was written.
///
/// Only where the place marks exactly the text that is wrong: a help that speaks of something wider
/// is left to the author.
func suggestedEdits(
    for diagnostic: Diagnostic, in document: TextDocument, _ language: Language
) -> [SuggestedEdit] {
    guard case .written(let wrong)? = diagnostic.facts.first, let help = diagnostic.help else {
        return []
    }
    let marked = document.text(document.offsets(of: diagnostic.place))
    let quote = marked.first.map { $0 == "\"" || $0 == "'" ? String($0) : "" } ?? ""
    guard marked == quote + wrong + quote else { return [] }
    let texts: [String]
    switch help {
    case .didYouMean(let text): texts = [quote + text + quote]
    case .write(let text): texts = [text]
    case .oneOf(let all), .unitMissing(let all): texts = all.map { quote + $0 + quote }
    case .thousandsOrFraction(let whole, let fraction): texts = [whole, fraction]
    default: return []
    }
    return texts.prefix(10).map { text in
        SuggestedEdit(
            title: EditingPhrase.replace.text(language, wrong.shown(atMost: 80), text),
            edits: [
                Repair.Edit(
                    file: diagnostic.place.file, bytes: document.offsets(of: diagnostic.place),
                    replacement: text)
            ], isPreferred: texts.count == 1)
    }
}

extension LanguageServer {
    /// A repair is tried by checking the folder again, so not in one of a size that takes seconds.
    private static let mostRepairedBytes = 200_000

    /// What `policy check --fix` would do about a diagnostic, or would show to choose from.
    private mutating func repairEdits(
        for diagnostic: Diagnostic, of checked: CheckedPolicy, in home: PolicyHome
    ) -> [SuggestedEdit] {
        let (texts, ignored, failures) = workspace.texts(of: home)
        let size = texts.reduce(0) { $0 + $1.bytes.count }
        guard failures.isEmpty, size <= Self.mostRepairedBytes else { return [] }
        var circumstances = PolicyCheckOptions()
        circumstances.ignored = ignored
        circumstances.now = options.now()
        let check = options.check
        let offer = repairs(for: diagnostic, of: checked.report, in: texts) {
            check($0, circumstances)
        }
        let found: [Repair] =
            switch offer {
            case .one(let repair): [repair]
            case .several(let repairs): repairs
            case .none: []
            }
        return found.prefix(10).compactMap { repair in
            guard repair.edits.allSatisfy({ $0.file == diagnostic.place.file }) else { return nil }
            return SuggestedEdit(
                title: EditingPhrase.write.text(language, repair.line.shown(atMost: 80)),
                edits: repair.edits, isPreferred: found.count == 1)
        }
    }
}

/// Code actions: repairs of the diagnostics in a range.
extension LanguageServer {
    mutating func codeActions(_ params: JSONValue) throws(ResponseError) -> JSONValue {
        let document = try openDocument(params)
        guard let range = TextRange(params["range"]) else {
            throw ResponseError(.invalidParams, "range is missing")
        }
        let only = params["context"]?["only"]?.elements?.compactMap(\.string)
        let isAsked = only.map { kinds in kinds.contains { "quickfix".hasPrefix($0) } } ?? true
        guard let home = document.home, isAsked, client.takesCodeActions else { return [] }
        let file = PolicyFile(
            uri: document.uri, name: document.name, document: document.text,
            version: document.version)
        let checked = checked(home)
        let here = checked.report.diagnostics.filter { diagnostic in
            diagnostic.place.file == file.name
                && self.range(of: diagnostic.place, in: file).touches(range)
        }
        var actions: [JSONValue] = []
        for diagnostic in here {
            let shown = json(diagnostic, in: file, of: checked)
            var suggested = suggestedEdits(for: diagnostic, in: file.document, language)
            if suggested.isEmpty { suggested = repairEdits(for: diagnostic, of: checked, in: home) }
            for edit in suggested {
                let changes = edit.edits.map { change -> JSONValue in
                    [
                        "range": file.document.range(change.bytes, encoding).json,
                        "newText": .string(change.replacement),
                    ]
                }
                actions.append([
                    "title": .string(edit.title), "kind": "quickfix",
                    "diagnostics": .array([shown]), "isPreferred": .bool(edit.isPreferred),
                    "edit": ["changes": .object([JSONMember(file.uri, .array(changes))])],
                ])
            }
        }
        return .array(actions)
    }
}
