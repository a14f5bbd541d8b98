package import EntitlementModel

/// What loading a policy folder came to.
package struct PolicyReport: Sendable {
    /// Nil if and only if there is an error among the diagnostics.
    package var policy: Policy?
    /// Causes first, then by file, line and column.
    package var diagnostics: [Diagnostic]
    /// What the folder's own `accept.yaml` says; nil where there is none, and where there are
    /// errors.
    package var acceptance: FolderAcceptance?
    /// How many warnings the folder expects, which are not shown.
    package var waived = 0
    /// What it was loaded from; nil where there are errors, and once the report is complete.
    package var source: PolicySource?

    package init(
        policy: Policy?, diagnostics: [Diagnostic], acceptance: FolderAcceptance? = nil
    ) {
        self.policy = policy
        self.diagnostics = diagnostics
        self.acceptance = acceptance
    }
}

/// Whether DER bytes are a certificate that evidence can be held against. Here only the outermost
/// shape of a certificate is known; the rest knows whoever verifies evidence.
package typealias CertificateCheck = @Sendable ([UInt8]) -> Bool

/// Makes a policy of the files of a folder, or says everything that is wrong with them.
///
/// The order of the files does not matter. Nothing is guessed: a policy with one error is no
/// policy (spec 2.2).
/// - Parameter isCertificate: asked about each certificate that the policy names.
package func loadPolicy(
    _ texts: [PolicyText], isCertificate: @escaping CertificateCheck = { _ in true }
) -> PolicyReport {
    load(texts, isCertificate: isCertificate)
}

/// Makes a policy of texts that have been in force; nil where they cannot be read.
///
/// What was sold under them must stay readable: errors that came later are none of theirs, and
/// they mean what they meant (spec 2.6).
package func loadOldPolicy(_ texts: [PolicyText]) -> Policy? {
    load(texts, isCertificate: { _ in true }, isOld: true).policy
}

/// - Parameter isOld: whether only the policy is asked for, and errors that came later are forgiven.
private func load(
    _ texts: [PolicyText], isCertificate: @escaping CertificateCheck, isOld: Bool = false
) -> PolicyReport {
    let texts = texts.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    var problems = ProblemList()
    let (files, acceptance) = readFiles(texts.filter(\.isYAML), into: &problems)
    guard let files else { return PolicyReport(nil, problems, texts) }
    let draft = PolicyDraft(merging: files, problems: &problems)
    let builder = PolicyBuilder(draft: draft, texts: texts, isCertificate: isCertificate)
    let policy = buildPolicy(builder, into: &problems, linting: !isOld)
    if isOld { problems = problems.without(\.isUnknownToOldTexts) }
    let waivers = draft.waivers
    let (shown, waived) = problems.waiving(waivers, reportsUnneeded: false)
    var report = PolicyReport(policy, shown, texts)
    report.waived = waived
    if report.policy != nil {
        report.acceptance = acceptance
        report.source = PolicySource(
            draft: draft, texts: texts, problems: problems, waivers: waivers)
    }
    return report
}

/// One file, checked against the grammar; nil contents where it could not be read.
struct CheckedFile: Sendable {
    var path: String
    var section: CheckedSection?
}

/// No files where nothing more can be said: there are none, or they are of a format that this
/// program does not know.
private func readFiles(
    _ texts: [PolicyText], into problems: inout ProblemList
) -> ([CheckedFile]?, FolderAcceptance?) {
    guard !texts.isEmpty else {
        problems.add(.emptyFolder, at: nil)
        return (nil, nil)
    }
    var files: [CheckedFile] = []
    var acceptance: FolderAcceptance?
    for text in texts {
        guard let root = readRoot(text, into: &problems) else {
            files.append(CheckedFile(path: text.path, section: nil))
            continue
        }
        var reader = GrammarReader()
        if FolderAcceptance.isWritten(in: root, of: text.path) {
            acceptance = reader.readAcceptance(root)
        } else {
            files.append(CheckedFile(path: text.path, section: reader.readFile(root)))
        }
        problems.add(contentsOf: reader.problems)
    }
    return (checkVersion(files, into: &problems) ? files : nil, acceptance)
}

private func readRoot(_ text: PolicyText, into problems: inout ProblemList) -> YAMLNode? {
    var own = ProblemList()
    let root = readYAML(text, into: &own)
    if root == nil, own.problems.isEmpty {
        own.add(.emptyFile, at: SourceSpan(file: text.path, at: .start))
    }
    problems.add(contentsOf: own)
    return root
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

extension PolicyReport {
    fileprivate init(_ policy: Policy?, _ problems: ProblemList, _ texts: [PolicyText]) {
        self.init(
            policy: problems.hasErrors ? nil : policy,
            diagnostics: PolicyLoading.diagnostics(of: problems.problems, in: texts))
    }
}
