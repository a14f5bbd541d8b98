internal import EntitlementModel

/// Rules and products whose name says something else than what is written below it.
extension PolicyBuilder {
    mutating func checkRuleNames(_ products: [LintedProduct], _ policy: Policy) {
        let levels = NamedLevels(policy)
        for list in ["access", "account_switch", "refund_answers"] {
            for rule in ruleSections(list) {
                guard let value = rule.value("name"), let name = value.text else { continue }
                checkLengths(of: rule, name, value.span)
                checkWords(of: rule, list, name, value.span, policy)
                checkLevel(of: rule, name, value.span, levels, products)
            }
        }
    }

    /// A rule that is called '7 days' and says 14d.
    private mutating func checkLengths(
        of rule: CheckedSection, _ name: String, _ place: SourceSpan
    ) {
        let named = NamedLengths.all(in: name)
        guard named.count == 1, let length = named.first else { return }
        let written = lengths(of: rule)
        let all = written.flatMap(\.lengths)
        let counts = NameText(name).hasAny(["times", "once", "twice", "次"])
        let counted = counts ? written.first { $0.key == "moves" } : nil
        guard let first = counted ?? written.first, !all.contains(where: { $0.isAbout(length) })
        else {
            return
        }
        let fixed = length.asFixed
        let help: Help? =
            (written.count == 1 || counted != nil) && first.lengths.count == 1
            ? .writeOrRename(
                "\(first.key): "
                    + first.text.replacingFirst(first.lengths[0].text, fixed.text))
            : nil
        problems.add(
            .lengthAgainstName, at: first.span, .written(name), .written(length.text),
            .choice(all.map(\.text)), help: help,
            related: [.init(note: .alsoHere, span: place)])
    }

    private struct WrittenLength {
        let key: String
        let text: String
        let lengths: [Period]
        let span: SourceSpan
    }

    private func lengths(of rule: CheckedSection) -> [WrittenLength] {
        var found: [WrittenLength] = []
        for key in ["state_age", "unpaid_for"] {
            for value in rule.value("when")?.section?.value(key)?.elements ?? [] {
                guard let age = value.age else { continue }
                let lengths: [Period] =
                    switch age {
                    case .under(let length), .atLeast(let length): [length]
                    case .between(let from, let to): [from, to]
                    }
                found.append(
                    WrittenLength(key: key, text: age.text, lengths: lengths, span: value.span))
            }
        }
        let limits = rule.value("limits")?.section
        if let value = limits?.value("cooldown"), let length = value.length {
            found.append(
                WrittenLength(
                    key: "cooldown", text: length.text, lengths: [length], span: value.span))
        }
        if let value = limits?.value("moves"), let moves = value.moves {
            found.append(
                WrittenLength(
                    key: "moves", text: "\(moves.count) per \(moves.window.text)",
                    lengths: [moves.window], span: value.span))
        }
        return found
    }

    /// Words of a name that only one condition can mean, and that is not there.
    private mutating func checkWords(
        of rule: CheckedSection, _ list: String, _ name: String, _ place: SourceSpan,
        _ policy: Policy
    ) {
        let words = WordsOfName(name)
        let when = rule.value("when")?.section
        let unless = rule.value("unless")?.section
        for (word, key, line) in Self.conditions(list)
        where words.words.contains(word) || (!word.allSatisfy(\.isASCII) && name.contains(word)) {
            guard when?.value(key) == nil, unless?.value(key) == nil,
                when?.value("product") == nil,
                key != "state" || isCourtesy(rule)
            else { continue }
            problems.add(
                .conditionForgotten, at: place, .written(name), .written(word), .written(key),
                help: .addToWhen(line))
            return
        }
        guard rule.value("then")?.text == AccessRule.Effect.withhold.rawValue,
            rule.value("only") == nil, when?.value("entitlement") == nil,
            let only = Self.named(policy.entitlements.keys.sorted().map(\.text), in: words).first
        else { return }
        let all = Self.named(policy.entitlements.keys.sorted().map(\.text), in: words)
        let denied = Contrast(name)?.meant(by: AccessRule.Effect.withhold.rawValue, in: all) ?? all
        // A rule about all that is sold by that name is as it says.
        guard when?.value("product") == nil,
            when?.value("group") == nil
                || policy.groups[
                    GroupName(unchecked: only)] == nil
        else { return }
        problems.add(
            .conditionForgotten, at: place, .written(name), .written(denied[0]), .written("only"),
            help: .addEither(denied.map { "only: [\($0)]" }))
    }

    /// Those of some rights that are named, also in the plural.
    private static func named(_ rights: [String], in words: WordsOfName) -> [String] {
        let named = words.named(rights)
        return named.isEmpty ? words.inSingular.named(rights) : named
    }

    private static func conditions(_ list: String) -> [(word: String, key: String, line: String)] {
        let sandbox = ["sandbox", "沙盒", "沙箱"].map { ($0, "environment", "environment: sandbox") }
        let trial = ["trial", "trials", "试用"].map { ($0, "offer", "offer: free-trial") }
        let retry = ["retries", "retry", "retrying", "扣款重试", "扣费重试"].map {
            ($0, "state", "state: billing-retry")
        }
        return list == "access" ? sandbox + trial + retry : sandbox
    }

    /// Whether it gives something for a time, in whatever state.
    private func isCourtesy(_ rule: CheckedSection) -> Bool {
        let when = rule.value("when")?.section
        return rule.value("then")?.text == AccessRule.Effect.grant.rawValue
            && when?.value("state_age") != nil && when?.value("unpaid_for") == nil
    }

    /// A rule that is called after a level of a group and is about other levels of it, too.
    private mutating func checkLevel(
        of rule: CheckedSection, _ name: String, _ place: SourceSpan, _ levels: NamedLevels,
        _ products: [LintedProduct]
    ) {
        let named = levels.named(in: name)
        guard named.count == 1, let level = named.first, let group = levels.group(of: level),
            rule.value("unless") == nil
        else { return }
        let when = rule.value("when")?.section
        // A rule without any condition is told of otherwise.
        guard let when, !when.fields.isEmpty else { return }
        func texts(_ key: String, _ section: CheckedSection?) -> Set<String>? {
            section?.value(key).map { Set($0.elements.compactMap(\.text)) }
        }
        let patterns = texts("product", when)?.map(NamePattern.init)
        let given = texts("only", rule) ?? texts("entitlement", when)
        let other = products.first { product in
            let own = product.product
            return own.group == group && own.level?.text != level
                && (texts("kind", when)?.contains(own.kind.rawValue) ?? true)
                && (texts("group", when)?.contains(group.text) ?? true)
                && (texts("level", when)?.contains(own.level?.text ?? "") ?? true)
                && (patterns?.contains { $0.matches(product.name) } ?? true)
                && (given?.contains { name in own.entitlements.contains { $0.text == name } }
                    ?? true)
        }
        guard let other else { return }
        let span = when.value("level")?.span ?? place
        problems.add(
            .ruleAgainstName, at: span, .written(name), .written(level), .written(other.name),
            help: .writeOrRename("level: \(level)"),
            related: [.init(note: .alsoHere, span: other.row.nameSpan)])
    }

    /// `pro*`, of a rule for Pro, where there are profiles as well.
    mutating func checkPatterns(_ products: [LintedProduct]) {
        for list in ["access", "account_switch", "refund_answers"] {
            for rule in ruleSections(list) {
                guard let value = rule.value("name"), let name = value.text else { continue }
                for pattern in rule.value("when")?.section?.value("product")?.elements ?? [] {
                    if checkParts(of: pattern, name, products) { continue }
                    guard let text = pattern.text, text.last == "*",
                        let sign = text.dropLast().last, sign.isLetter,
                        let last = WordsOfName(String(text.dropLast())).words.last
                    else { continue }
                    let prefix = text.dropLast()
                    let rests = products.filter { $0.name.hasPrefix(prefix) }
                    let (longer, whole) = rests.parted { product in
                        product.name.dropFirst(prefix.count).first?.isLetter ?? false
                    }
                    guard let longer = longer.first, !whole.isEmpty,
                        !isNamed(longer, after: last, in: name),
                        let word = NameText(name).contains(last)
                            ? last : sharedWord(name, whole, butNot: longer)
                    else { continue }
                    problems.add(
                        .ruleAgainstName, at: pattern.span, .written(name), .written(word),
                        .written(longer.name), help: .writeOrRename("product: \"\(prefix).*\""),
                        related: [.init(note: .alsoHere, span: longer.row.nameSpan)])
                }
            }
        }
    }

    /// `day tickets` for `ticket.*`, where there are others by the month.
    private mutating func checkParts(
        of pattern: CheckedValue, _ name: String, _ products: [LintedProduct]
    ) -> Bool {
        guard let text = pattern.text, text.hasSuffix(".*") else { return false }
        let prefix = text.dropLast()
        let (rests, _) = products.parted { $0.name.hasPrefix(prefix) }
        let parts = Dictionary(grouping: rests) { part(of: $0, behind: prefix) }
        let said = NameText(name)
        let named = parts.keys.filter { part in
            part.contains(where: \.isLetter) && said.hasAny([part, part + "s"])
        }
        guard named.count == 1, parts.count > 1, let part = named.first,
            let other = rests.first(where: { self.part(of: $0, behind: prefix) != part }),
            rests.allSatisfy({
                $0.name.dropFirst(prefix.count).contains(part) == false
                    || $0.name.dropFirst(prefix.count).hasPrefix(part)
            })
        else { return false }
        let line = "product: \"\(prefix)\(part)\(parts[part]?.count == 1 ? "" : ".*")\""
        problems.add(
            .ruleAgainstName, at: pattern.span, .written(name), .written(part),
            .written(other.name), help: .writeOrRename(line),
            related: [.init(note: .alsoHere, span: other.row.nameSpan)])
        return true
    }

    /// What follows in its id, up to the next dot.
    private func part(of product: LintedProduct, behind prefix: Substring) -> String {
        String(product.name.dropFirst(prefix.count).prefix { $0 != "." })
    }

    /// A word that a rule has in its name, and some products in their titles, but another one not.
    private func sharedWord(
        _ name: String, _ products: [LintedProduct], butNot other: LintedProduct
    ) -> String? {
        func words(_ product: LintedProduct) -> [String] {
            NameText(product.product.title?.english ?? "").words
        }
        let titles = Set(products.flatMap(words)).subtracting(words(other))
        return NameText(name).words.first { $0.count > 3 && titles.contains($0) }
    }

    /// Whether a name has the whole word of an id that begins with another word.
    private func isNamed(_ product: LintedProduct, after word: String, in name: String) -> Bool {
        let text = NameText(name)
        return WordsOfName(product.name).words.contains {
            $0 != word && $0.hasPrefix(word) && text.contains($0)
        }
    }

    /// What is bought once and called monthly; what is bought again and again and called lifetime.
    mutating func checkKindNames(_ products: [LintedProduct], _ policy: Policy) {
        for product in products {
            guard let span = product.section.value("kind")?.span else { continue }
            let words = WordsOfName(product.name).words
            let title = product.product.title
            let kind = product.product.kind
            let lasting =
                words.last { Self.forever.contains($0) }
                ?? title.flatMap { NameText($0.english).first(of: Self.lasting) }
                ?? ["终身", "永久"].first { title?.chinese?.contains($0) ?? false }
            if kind == .autoRenewable || kind == .nonRenewing, let lasting {
                problems.add(
                    .kindAgainstName, at: span, .written(product.name), .written(lasting),
                    .written(kind.rawValue),
                    help: .writeWithoutOrRename(
                        "kind: non-consumable",
                        ["duration", "stacking", "stack", "period", "group", "level"].filter(
                            product.section.has)))
            } else if kind == .consumable || kind == .nonConsumable, let last = words.last,
                Self.repeated.contains(last), !givesForTime(product.product)
            {
                problems.add(
                    .kindAgainstName, at: span, .written(product.name), .written(last),
                    .written(kind.rawValue), help: .writeOrRename("kind: auto-renewable"))
            }
        }
    }

    private func givesForTime(_ product: Product) -> Bool {
        product.grants.contains {
            if case .entitlement(_, let length?) = $0 { length.count > 0 } else { false }
        }
    }

    private static let forever: Set<String> = ["lifetime", "forever"]
    private static let lasting = ["lifetime", "forever", "for ever", "yours to keep", "for life"]
    private static let repeated: Set<String> = [
        "monthly", "yearly", "annual", "annually", "subscription",
    ]
}

/// The levels that only one group has, by which a rule may be called.
private struct NamedLevels {
    private var groups: [String: [GroupName]] = [:]

    init(_ policy: Policy) {
        for (name, group) in policy.groups {
            for level in group.levels where level.text.count >= 4 {
                groups[level.text, default: []].append(name)
            }
        }
        // Words of which other things are called as well name no level.
        let others =
            policy.entitlements.flatMap { [$0.key.text, $0.value.english] }
            + policy.groups.flatMap { [$0.key.text, $0.value.title?.english ?? ""] }
        let words = Set(others.flatMap { WordsOfName($0).words })
        groups = groups.filter { !words.contains($0.key) && !Self.common.contains($0.key) }
    }

    private static let common: Set<String> = [
        "basic", "standard", "free", "full", "single", "family", "team", "unlimited", "trial",
        "premium", "plus", "lite",
    ]

    func named(in name: String) -> [String] { WordsOfName(name).named(groups.keys.sorted()) }

    func group(of level: String) -> GroupName? {
        groups[level]?.count == 1 ? groups[level]?.first : nil
    }
}

extension Period {
    /// In days or less where it is written in months or years, as a condition has it.
    fileprivate var asFixed: Period {
        fixedMilliseconds == nil ? Period(NamedLengths.days(self) ?? count, .days) : self
    }

    /// Whether people call both the same: 30 days are a month, and 365 a year.
    fileprivate func isAbout(_ named: Period) -> Bool {
        if let own = fixedMilliseconds, let other = named.fixedMilliseconds { return own == other }
        guard let days = NamedLengths.days(self) else { return false }
        switch named.unit {
        case .months: return (28 * named.count...31 * named.count).contains(days)
        case .years: return (364 * named.count...366 * named.count).contains(days)
        default: return false
        }
    }
}

extension [LintedProduct] {
    /// Those that meet a condition, and the others.
    fileprivate func parted(
        by condition: (LintedProduct) -> Bool
    ) -> (met: [LintedProduct], others: [LintedProduct]) {
        (filter(condition), filter { !condition($0) })
    }
}
