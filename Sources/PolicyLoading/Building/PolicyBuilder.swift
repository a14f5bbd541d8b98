internal import EntitlementModel

/// Builds the policy's values from the checked sections, and checks what a single section cannot
/// show: names that refer to others, and keys that must go together.
///
/// The result means something only if no error was found.
///
/// - Parameter lints: whether to say, too, what is allowed and most likely not meant.
func buildPolicy(
    _ builder: PolicyBuilder, into problems: inout ProblemList, linting lints: Bool
) -> Policy {
    var builder = builder
    let policy = builder.build()
    if !problems.hasErrors, !builder.problems.hasErrors {
        builder.checkUse(policy)
        builder.checkReach(policy)
        if lints { builder.lint(policy) }
    }
    problems.add(contentsOf: builder.problems)
    builder.nameByTitle(in: &problems)
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
        buildSettings(&policy)
        buildCatalogue(&policy)
        buildAppPurchase(&policy)
        policy.accessRules = buildAccessRules(policy)
        policy.claimRules = buildClaimRules(policy)
        policy.openRights = buildOpenRights()
        policy.refundRules = buildRefundRules(policy)
        return policy
    }

    /// Where a title stands in the place of a name, the name is what to write.
    func nameByTitle(in problems: inout ProblemList) {
        for problem in problems.problems
        where [.badName, .notASCIIName].contains(problem.id) {
            guard case .written(let text)? = problem.facts.first else { continue }
            let named = ["entitlements", "credits", "groups"].flatMap { table in
                (draft.tables[table] ?? []).filter { row in
                    ["title", "title_zh"].contains { key in
                        row.value.section?.value(key)?.text?.lowercased() == text.lowercased()
                    }
                }
            }
            if named.count == 1 { problems.replaceHelp(of: problem, with: .write(named[0].name)) }
        }
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

/// The app, the environments, and the settings.
extension PolicyBuilder {
    /// The section `app`, which every policy needs.
    mutating func buildApp() -> AppSettings {
        guard let app = draft.section("app") else {
            addMissingSection("app")
            return AppSettings(bundleID: BundleID(unchecked: ""))
        }
        if !app.has("apple_id"), isTrusted(.production), let span = draft.field("app")?.keySpan {
            problems.add(.appleIDRequired, at: span)
        }
        var settings = AppSettings(
            bundleID: BundleID(unchecked: app.value("bundle_id")?.text ?? ""))
        settings.appleID = app.value("apple_id")?.number
        settings.isNewsstand = app.value("newsstand")?.boolean ?? false
        return settings
    }

    /// The section `environments`; one that is not written is refused.
    mutating func buildEnvironments() -> [StoreEnvironment: EnvironmentTrust] {
        guard let section = draft.section("environments"),
            let span = draft.field("environments")?.keySpan
        else {
            addMissingSection("environments")
            return [:]
        }
        var trust: [StoreEnvironment: EnvironmentTrust] = [:]
        for environment in StoreEnvironment.allCases {
            trust[environment] =
                section.value(environment.rawValue)?.word(EnvironmentTrust.self) ?? .refused
        }
        let isAnyBroken = section.fields.values.contains { $0.value.isBroken }
        if !isAnyBroken, !trust.values.contains(.trusted) {
            problems.add(.nothingTrusted, at: span)
        }
        return trust
    }

    /// The settings that are written; the others are what goes without saying.
    mutating func buildSettings(_ policy: inout Policy) {
        for setting in PolicySetting.allCases {
            let value =
                if let section = setting.section {
                    draft.section(section)?.value(setting.policyKey)
                } else {
                    draft.field(setting.policyKey)?.value
                }
            policy[setting] = value?.setting
        }
        if let promise = policy.orders.promise?.fixedMilliseconds,
            let longest = Self.longestPromise.fixedMilliseconds, promise > longest,
            let value = draft.section("orders")?.value("promise")
        {
            problems.add(
                .promiseTooLong, at: value.span, .written(value.length?.text ?? ""),
                .written(Self.longestPromise.text))
        }
    }

    /// After 30 days Apple does not complete a purchase that somebody has to approve.
    private static let longestPromise = Period(30, .days)

    /// Whether the policy says that the environment is trusted.
    func isTrusted(_ environment: StoreEnvironment) -> Bool {
        draft.section("environments")?.value(environment.rawValue)?.text
            == EnvironmentTrust.trusted.rawValue
    }

    /// Reports a section that stands nowhere.
    mutating func addMissingSection(_ key: String) {
        guard !draft.mayHave(key) else { return }
        problems.add(.missingSection, at: nil, .written(key))
    }
}
