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

extension SuggestedEdit {
    /// What `policy check --fix` does about a diagnostic, or shows to choose from.
    static func all(
        for diagnostic: Diagnostic, in texts: [PolicyText], _ language: Language
    ) -> [SuggestedEdit] {
        let found = repairs(for: diagnostic, in: texts)
        return found.prefix(10).map { repair in
            SuggestedEdit(
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
        let texts = workspace.texts(of: home).texts
        let here = checked.report.diagnostics.filter { diagnostic in
            diagnostic.place.file == file.name
                && self.range(of: diagnostic.place, in: file).touches(range)
        }
        var actions: [JSONValue] = []
        for diagnostic in here {
            let shown = json(diagnostic, in: file, of: checked)
            for edit in SuggestedEdit.all(for: diagnostic, in: texts, language) {
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
