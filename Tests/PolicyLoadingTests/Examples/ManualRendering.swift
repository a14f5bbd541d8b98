internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading

/// The manual of all diagnostics (`docs/DIAGNOSTICS.md`), made from their pages and from what
/// loading their examples really says.
func renderManual() throws -> String {
    var text = """
        # What `usher policy check` can find

        Generated from the program; a test keeps it current. The ids are a contract, the sentences
        are not. An error stops the policy from loading; a warning does not, unless `--strict` is
        given. Each example adds to, or changes a line of, this small policy:

        ```yaml
        \(PolicyExample.base.text.dropLast())
        ```

        """
    for id in DiagnosticID.ofPolicies { text += "\n" + (try renderPage(id)) }
    return text
}

/// The manual page of one diagnostic.
func renderPage(_ id: DiagnosticID) throws -> String {
    let severity = id.severity
    let english = severity.english.prefix(1).uppercased() + severity.english.dropFirst()
    let example = try example(of: id)
    return """
        ## \(id.rawValue)

        \(english). \(id.meaning.english)

        \(severity.template(in: .chinese))。\(id.meaning.template(in: .chinese))

        \(example)

        """
}

private func example(of id: DiagnosticID) throws -> String {
    let example = try PolicyExample(of: id)
    let found = checkPolicy(example.wrong, id.exampleOptions, isCertificate: holdsNone).diagnostics
        .filter { $0.id == id }.prefix(1)
    let said = Language.allCases.map { language in
        let options = RenderOptions(language: language, folder: "policies")
        let text = render(Array(found), sources: example.wrong, as: options)
        return fenced(text.split(separator: "\n").dropLast().joined(separator: "\n"), "text")
    }
    let shown =
        if let about = example.about {
            ["Example: \(about)."]
        } else {
            [
                "Wrong:", fenced(example.lines.wrong, "yaml"), "Right:",
                fenced(example.lines.right, "yaml"),
            ]
        }
    return (shown + (found.isEmpty ? [] : ["It says:"] + said)).joined(separator: "\n\n")
}

/// What no example holds: a certificate that could be read.
private let holdsNone: CertificateCheck = { _ in false }

private func fenced(_ text: String, _ kind: String) -> String {
    let visible = text.unicodeScalars.map { scalar in
        scalar != "\n" && scalar.isHidden ? "<\(scalar.codePoint)>" : String(scalar)
    }
    return "```\(kind)\n\(visible.joined())\n```"
}
