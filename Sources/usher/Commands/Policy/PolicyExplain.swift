internal import ArgumentParser
internal import EntitlementDerivation
internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading

/// `usher policy explain`: what an id or a name stands for.
struct PolicyExplain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain the id of a diagnostic or finding, a key, or what a policy has named.",
        discussion: """
            Of a diagnostic, a finding or a key of a policy file: what it means. Of a rule: what \
            it can decide, and the rules that are tried before it. Of a product: what it gives in \
            each state, and by which rules. Of an entitlement or credit: who gives it. Of a group or a \
            level: its products, and the rules that name it. Exit codes: 0 explained, 1 the policy \
            has errors, 2 unknown.

            Example: usher policy explain premium policies
            """)

    @Argument(help: "The id of a diagnostic or finding, a key, or a name.")
    var name: String

    @Argument(
        help: .value("folder", "The policy folder; 'policies' if omitted."),
        completion: .directory)
    var place: String?

    @Option(help: "The policy folder, instead of naming it last.", completion: .directory)
    var folder: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard place == nil || folder == nil else {
            throw ValidationError(.folderOnce)
        }
    }

    func run() throws {
        let folder = place ?? self.folder ?? "policies"
        if let id = DiagnosticID(rawValue: name) {
            return try print([explain(id, in: output.language)])
        }
        let known = explain(word: name, in: output.language)
        let checked = CheckedFolder(folder)
        guard let policy = checked.policy else {
            return known.isEmpty ? try refuse(checked, in: folder) : try print(known)
        }
        let found =
            known
            + explain(
                name, in: policy, cells: decidedCells, language: output.language)
        guard !found.isEmpty else { return try tellUnknown(policy) }
        try print(found)
    }

    private func print(_ explanations: [PolicyExplanation]) throws {
        try output.attempt { () throws(CommandFailure) in
            if output.json {
                try Terminal.current.printWhole(json: PolicyExplanation.json(explanations))
            } else {
                let texts = explanations.map { $0.text(in: output.language) }
                try Terminal.current.printWhole(texts.joined(separator: "\n"))
            }
        }
    }

    private func tellUnknown(_ policy: Policy?) throws {
        let names = explainableNames(of: policy)
        let phrase: ExplainUnknownPhrase
        let near = suggestion(for: name, among: names)
        phrase = near == nil ? .unknown : .unknownNear
        let sentence = phrase.text(output.language, name.shown, near?.shown ?? "")
        try output.attempt { () throws(CommandFailure) in throw .said(sentence) }
    }

    /// Why nothing of the folder can be explained. A misspelt id needs no policy.
    private func refuse(_ checked: CheckedFolder, in folder: String) throws {
        if suggestion(for: name, among: explainableNames(of: nil)) != nil {
            return try tellUnknown(nil)
        }
        let options = RenderOptions(
            format: output.json ? .json : .text, language: output.language, folder: folder)
        let rendered = render(checked.diagnostics, sources: checked.texts, as: options)
        if output.json {
            Terminal.current.printText(rendered.safeJSON)
        } else {
            Terminal.current.printErrorText(rendered)
        }
        throw checked.isReadable ? ExitCode.no : ExitCode.unanswered
    }
}

/// What `usher policy explain` says of a name that nothing has.
enum ExplainUnknownPhrase: String, CaseIterable, UsherText, Wording {
    case unknown =
        "'{0}' is not a diagnostic, finding or key, and the policy has nothing of that name"
    case unknownNear = """
        '{0}' is not a diagnostic, finding or key, and the policy has nothing of that name; did \
        you mean '{1}'?
        """
}
