package import EntitlementModel
package import PolicyLoading

/// What a check is to look at beside the texts.
package struct PolicyCheckOptions: Sendable {
    /// Paths in the folder that were not read.
    package var ignored: [String] = []
    /// What windows are held against; nil to say nothing of what is past.
    package var now: Instant?
    /// Whether to tell where only a built-in rule decides.
    package var explainsDefaults = false
    /// Products of which there is evidence; nil where that is not known.
    package var seen: [ProductID]?

    package init() {}
}

/// Makes a policy of texts that are to come into force, or says everything that is wrong with
/// them: what `loadPolicy` finds, what can be proved, and which warnings the folder expects.
///
/// Texts that have been in force are loaded without this (spec 2.6, "Old texts").
/// - Parameter isCertificate: asked about each certificate that the policy names.
package func checkPolicy(
    _ texts: [PolicyText], _ options: PolicyCheckOptions = PolicyCheckOptions(),
    isCertificate: @escaping CertificateCheck = { _ in true }
) -> PolicyReport {
    let report = loadPolicy(texts, isCertificate: isCertificate)
    guard let policy = report.policy else { return report }
    var findings = prove(
        policy, at: options.now, explainsDefaults: options.explainsDefaults)
    for product in (options.seen ?? []).sorted() where policy.products[product] == nil {
        findings.append(
            PolicyFinding(.unmappedProduct, .catalogue, facts: [.written(product.text)]))
    }
    for path in options.ignored where looksLikePolicy(path) {
        findings.append(PolicyFinding(.fileNotRead, .file(path), facts: [.written(path)]))
    }
    return report.completed(with: findings)
}

/// Whether somebody may well think that it is a part of the policy. Hidden files are those of other
/// tools, too.
private func looksLikePolicy(_ path: String) -> Bool {
    let name = path.lowercased()
    guard name.split(separator: "/").last?.first != "." else { return false }
    return [".yaml", ".yml", ".json", ".toml"].contains { name.contains($0) }
        && !name.hasSuffix("schema.json")
}
