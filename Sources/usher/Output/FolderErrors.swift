internal import EntitlementModel
internal import PolicyLoading
internal import StrictJSON

/// Why a policy folder is refused, for a command that cannot do without its policy: what
/// `usher policy check` says of it.
struct FolderErrors {
    /// The folder, as it was named.
    let path: String
    let diagnostics: [Diagnostic]
    let texts: [PolicyText]

    /// All messages, and that nothing was done.
    func sentence(_ language: Language) -> String {
        render(diagnostics, sources: texts, as: options(language))
            + Phrase.policyHasErrors.text(language) + " [\(CommandFailure.refusedPolicy)]"
    }

    /// Problem details with the diagnostics as `usher policy check --json` gives them.
    func problem(_ language: Language) -> JSONValue {
        var problem = JSONValue.problem(
            code: CommandFailure.refusedPolicy, detail: Phrase.policyHasErrors.text(language))
        for member in renderJSON(diagnostics, options(language)).members ?? [] {
            problem[member.key] = member.value
        }
        return problem
    }

    private func options(_ language: Language) -> RenderOptions {
        RenderOptions(language: language, folder: path)
    }
}
