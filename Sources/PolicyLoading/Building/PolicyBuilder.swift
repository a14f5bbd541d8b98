internal import EntitlementModel

/// Builds the policy's values from the checked sections, and checks what a single section cannot
/// show: names that refer to others, and keys that must go together.
///
/// The result means something only if no error was found.
func buildPolicy(_ builder: PolicyBuilder, into problems: inout ProblemList) -> Policy {
    var builder = builder
    let policy = builder.build()
    if !problems.hasErrors, !builder.problems.hasErrors {
        builder.checkUse(policy)
        builder.checkReach(policy)
    }
    problems.add(contentsOf: builder.problems)
    return policy
}

/// What is being built from, and what was found on the way.
struct PolicyBuilder {
    let draft: PolicyDraft
    let texts: [PolicyText]
    let isCertificate: CertificateCheck
    let names: NameIndex
    var problems = ProblemList()

    init(draft: PolicyDraft, texts: [PolicyText], isCertificate: @escaping CertificateCheck) {
        self.draft = draft
        self.texts = texts
        self.isCertificate = isCertificate
        names = NameIndex(draft)
    }

    /// In the order in which later sections need earlier ones.
    mutating func build() -> Policy {
        var policy = Policy(digest: policyDigest(texts), app: buildApp())
        policy.environments = buildEnvironments()
        policy.trust = buildTrust(policy.environments)
        buildOptionalSettings(&policy)
        buildCatalogue(&policy)
        policy.accessRules = buildAccessRules(policy)
        policy.claimRules = buildClaimRules(policy)
        return policy
    }

    /// Reports a name that nothing defines.
    mutating func checkReference(
        _ value: CheckedValue, to table: String, _ id: DiagnosticID
    ) -> Bool {
        guard let name = value.text else { return false }
        if names.mayHave(name, in: table) { return true }
        problems.add(
            id, at: value.span, .written(name), help: names.suggestion(for: name, in: table),
            related: names.meant(by: name, in: table))
        return false
    }
}
