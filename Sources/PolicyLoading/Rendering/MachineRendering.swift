internal import EntitlementModel
package import StrictJSON

/// Diagnostics for programs: every field by name, in the order of the text form.
package func renderJSON(
    _ diagnostics: [Diagnostic], _ options: RenderOptions, _ summary: FolderSummary? = nil
) -> JSONValue {
    var members: [(String, JSONValue)] = [
        ("errors", .integer(Int64(diagnostics.count(of: .error)))),
        ("warnings", .integer(Int64(diagnostics.count(of: .warning)))),
    ]
    if let outcome = options.outcome {
        members.append(("running_policy", .string(outcome.rawValue)))
    }
    members.append(("diagnostics", .array(diagnostics.map { json($0, options) })))
    if let summary { members += summary.members(in: options.language) }
    return .object(members)
}

func json(_ diagnostic: Diagnostic, _ options: RenderOptions) -> JSONValue {
    var members: [(String, JSONValue)] = [
        ("severity", .string(diagnostic.severity.rawValue)),
        ("id", .string(diagnostic.id.rawValue)),
    ]
    members += place(diagnostic.place, options)
    members.append(("message", .string(diagnostic.message(in: options.language))))
    members.append(("help", .string(diagnostic.advice(in: options.language))))
    if !diagnostic.example.isEmpty {
        let parts = diagnostic.example.map { ($0.key, JSONValue.string($0.value)) }
        members.append(("example", .object(parts)))
    }
    if !diagnostic.notes.isEmpty {
        members.append(("notes", .array(diagnostic.notes.map { .string($0) })))
    }
    if !diagnostic.related.isEmpty {
        let related = diagnostic.related.map { related in
            JSONValue.object(
                [("note", .string(related.note.text(options.language)))]
                    + place(related.place, options))
        }
        members.append(("related", .array(related)))
    }
    if !diagnostic.choices.isEmpty {
        members.append(("choices", .array(diagnostic.choices.map(JSONValue.string))))
    }
    if diagnostic.repetitions > 0 {
        members.append(("more", .integer(Int64(diagnostic.repetitions))))
    }
    return .object(members)
}

private func place(_ place: TextLocation, _ options: RenderOptions) -> [(String, JSONValue)] {
    let file: (String, JSONValue) = ("file", .string(options.path(place.file)))
    guard place.line > 0 else { return [file] }
    return [
        file, ("line", .integer(Int64(place.line))), ("column", .integer(Int64(place.column))),
        ("end_column", .integer(Int64(place.column + place.length))),
    ]
}

/// One workflow command per diagnostic.
func renderGitHub(_ diagnostics: [Diagnostic], _ options: RenderOptions) -> String {
    diagnostics.map { diagnostic in
        let command = diagnostic.severity == .note ? "notice" : diagnostic.severity.rawValue
        let place = diagnostic.place
        var properties = "file=" + escaped(options.path(place.file), isProperty: true)
        if place.line > 0 {
            properties += ",line=\(place.line),col=\(place.column)"
            properties += ",endColumn=\(place.column + place.length)"
        }
        let sentences = diagnostic.sentences(in: options.language)
        let message = escaped(
            sentences.joined(separator: "\n"), isProperty: false)
        return "::\(command) \(properties),title=\(diagnostic.id.rawValue)::\(message)\n"
    }.joined()
}

private func escaped(_ text: String, isProperty: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "%": escaped += "%25"
        case "\r": escaped += "%0D"
        case "\n": escaped += "%0A"
        case ":" where isProperty: escaped += "%3A"
        case "," where isProperty: escaped += "%2C"
        default: escaped.unicodeScalars.append(scalar)
        }
    }
    return escaped
}

/// SARIF 2.1.0 with one run; rules are those that were met.
func renderSARIF(_ diagnostics: [Diagnostic], _ options: RenderOptions) -> JSONValue {
    let met = Set(diagnostics.map(\.id))
    let rules = DiagnosticID.allCases.filter(met.contains).map { id -> JSONValue in
        [
            "id": .string(id.rawValue),
            "fullDescription": ["text": .string(id.meaning.text(options.language))],
        ]
    }
    return [
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
        "runs": [
            [
                "tool": ["driver": ["name": "usher", "rules": .array(rules)]],
                "columnKind": "unicodeCodePoints",
                "results": .array(diagnostics.map { sarif($0, options) }),
            ]
        ],
    ]
}

private func sarif(_ diagnostic: Diagnostic, _ options: RenderOptions) -> JSONValue {
    let sentences = diagnostic.sentences(in: options.language)
    return [
        "ruleId": .string(diagnostic.id.rawValue), "level": .string(diagnostic.severity.rawValue),
        "message": ["text": .string(sentences.joined(separator: "; "))],
        "locations": [sarif(diagnostic.place, options)],
        "relatedLocations": .array(diagnostic.related.map { sarif($0.place, options) }),
    ]
}

private func sarif(_ place: TextLocation, _ options: RenderOptions) -> JSONValue {
    var location: JSONValue = ["artifactLocation": ["uri": .string(options.path(place.file))]]
    if place.line > 0 {
        location["region"] = [
            "startLine": .integer(Int64(place.line)), "startColumn": .integer(Int64(place.column)),
            "endColumn": .integer(Int64(place.column + place.length)),
        ]
    }
    return ["physicalLocation": location]
}

extension Diagnostic {
    /// What is wrong, the plainest case that shows it, and what to do.
    fileprivate func sentences(in language: Language) -> [String] {
        let shown = example.isEmpty ? [] : [CheckPhrase.example.text(language, exampleText)]
        return [message(in: language)] + shown + [advice(in: language)]
    }
}

extension JSONValue {
    /// An object of members in the order of a list.
    static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { JSONMember($0.0, $0.1) })
    }
}
