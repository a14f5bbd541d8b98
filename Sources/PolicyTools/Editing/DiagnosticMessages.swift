internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import StrictJSON

/// What is known of a policy's texts.
struct CheckedPolicy: Sendable {
    let files: [String: PolicyFile]
    let report: PolicyReport

    /// By name: the one in which is shown what is said of the folder as a whole.
    var firstName: String { files.keys.min() ?? PolicyFile.aloneName }
}

/// What the client was told last of a file.
struct PublishedDiagnostics: Equatable, Sendable {
    /// Of the text that they are about; nil for a file that is not open.
    var version: Int64?
    var diagnostics: JSONValue
}

/// Diagnostics as one types.
extension LanguageServer {
    /// Checks what has changed, and publishes what is new to the client.
    package mutating func settle() {
        guard phase == .running else { return }
        let homes = workspace.homes
        for home in unchecked.sorted(by: { "\($0)" < "\($1)" }) where homes.contains(home) {
            publish(home)
        }
        for home in Set(published.keys).subtracting(homes).sorted(by: { "\($0)" < "\($1)" }) {
            for uri in (published[home] ?? [:]).keys.sorted() { publish(nil, for: uri, of: home) }
            published[home] = nil
            checks[home] = nil
        }
        unchecked = []
    }

    /// The policy as it is now.
    mutating func checked(_ home: PolicyHome) -> CheckedPolicy {
        if let known = checks[home] { return known }
        let (texts, ignored, failures) = workspace.texts(of: home)
        let report: PolicyReport
        if failures.isEmpty {
            var circumstances = PolicyCheckOptions()
            circumstances.ignored = ignored
            circumstances.now = options.now()
            report = options.check(texts, circumstances)
        } else {
            report = PolicyReport(policy: nil, diagnostics: failures)
        }
        let files = workspace.files(of: home).map { ($0.name, $0) }
        let checked = CheckedPolicy(
            files: Dictionary(files, uniquingKeysWith: { first, _ in first }), report: report)
        checks[home] = checked
        return checked
    }

    private mutating func publish(_ home: PolicyHome) {
        let checked = checked(home)
        let byFile = Dictionary(grouping: checked.report.diagnostics) { diagnostic in
            diagnostic.place.file.isEmpty ? checked.firstName : diagnostic.place.file
        }
        var current: Set<String> = []
        for name in Set(checked.files.keys).union(byFile.keys).sorted() {
            let file = checked.files[name]
            let uri = file?.uri ?? home.uri(of: name)
            current.insert(uri)
            let diagnostics = (byFile[name] ?? []).map { json($0, in: file, of: checked) }
            let news = PublishedDiagnostics(
                version: file?.version, diagnostics: .array(diagnostics))
            publish(news, for: uri, of: home)
        }
        for uri in Set((published[home] ?? [:]).keys).subtracting(current).sorted() {
            publish(nil, for: uri, of: home)
        }
    }

    private mutating func publish(
        _ news: PublishedDiagnostics?, for uri: String, of home: PolicyHome
    ) {
        let old = published[home]?[uri]
        // Of a file without anything wrong that was never spoken of, nothing need be said.
        let isSilent = old == nil && news?.version == nil && news?.diagnostics == .array([])
        if old == news || isSilent { return }
        published[home, default: [:]][uri] = news
        var params: JSONValue = ["uri": .string(uri)]
        if client.showsVersions, let version = news?.version {
            params["version"] = .integer(version)
        }
        params["diagnostics"] = news?.diagnostics ?? .array([])
        outgoing.append(
            OutgoingMessage.notification("textDocument/publishDiagnostics", params))
    }

    // MARK: One diagnostic

    func json(
        _ diagnostic: Diagnostic, in file: PolicyFile?, of checked: CheckedPolicy
    ) -> JSONValue {
        let severity: JSONValue =
            switch diagnostic.severity {
            case .error: 1
            case .warning: 2
            case .note: 3
            }
        var value: JSONValue = [
            "range": range(of: diagnostic.place, in: file).json, "severity": severity,
            "code": .string(diagnostic.id.rawValue), "source": "usher",
            "message": .string(sentences(of: diagnostic)),
        ]
        if client.showsManual, let manual = options.manual {
            value["codeDescription"] = ["href": .string("\(manual)#\(diagnostic.id.rawValue)")]
        }
        let related = client.showsRelated ? related(to: diagnostic, of: checked) : []
        if !related.isEmpty { value["relatedInformation"] = .array(related) }
        return value
    }

    func range(of place: TextLocation, in file: PolicyFile?) -> TextRange {
        let document = file?.document ?? TextDocument("")
        return document.range(document.offsets(of: place), encoding)
    }

    /// What is wrong, the plainest case, what to do, and how often it is so elsewhere.
    private func sentences(of diagnostic: Diagnostic) -> String {
        var lines = [diagnostic.message(in: language)]
        if !diagnostic.example.isEmpty {
            lines.append(EditingPhrase.example.text(language, diagnostic.exampleText))
        }
        lines.append(EditingPhrase.help.text(language, diagnostic.advice(in: language)))
        if diagnostic.repetitions > 0 {
            lines.append(EditingPhrase.moreLikeIt.text(language, "\(diagnostic.repetitions)"))
        }
        return lines.joined(separator: "\n")
    }

    private func related(
        to diagnostic: Diagnostic, of checked: CheckedPolicy
    ) -> [JSONValue] {
        var all: [JSONValue] = []
        for related in diagnostic.related {
            guard let file = checked.files[related.place.file] else { continue }
            let range = range(of: related.place, in: file)
            all.append([
                "location": ["uri": .string(file.uri), "range": range.json],
                "message": .string(related.note.text(language)),
            ])
        }
        return all
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
            // What `policy check --fix` does about it, or shows to choose from.
            let found = repairs(for: diagnostic, in: texts)
            for repair in found.prefix(10) {
                let changes = repair.edits.map { change -> JSONValue in
                    [
                        "range": file.document.range(change.bytes, encoding).json,
                        "newText": .string(change.replacement),
                    ]
                }
                let title = EditingPhrase.write.text(language, repair.line.shown(atMost: 80))
                actions.append([
                    "title": .string(title), "kind": "quickfix",
                    "diagnostics": .array([shown]), "isPreferred": .bool(found.count == 1),
                    "edit": ["changes": .object([JSONMember(file.uri, .array(changes))])],
                ])
            }
        }
        return .array(actions)
    }
}
