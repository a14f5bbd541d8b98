package import EntitlementModel

/// What loading a policy folder came to.
package struct PolicyReport: Sendable {
    /// Nil if and only if there is an error among the diagnostics.
    package var policy: Policy?
    /// By file, line and column.
    package var diagnostics: [Diagnostic]

    package init(policy: Policy?, diagnostics: [Diagnostic]) {
        self.policy = policy
        self.diagnostics = diagnostics
    }
}

/// Whether DER bytes are a certificate that evidence can be held against. Here only the outermost
/// shape of a certificate is known; the rest knows whoever verifies evidence.
package typealias CertificateCheck = @Sendable ([UInt8]) -> Bool

/// Makes a policy of the files of a folder, or says everything that is wrong with them.
///
/// The order of the files does not matter. Nothing is guessed: a policy with one error is no
/// policy (spec 2.2).
/// - Parameter isCertificate: asked about each certificate that the policy names. Left out for a
///   policy that has been in force: what was sold under it must stay readable.
package func loadPolicy(
    _ texts: [PolicyText], isCertificate: @escaping CertificateCheck = { _ in true }
) -> PolicyReport {
    let texts = texts.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    var problems = ProblemList()
    let files = readFiles(texts.filter(\.isYAML), into: &problems)
    guard let files else { return report(nil, problems, texts) }
    let draft = PolicyDraft(merging: files, problems: &problems)
    let builder = PolicyBuilder(draft: draft, texts: texts, isCertificate: isCertificate)
    let policy = buildPolicy(builder, into: &problems)
    return report(policy, problems, texts)
}

/// One file, checked against the grammar; nil contents where it could not be read.
struct CheckedFile: Sendable {
    var path: String
    var section: CheckedSection?
}

/// Nil where nothing more can be said: no files, or a format that this program does not know.
private func readFiles(
    _ texts: [PolicyText], into problems: inout ProblemList
) -> [CheckedFile]? {
    guard !texts.isEmpty else {
        problems.add(.emptyFolder, at: nil)
        return nil
    }
    let files = texts.map { text in
        CheckedFile(path: text.path, section: readFile(text, into: &problems))
    }
    return checkVersion(files, into: &problems) ? files : nil
}

private func readFile(
    _ text: PolicyText, into problems: inout ProblemList
) -> CheckedSection? {
    var own = ProblemList()
    let root = readYAML(text, into: &own)
    if root == nil, own.problems.isEmpty {
        own.add(.emptyFile, at: SourceSpan(file: text.path, at: .start))
    }
    problems.add(contentsOf: own)
    guard let root else { return nil }
    var reader = GrammarReader()
    let section = reader.readFile(root)
    problems.add(contentsOf: reader.problems)
    return section
}

/// The format's version must be written in one file at least, and be one that we know. A format
/// that we do not know is refused without a word about its contents.
private func checkVersion(_ files: [CheckedFile], into problems: inout ProblemList) -> Bool {
    var isWritten = false
    for file in files {
        guard let version = file.section?.fields["usher"] else { continue }
        isWritten = true
        guard let number = version.value.number, number != PolicyGrammar.version else { continue }
        problems = ProblemList()
        problems.add(
            .unknownVersion, at: version.value.span, .number(number),
            .number(PolicyGrammar.version))
        return false
    }
    if !isWritten, files.allSatisfy({ $0.section != nil }) {
        problems.add(
            .missingVersion, at: files.first.map { SourceSpan(file: $0.path, at: .start) })
    }
    return true
}

private func report(
    _ policy: Policy?, _ problems: ProblemList, _ texts: [PolicyText]
) -> PolicyReport {
    PolicyReport(
        policy: problems.hasErrors ? nil : policy,
        diagnostics: diagnostics(of: problems.problems, in: texts))
}
