internal import EntitlementModel

/// The lists of rules (spec 1.5, 1.6, 1.12).
extension PolicyBuilder {
    /// The rules of `access`, in order.
    mutating func buildAccessRules(_ policy: Policy) -> [AccessRule] {
        checkRuleNames("access")
        return ruleSections("access").compactMap { section in
            let when = buildCondition(section.value("when"), policy)
            let unless = buildException(section, policy)
            let only = section.value("only")
            for value in only?.elements ?? [] {
                _ = checkReference(value, to: "entitlements", .unknownEntitlement)
            }
            if let only = section.fields["only"],
                let other = section.value("when")?.section?.fields["entitlement"]
            {
                problems.add(
                    .onlyTwice, at: only.keySpan,
                    related: [.init(note: .alsoHere, span: other.keySpan)])
            }
            guard let reference = reference(of: section),
                let effect = section.value("then")?.word(AccessRule.Effect.self)
            else { return nil }
            return AccessRule(
                reference: reference, when: when, unless: unless, effect: effect,
                only: only.map { $0.elements.compactMap { $0.text.flatMap { .init($0) } } })
        }
    }

    /// The rules of `app_purchase`, and the product that they make of the app (spec 1.13).
    mutating func buildAppPurchase(_ policy: inout Policy) {
        checkRuleNames("app_purchase")
        policy.appRules = ruleSections("app_purchase").compactMap { section in
            let when = buildCondition(section.value("when"), policy)
            let names = section.value("grants")?.elements ?? []
            for name in names { checkAppGrant(name) }
            return reference(of: section).map { reference in
                AccessRule(
                    ofApp: reference, when: when,
                    grants: names.compactMap { $0.text.flatMap { .init($0) } })
            }
        }
        guard !policy.appRules.isEmpty else { return }
        policy.products[.app] = Product(appGiving: policy.appRules)
        for row in draft.tables["products"] ?? [] where row.name == ProductID.app.text {
            problems.add(
                .duplicateName, at: row.nameSpan, .written(row.name), .written("products"),
                related: (draft.field("app_purchase")?.keySpan).map {
                    [.init(note: .alsoHere, span: $0)]
                } ?? [])
        }
    }

    private mutating func checkAppGrant(_ value: CheckedValue) {
        guard let name = value.text else { return }
        if names.all("credits").contains(name), !names.mayHave(name, in: "entitlements") {
            problems.add(.creditFromApp, at: value.span, .written(name))
        } else {
            _ = checkReference(value, to: "entitlements", .unknownEntitlement)
        }
    }

    /// The rules of `account_switch`, in order.
    mutating func buildClaimRules(_ policy: Policy) -> [ClaimRule] {
        checkRuleNames("account_switch")
        return ruleSections("account_switch").compactMap { section in
            let when = buildCondition(section.value("when"), policy)
            let unless = buildException(section, policy)
            checkClaimable(section.value("when"), policy)
            let word = section.value("then")?.word(ClaimVerbWord.self)
            if let word { checkVerb(word, section) }
            guard let reference = reference(of: section), let word else { return nil }
            return ClaimRule(
                reference: reference, when: when, unless: unless,
                verb: verb(word, maximum: section.value("max")?.number),
                limits: limits(section))
        }
    }

    /// What `open` gives everybody, in order.
    mutating func buildOpenRights() -> [OpenRight] {
        checkRuleNames("open")
        return ruleSections("open").compactMap { section -> OpenRight? in
            let names = section.value("entitlements")?.elements ?? []
            for name in names { _ = checkReference(name, to: "entitlements", .unknownEntitlement) }
            guard let reference = reference(of: section) else { return nil }
            let windows = section.value("at")?.elements.compactMap(\.dateBound) ?? []
            return OpenRight(
                reference: reference,
                entitlements: names.compactMap { $0.text.flatMap { .init($0) } },
                windows: windows.map(\.interval))
        }
    }

    /// The rules of `refund_answers`, in order.
    mutating func buildRefundRules(_ policy: Policy) -> [RefundRule] {
        checkRuleNames("refund_answers")
        return ruleSections("refund_answers").compactMap { section in
            let when = buildCondition(section.value("when"), policy)
            let unless = buildException(section, policy)
            guard let reference = reference(of: section),
                let answer = section.value("then")?.word(RefundRule.Answer.self)
            else { return nil }
            return RefundRule(reference: reference, when: when, unless: unless, answer: answer)
        }
    }

    func ruleSections(_ list: String) -> [CheckedSection] {
        draft.field(list)?.value.elements.compactMap(\.section) ?? []
    }

    private func reference(of section: CheckedSection) -> RuleReference? {
        guard let field = section.fields["name"], let name = field.value.text else { return nil }
        return RuleReference(
            name: name, file: section.span.file, line: section.span.start.line)
    }

    /// A rule's name stands in every answer, so it must tell which rule is meant.
    private mutating func checkRuleNames(_ list: String) {
        var seen: [String: SourceSpan] = [:]
        for section in ruleSections(list) {
            guard let value = section.value("name"), let name = value.text else { continue }
            if let first = seen[name] {
                problems.add(
                    .duplicateRuleName, at: value.span, .written(name), .written(list),
                    related: [.init(note: .firstWritten, span: first)])
            } else {
                seen[name] = value.span
            }
        }
    }

    private mutating func buildException(
        _ section: CheckedSection, _ policy: Policy
    ) -> Condition? {
        guard let field = section.fields["unless"], let exception = field.value.section else {
            return nil
        }
        if exception.fields.isEmpty { problems.add(.emptyUnless, at: field.keySpan) }
        return buildCondition(field.value, policy)
    }

    // MARK: Account switching

    /// What belongs to one account by its kind cannot move to another (spec 1.6).
    private mutating func checkClaimable(_ when: CheckedValue?, _ policy: Policy) {
        for value in when?.section?.value("kind")?.elements ?? []
        where value.word(ProductKind.self)?.isAccountScoped == true {
            problems.add(.notClaimable, at: value.span, .written(value.text ?? ""))
        }
        for value in when?.section?.value("product")?.elements ?? [] {
            guard let name = value.text else { continue }
            let kinds = self.kinds(matching: NamePattern(name))
            guard !kinds.isEmpty, kinds.allSatisfy(\.isAccountScoped) else { continue }
            problems.add(.notClaimable, at: value.span, .written(name))
        }
    }

    /// Of products whose kind is wrong nothing is said here.
    private func kinds(matching pattern: NamePattern) -> Set<ProductKind> {
        let rows = (draft.tables["products"] ?? []).filter { pattern.matches($0.name) }
        let kinds = rows.map { $0.value.section?.value("kind")?.word(ProductKind.self) }
        return kinds.contains(nil) ? [] : Set(kinds.compactMap(\.self))
    }

    private mutating func checkVerb(_ word: ClaimVerbWord, _ section: CheckedSection) {
        if word == .share, !section.has("max"), let then = section.value("then") {
            problems.add(.shareWithoutMax, at: then.span)
        }
        if word != .share, let max = section.fields["max"] {
            problems.add(.maxWithoutShare, at: max.keySpan, .written(word.rawValue))
        }
        let moves: Set<ClaimVerbWord> = [.transfer, .transferIfInactive, .ask]
        if !moves.contains(word), let limits = section.fields["limits"] {
            problems.add(.limitsWithoutMove, at: limits.keySpan, .written(word.rawValue))
        }
        let limits = section.value("limits")?.section
        if let limits, let other = limits.fields["else"], !limits.has("cooldown"),
            !limits.has("moves")
        {
            problems.add(.elseWithoutLimit, at: other.keySpan)
        }
        if word == .inherit, let token = section.value("when")?.section?.value("token"),
            !token.elements.contains(where: { $0.word(TokenMatch.self) == TokenMatch.none })
        {
            problems.add(.inheritToken, at: token.span)
        }
    }

    private func verb(_ word: ClaimVerbWord, maximum: Int64?) -> ClaimVerb {
        switch word {
        case .keep: .keep
        case .transfer: .transfer
        case .transferIfInactive: .transferIfInactive
        case .share: .share(maximum: Int(maximum ?? 2))
        case .ask: .ask
        case .deny: .deny
        case .inherit: .inherit
        }
    }

    private func limits(_ section: CheckedSection) -> ClaimLimits {
        let limits = section.value("limits")?.section
        return ClaimLimits(
            cooldown: limits?.value("cooldown")?.length, moves: limits?.value("moves")?.moves,
            excess: limits?.value("else")?.word(ClaimLimits.Excess.self) ?? .keep)
    }
}

/// What a single rule shows; what all of them together do is proved elsewhere (`PolicyAnalysis`).
extension PolicyBuilder {
    /// Warns of rules that grant whatever happens. To be asked only where there are no errors.
    mutating func checkReach(_ policy: Policy) {
        for (section, rule) in zip(ruleSections("access"), policy.accessRules)
        where rule.effect == .grant && rule.when == Condition() && rule.unless == nil {
            problems.add(
                .grantsAlways, at: section.value("name")?.span, .written(rule.reference.name))
        }
    }
}

/// A `when` or `unless` (spec 2.1).
extension PolicyBuilder {
    /// What was omitted, or is broken, becomes a condition that always holds.
    mutating func buildCondition(_ value: CheckedValue?, _ policy: Policy) -> Condition {
        guard let section = value?.section else { return Condition() }
        checkReferences(in: section, policy)
        var condition = Condition()
        for field in ConditionField.allCases {
            guard let elements = section.value(field.rawValue)?.elements else { continue }
            condition[field] =
                switch field.slot.form {
                case .words, .name, .storefront, .productPattern, .accountPattern:
                    .names(elements.compactMap(\.text))
                case .age: .ages(elements.compactMap(\.age))
                case .count: .counts(elements.compactMap(\.count))
                case .date: .dates(elements.compactMap(\.dateBound))
                case .version: .versions(elements.compactMap(\.versionBound))
                }
        }
        return condition
    }

    // MARK: References

    private mutating func checkReferences(in section: CheckedSection, _ policy: Policy) {
        for (key, table, id) in Self.references {
            for value in section.value(key)?.elements ?? [] {
                _ = checkReference(value, to: table, id)
            }
        }
        checkLevels(in: section)
        for value in section.value("product")?.elements ?? [] { checkProduct(value) }
        for value in section.value("environment")?.elements ?? [] {
            guard let environment = value.word(StoreEnvironment.self),
                policy.environments[environment] == .refused, !hasBrokenEnvironment
            else { continue }
            problems.add(.environmentRefused, at: value.span, .written(environment.rawValue))
        }
    }

    /// What could not be read may well trust it.
    private var hasBrokenEnvironment: Bool {
        draft.section("environments")?.fields.values.contains { $0.value.isBroken } ?? true
    }

    private static let references: [(String, String, DiagnosticID)] = [
        ("group", "groups", .unknownGroup), ("entitlement", "entitlements", .unknownEntitlement),
    ]

    private mutating func checkLevels(in section: CheckedSection) {
        guard names.areLevelsComplete else { return }
        let groups = section.value("group")?.elements.compactMap(\.text)
        let known = groups?.allSatisfy { names.levels[$0] != nil } ?? true
        guard known else { return }
        let levels = (groups ?? Array(names.levels.keys)).flatMap { names.levels[$0] ?? [] }
        for value in section.value("level")?.elements ?? [] {
            guard let name = value.text, !levels.contains(name) else { continue }
            let help = Help.meant(by: name, among: levels.sorted())
            if let groups, names.levels.values.contains(where: { $0.contains(name) }) {
                problems.add(
                    .levelNotInGroup, at: value.span, .written(name), .choice(groups),
                    help: help ?? .oneOf(levels))
            } else {
                problems.add(
                    .unknownLevel, at: value.span, .written(name),
                    help: help ?? (levels.isEmpty ? nil : .oneOf(levels)))
            }
        }
    }

    private mutating func checkProduct(_ value: CheckedValue) {
        guard let name = value.text else { return }
        let pattern = NamePattern(name)
        guard pattern.hasWildcard else {
            _ = checkReference(value, to: "products", .unknownProduct)
            return
        }
        let isComplete = draft.isWhole && !draft.brokenTables.contains("products")
        if isComplete, !names.all("products").contains(where: pattern.matches) {
            let products = names.all("products").sorted()
            problems.add(
                .patternMatchesNothing, at: value.span, .written(name),
                help: (1...12).contains(products.count) ? .oneOf(products) : nil)
        }
    }
}

extension CheckedValue {
    var age: AgeBound? {
        if case .age(let age) = content { age } else { nil }
    }

    var count: CountBound? {
        if case .count(let count) = content { count } else { nil }
    }

    var versionBound: VersionBound? {
        if case .versionBound(let bound) = content { bound } else { nil }
    }

    var dateBound: DateBound? {
        if case .dateBound(let bound) = content { bound } else { nil }
    }
}
