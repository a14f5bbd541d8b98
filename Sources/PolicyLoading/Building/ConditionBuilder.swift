internal import EntitlementModel

/// A `when` or `unless` (spec 2.1).
extension PolicyBuilder {
    /// What was omitted, or is broken, becomes a condition that always holds.
    mutating func buildCondition(_ value: CheckedValue?, _ policy: Policy) -> Condition {
        guard let section = value?.section else { return Condition() }
        checkReferences(in: section, policy)
        var condition = Condition()
        condition.kinds = words(section, "kind")
        condition.states = words(section, "state")
        condition.environments = words(section, "environment")
        condition.ownerships = words(section, "ownership")
        condition.offers = words(section, "offer")
        condition.expiryReasons = words(section, "expiry_reason")
        condition.autoRenews = words(section, "auto_renew")
        condition.revocations = words(section, "revocation")
        condition.tokens = words(section, "token")
        condition.moments = words(section, "moment")
        condition.products = texts(section, "product")?.map(NamePattern.init)
        condition.accounts = texts(section, "account")?.map(NamePattern.init)
        condition.groups = names(section, "group")
        condition.entitlements = names(section, "entitlement")
        condition.levels = names(section, "level")
        condition.storefronts = texts(section, "storefront")
        condition.stateAges = section.value("state_age")?.elements.compactMap(\.age)
        condition.unpaidFor = section.value("unpaid_for")?.elements.compactMap(\.age)
        condition.purchased = section.value("purchased")?.elements.compactMap(\.dateBound)
        condition.firstPurchased = section.value("first_purchased")?.elements
            .compactMap(\.dateBound)
        condition.at = section.value("at")?.elements.compactMap(\.dateBound)
        return condition
    }

    private func texts(_ section: CheckedSection, _ key: String) -> [String]? {
        section.value(key)?.elements.compactMap(\.text)
    }

    private func words<Word: RawRepresentable>(
        _ section: CheckedSection, _ key: String
    ) -> [Word]? where Word.RawValue == String {
        texts(section, key)?.compactMap(Word.init(rawValue:))
    }

    private func names<Name: Identifier>(_ section: CheckedSection, _ key: String) -> [Name]? {
        texts(section, key)?.map(Name.init(unchecked:))
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
                    help: help ?? names.levelHelp(name, among: levels))
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
            problems.add(
                .patternMatchesNothing, at: value.span, .written(name),
                help: patternHelp(name))
        }
    }
}

extension PolicyBuilder {
    /// What may be meant by a pattern that matches nothing: the nearest one, else one of the
    /// products where they are few.
    private func patternHelp(_ pattern: String) -> Help? {
        let siblings = siblings(of: pattern)
        if siblings.count > 1 { return .oneOf(siblings) }
        if let near = nearestPattern(to: pattern) { return .write("product: \"\(near)\"") }
        let products = names.all("products").sorted()
        return (1...12).contains(products.count) ? .oneOf(products) : nil
    }

    /// The patterns of the same form that match something and differ in the last word, where none of
    /// those words is a slip away from the one that is written.
    private func siblings(of pattern: String) -> [String] {
        guard pattern.hasSuffix(".*") else { return [] }
        let words = pattern.dropLast(2).split(separator: ".", omittingEmptySubsequences: false)
        guard let last = words.last, words.count > 1, !pattern.dropLast().contains("*") else {
            return []
        }
        let others = names.all("products").compactMap { id -> String? in
            let parts = id.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count > words.count, parts.starts(with: words.dropLast()) else {
                return nil
            }
            return String(parts[words.count - 1])
        }
        let choices = Set(others).sorted()
        guard choices.count <= 12, suggestion(for: String(last), among: choices) == nil else {
            return []
        }
        return choices.map { (words.dropLast() + [$0[...]]).joined(separator: ".") + ".*" }
    }

    /// The pattern that was probably meant: a part of the product ids, between stars as written.
    private func nearestPattern(to pattern: String) -> String? {
        let stars = (pattern.hasPrefix("*"), pattern.hasSuffix("*"))
        let part = pattern.drop { $0 == "*" }.reversed().drop { $0 == "*" }.reversed()
        guard !part.contains("*"), !part.isEmpty else { return nil }
        let separators = part.filter { $0 == "." }.count
        var parts: Set<String> = []
        for id in names.all("products") {
            let words = id.split(separator: ".", omittingEmptySubsequences: false)
            let (before, after) = (part.first == ".", part.last == ".")
            let count = separators + 1 - (before ? 1 : 0) - (after ? 1 : 0)
            guard count > 0, count <= words.count else { continue }
            let starts = stars.0 ? Array(0...(words.count - count)) : [0]
            for start in starts where stars.1 || start + count == words.count {
                let middle = words[start..<(start + count)].joined(separator: ".")
                parts.insert((before ? "." : "") + middle + (after ? "." : ""))
            }
        }
        return suggestion(for: String(part), among: parts.sorted()).map {
            (stars.0 ? "*" : "") + $0 + (stars.1 ? "*" : "")
        }
    }
}

extension CheckedValue {
    var age: AgeBound? {
        if case .age(let age) = content { age } else { nil }
    }

    var dateBound: DateBound? {
        if case .dateBound(let bound) = content { bound } else { nil }
    }
}
