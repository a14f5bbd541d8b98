internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyLoading

/// `usher policy check`.
struct PolicyCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Report every error and warning of a policy folder.",
        discussion: """
            Exit codes: 0 clean, 1 errors (or warnings with --strict), 2 could not run.

            Example: usher policy check policies --format github
            """)

    @Argument(help: "The policy folder.", completion: .directory)
    var folder = "policies"

    @Option(help: "text, json, github or sarif.")
    var format: RenderOptions.Format?

    @Flag(help: "Warnings are errors.")
    var strict = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let checked = CheckedFolder(folder)
        let chosen = format ?? (output.json ? .json : .text)
        let options = RenderOptions(
            format: chosen, language: output.language.ofMessages,
            usesColour: Terminal.current.isColoured, folder: folder)
        let rendered = render(checked.diagnostics, sources: checked.texts, as: options)
        if !checked.diagnostics.isEmpty || chosen != .text {
            let isJSON = chosen == .json || chosen == .sarif
            Terminal.current.printText(isJSON ? rendered.safeJSON : rendered)
        } else if let policy = checked.policy {
            let digest = String(policy.digest.hexadecimal.prefix(12))
            Terminal.current.printLine(Phrase.policyClean.text(output.language, digest))
        }
        if !checked.isReadable { throw ExitCode.unanswered }
        let hasWarnings = !checked.diagnostics.isEmpty
        if checked.policy == nil || (strict && hasWarnings) { throw ExitCode.no }
    }
}

/// A policy folder, read and checked.
struct CheckedFolder {
    let texts: [PolicyText]
    let policy: Policy?
    let diagnostics: [Diagnostic]
    /// False where the folder itself could not be read.
    let isReadable: Bool

    init(_ folder: String) {
        do {
            texts = try readPolicyFolder(folder)
        } catch {
            texts = []
            policy = nil
            diagnostics = error.diagnostics
            isReadable = false
            return
        }
        let report = loadNewPolicy(texts)
        policy = report.policy
        diagnostics = report.diagnostics
        isReadable = true
    }

    /// The policy, for a command that cannot do without it.
    ///
    /// - Parameter path: the folder, as it was named.
    func required(_ path: String) throws(CommandFailure) -> Policy {
        guard isReadable else { throw .unreadablePolicyFolder(path) }
        guard let policy else { throw .engine(.policyRefused(diagnostics)) }
        return policy
    }
}

extension RenderOptions.Format: ExpressibleByArgument {}

extension Language {
    var ofMessages: MessageLanguage { self == .chinese ? .chinese : .english }
}
