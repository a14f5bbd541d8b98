internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading

/// The manual of all diagnostics (`docs/DIAGNOSTICS.md`), made from their pages and from what
/// loading their examples really says.
func renderManual() -> String {
    var text = """
        # What `usher policy check` can find

        Generated from the program; a test keeps it current. The ids are a contract, the sentences
        are not. An error stops the policy from loading; a warning does not, unless `--strict` is
        given. Each example adds to, or changes a line of, this small policy:

        ```yaml
        \(PolicyExample.base.text.dropLast())
        ```

        """
    for id in DiagnosticID.ofPolicies { text += "\n" + renderPage(id) }
    return text
}

/// The manual page of one diagnostic.
func renderPage(_ id: DiagnosticID) -> String {
    let severity = id.severity
    let english = severity.english.prefix(1).uppercased() + severity.english.dropFirst()
    return """
        ## \(id.rawValue)

        \(english). \(id.meaning.english)

        \(severity.chinese)。\(id.meaning.chinese)

        \(example(of: id))

        """
}

private func example(of id: DiagnosticID) -> String {
    switch id.example {
    case .added(let wrong, let right), .changed(_, let wrong, let right):
        [
            "Wrong:", fenced(wrong.isEmpty ? "# the line is missing" : wrong, "yaml"), "Right:",
            fenced(right, "yaml"), "It says:", said(id),
        ].joined(separator: "\n\n")
    case .folder(_, _, let about):
        ["Example: \(about).", "It says:", said(id)].joined(separator: "\n\n")
    case .fileSystem(let about): "Example: \(about)."
    }
}

private func said(_ id: DiagnosticID) -> String {
    let folder = id.example.wrongFolder
    let found = checkPolicy(folder, id.exampleOptions, isCertificate: holdsNone).diagnostics
        .filter { $0.id == id }.prefix(1)
    return Language.allCases.map { language in
        let options = RenderOptions(language: language, folder: "policies")
        let text = render(Array(found), sources: folder, as: options)
        return fenced(
            text.split(separator: "\n").dropLast().joined(separator: "\n"), "text")
    }.joined(separator: "\n\n")
}

extension DiagnosticID {
    /// All but those of stories, which docs/STORIES.md lists.
    static let ofPolicies = allCases.filter { !ofStories.contains($0) }
}

/// What no example holds: a certificate that could be read.
private let holdsNone: CertificateCheck = { _ in false }

private func fenced(_ text: String, _ kind: String) -> String {
    let visible = text.unicodeScalars.map { scalar in
        scalar != "\n" && scalar.isHidden ? "<\(scalar.codePoint)>" : String(scalar)
    }
    return "```\(kind)\n\(visible.joined())\n```"
}
