internal import EntitlementDerivation
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

/// What can be proved about a policy's rules (spec 2.2): every finding holds for all cases that the
/// policy can be asked about, and comes with the plainest one that shows it.
///
/// - Parameters:
///   - now: what windows are held against; nil to say nothing of what is past.
///   - explainsDefaults: whether to tell where only a built-in rule decides.
package func prove(
    _ policy: Policy, at now: Instant? = nil, explainsDefaults: Bool = false
) -> [PolicyFinding] {
    let catalogue = CellCatalogue(policy)
    let tables = [
        CellTable.access(policy, catalogue), CellTable.app(policy, catalogue),
        CellTable.claims(policy, catalogue), CellTable.refunds(policy, catalogue),
    ]
    var findings: [PolicyFinding] = []
    for table in tables {
        let found = RuleProofs(policy, catalogue.asked(by: table.list), table).findings
        findings += found
        findings += LateExceptions(table).findings(besides: Set(found.compactMap(\.place)))
    }
    let access = AccessProofs(policy, tables[0])
    let withheld = access.withholdsEverything
    findings += withheld + access.grantsAfterEnd
    if withheld.isEmpty {
        findings += SoldForNothing(policy, tables[0], at: now)
            .findings(catalogue.asked(by: .access))
    }
    findings += transfersWithoutLimits(policy) + RuleHints(policy).findings
    if let now { findings += pastWindows(policy, at: now) + farDates(policy, from: now) }
    if explainsDefaults {
        findings += tables.filter { $0.list != .appPurchase }.flatMap(\.uncovered)
    }
    return findings
}

/// Rules by which a purchase moves as often as anybody likes.
private func transfersWithoutLimits(_ policy: Policy) -> [PolicyFinding] {
    policy.claimRules.enumerated().compactMap { index, rule in
        guard rule.verb == .transfer, rule.limits.cooldown == nil, rule.limits.moves == nil else {
            return nil
        }
        return PolicyFinding(
            .transferWithoutLimits, .rule(.accountSwitch, index), at: ["then"],
            facts: [.written(rule.reference.name)])
    }
}

/// Rules that were in force until some instant, and are not now.
private func pastWindows(_ policy: Policy, at now: Instant) -> [PolicyFinding] {
    func finding(
        _ list: RuleList, _ index: Int, _ rule: RuleReference, at keys: [String], _ end: Instant?
    ) -> PolicyFinding? {
        guard let end, end <= now else { return nil }
        return PolicyFinding(
            .windowPast, .rule(list, index), at: keys,
            facts: [.written(rule.name), .plain(DateBound.before(end).instantText)])
    }
    let open = policy.openRights.enumerated().compactMap { index, right in
        finding(.open, index, right.reference, at: ["at"], right.windows.compactMap(\.end).max())
    }
    let rules = RuleList.allCases.flatMap { list in
        list.rules(of: policy).enumerated().compactMap { index, rule in
            finding(list, index, rule.reference, at: ["when", "at"], rule.when.at?.end)
        }
    }
    return open + rules
}

/// What begins to matter only after years: most likely a digit of the year is wrong.
private func farDates(_ policy: Policy, from now: Instant) -> [PolicyFinding] {
    let limit = Period(3, .years).end(from: now)
    func finding(
        _ subject: PolicyFinding.Subject, _ keys: [String], _ name: String, _ start: Instant?
    ) -> PolicyFinding? {
        guard let start, start > limit else { return nil }
        return PolicyFinding(
            .dateFarOff, subject, at: keys,
            facts: [.written(name), .plain(DateBound.before(start).instantText)])
    }
    let open = policy.openRights.enumerated().compactMap { index, right in
        finding(
            .rule(.open, index), ["at"], right.reference.name, right.windows.map(\.start).min())
    }
    let products = policy.products.values.sorted { $0.id < $1.id }.compactMap { product in
        finding(.product(product.id), ["retired"], product.id.text, product.retiredAt)
    }
    let rules = RuleList.allCases.flatMap { list in
        list.rules(of: policy).enumerated().flatMap { index, rule in
            rule.when.written.compactMap { field, values -> PolicyFinding? in
                guard case .dates(let bounds) = values else { return nil }
                return finding(
                    .rule(list, index), ["when", field.rawValue], rule.reference.name,
                    bounds.start)
            }
        }
    }
    return open + products + rules
}

extension [DateBound] {
    /// When the first of them begins to hold; nil for always.
    fileprivate var start: Instant? {
        let starts = map(\.interval.start)
        return starts.contains(.distantPast) ? nil : starts.min()
    }

    /// When the last of them ceases to hold; nil for never.
    var end: Instant? {
        let ends = compactMap(\.interval.end)
        return ends.count < count ? nil : ends.max()
    }
}

extension DateBound {
    /// The instant of `before`, as a policy writes it.
    fileprivate var instantText: String { String(text.dropFirst("before ".count)) }
}

/// Where nothing but a built-in rule decides.
extension CellTable {
    /// For each kind and, where states are looked at, each state: the plainest such case.
    var uncovered: [PolicyFinding] {
        var seen: Set<[String]> = []
        var findings: [PolicyFinding] = []
        for subject in subjects where Self.explained.contains(subject.question) {
            let own = regions(of: subject).filter { rules[$0.rule].index != nil }
            for states in statesLookedAt {
                let name = states?.rawValue ?? ""
                let key = [subject.kind?.rawValue ?? "", name]
                guard !seen.contains(key) else { continue }
                let standing = space.layout.restricting(space.layout.full, .standing) {
                    states == nil || space.standings[$0].state == states
                }
                // Of what the device lists no rule but a share is asked.
                let moments = space.values(.moment)
                let box = space.layout.restricting(standing, .moment) {
                    moments[$0] != .word(ClaimMoment.listed)
                }
                guard let cell = plainest(subject, in: box, beside: own) else { continue }
                seen.insert(key)
                findings.append(finding(subject, cell, states))
            }
        }
        return findings
    }

    private static let explained: Set<CellSubject.Question> = [.right, .owned, .refund]

    private var statesLookedAt: [EntitlementState?] {
        list == .access ? EntitlementState.allCases.map { $0 } : [nil]
    }

    private func finding(
        _ subject: CellSubject, _ cell: CellBox, _ state: EntitlementState?
    ) -> PolicyFinding {
        let rule = builtIn(deciding: cell)
        return PolicyFinding(
            .uncovered, .list(list),
            facts: [.written(list.rawValue), .rule(rule.reference)],
            example: example(subject, cell, rules: Array(rules.indices), builtIn: rule.when))
    }

    private func builtIn(deciding cell: CellBox) -> CellRule {
        let all: [CellRule] =
            switch list {
            case .access: builtInAccessRules.map { CellRule($0, at: nil) }
            case .accountSwitch: builtInClaimRules.dropFirst().map { CellRule($0, at: nil) }
            case .open, .appPurchase: preconditionFailure("what they leave is not told")
            case .refundAnswers: [CellRule(builtInRefundRule, at: nil)]
            }
        let deciding = all.first { rule in
            rule.when.kinds == nil && space.layout.covers(space.box(rule.when), cell)
        }
        guard let deciding else { preconditionFailure("the last built-in rule matches all") }
        return deciding
    }
}
