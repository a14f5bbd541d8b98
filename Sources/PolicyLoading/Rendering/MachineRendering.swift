internal import EntitlementModel

/// Diagnostics for programs: every field by name, in the order of the text form.
func renderJSON(
    _ diagnostics: [Diagnostic], _ options: RenderOptions, _ summary: FolderSummary? = nil
) -> JSONText {
    var members: [(String, JSONText)] = [
        ("errors", .number(Int64(diagnostics.count(of: .error)))),
        ("warnings", .number(Int64(diagnostics.count(of: .warning)))),
    ]
    if let outcome = options.outcome {
        members.append(("running_policy", .string(outcome.rawValue)))
    }
    members.append(("diagnostics", .array(diagnostics.map { json($0, options) })))
    if let summary { members += summary.members(in: options.language) }
    return .object(members)
}

private func json(_ diagnostic: Diagnostic, _ options: RenderOptions) -> JSONText {
    var members: [(String, JSONText)] = [
        ("severity", .string(diagnostic.severity.rawValue)),
        ("id", .string(diagnostic.id.rawValue)),
    ]
    members += place(diagnostic.place, options)
    members.append(("message", .string(diagnostic.message(in: options.language))))
    members.append(("help", .string(diagnostic.advice(in: options.language))))
    if !diagnostic.related.isEmpty {
        let related = diagnostic.related.map { related in
            JSONText.object(
                [("note", .string(related.note.text(options.language)))]
                    + place(related.place, options))
        }
        members.append(("related", .array(related)))
    }
    if diagnostic.repetitions > 0 {
        members.append(("more", .number(Int64(diagnostic.repetitions))))
    }
    return .object(members)
}

private func place(_ place: TextLocation, _ options: RenderOptions) -> [(String, JSONText)] {
    let file: (String, JSONText) = ("file", .string(options.path(place.file)))
    guard place.line > 0 else { return [file] }
    return [
        file, ("line", .number(Int64(place.line))), ("column", .number(Int64(place.column))),
        ("end_column", .number(Int64(place.column + place.length))),
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
        let sentences = [
            diagnostic.message(in: options.language), diagnostic.advice(in: options.language),
        ]
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
func renderSARIF(_ diagnostics: [Diagnostic], _ options: RenderOptions) -> JSONText {
    let met = Set(diagnostics.map(\.id))
    let rules = DiagnosticID.allCases.filter(met.contains).map { id in
        JSONText.object([
            ("id", .string(id.rawValue)),
            ("fullDescription", .object([("text", .string(id.meaning.text(options.language)))])),
        ])
    }
    let driver = JSONText.object([("name", .string("usher")), ("rules", .array(rules))])
    let run = JSONText.object([
        ("tool", .object([("driver", driver)])), ("columnKind", .string("unicodeCodePoints")),
        ("results", .array(diagnostics.map { sarif($0, options) })),
    ])
    return .object([
        ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
        ("version", .string("2.1.0")), ("runs", .array([run])),
    ])
}

private func sarif(_ diagnostic: Diagnostic, _ options: RenderOptions) -> JSONText {
    let sentences = [
        diagnostic.message(in: options.language), diagnostic.advice(in: options.language),
    ]
    return .object([
        ("ruleId", .string(diagnostic.id.rawValue)),
        ("level", .string(diagnostic.severity.rawValue)),
        (
            "message",
            .object([("text", .string(sentences.joined(separator: "; ")))])
        ),
        ("locations", .array([sarif(diagnostic.place, options)])),
        ("relatedLocations", .array(diagnostic.related.map { sarif($0.place, options) })),
    ])
}

private func sarif(_ place: TextLocation, _ options: RenderOptions) -> JSONText {
    var location: [(String, JSONText)] = [
        ("artifactLocation", .object([("uri", .string(options.path(place.file)))]))
    ]
    if place.line > 0 {
        location.append(
            (
                "region",
                .object([
                    ("startLine", .number(Int64(place.line))),
                    ("startColumn", .number(Int64(place.column))),
                    ("endColumn", .number(Int64(place.column + place.length))),
                ])
            ))
    }
    return .object([("physicalLocation", .object(location))])
}

/// JSON that is written, never read. Members keep the order in which they are given.
indirect enum JSONText: Sendable {
    case object([(String, JSONText)])
    case array([JSONText])
    case string(String)
    case number(Int64)
    case boolean(Bool)

    /// With two spaces of indentation; small arrays of texts and numbers on one line.
    func rendered() -> String {
        var text = ""
        write(to: &text, indent: "")
        return text
    }

    private func write(to text: inout String, indent: String) {
        switch self {
        case .string(let string): JSONText.write(string, to: &text)
        case .number(let number): text += String(number)
        case .boolean(let boolean): text += boolean ? "true" : "false"
        case .array(let elements): write(elements, to: &text, indent: indent)
        case .object(let members):
            guard !members.isEmpty else {
                text += "{}"
                return
            }
            for (index, member) in members.enumerated() {
                text += (index == 0 ? "{\n" : ",\n") + indent + "  "
                JSONText.write(member.0, to: &text)
                text += ": "
                member.1.write(to: &text, indent: indent + "  ")
            }
            text += "\n" + indent + "}"
        }
    }

    private func write(_ elements: [JSONText], to text: inout String, indent: String) {
        let isSmall = elements.allSatisfy(\.isPlain)
        text += "["
        for (index, element) in elements.enumerated() {
            if index > 0 { text += isSmall ? ", " : "," }
            if !isSmall { text += "\n" + indent + "  " }
            element.write(to: &text, indent: indent + "  ")
        }
        if !isSmall { text += "\n" + indent }
        text += "]"
    }

    private var isPlain: Bool {
        switch self {
        case .string, .number, .boolean: true
        case .object, .array: false
        }
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                text += "\\u" + String(scalar.value, radix: 16).leftPadded(to: 4, "0")
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

extension String {
    /// Filled up on the left to a width in characters.
    func leftPadded(to width: Int, _ filler: Character) -> String {
        String(repeating: filler, count: max(0, width - count)) + self
    }
}
