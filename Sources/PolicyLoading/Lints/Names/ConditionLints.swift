internal import EntitlementModel

/// Rules whose name says one thing and whose conditions say another of the same sort.
extension PolicyBuilder {
    mutating func checkConditions(_ policy: Policy) {
        let rights = NamedTitles(
            policy.entitlements.map { ($0.key.text, $0.value.english, $0.value.chinese) })
        let groups = NamedTitles(
            policy.groups.map { ($0.key.text, $0.value.title?.english, $0.value.title?.chinese) })
        let named = NamedProducts(policy)
        for list in ["access", "account_switch", "open", "refund_answers"] {
            for rule in ruleSections(list) {
                guard let value = rule.value("name"), let text = value.text else { continue }
                let reader = ConditionReader(text, rule)
                let found =
                    reader.ofWords ?? reader.right(rights) ?? reader.kind(policy)
                    ?? reader.group(groups) ?? reader.level(policy)
                    ?? reader.product(named, policy)
                guard let found else { continue }
                problems.add(
                    .conditionAgainstName, at: found.span, .written(text), .written(found.word),
                    .plain(found.line), help: found.help,
                    related: [.init(note: .alsoHere, span: value.span)])
            }
        }
    }
}

/// What the name of a rule says of its conditions.
private struct ConditionReader {
    struct Finding {
        let word: String
        let span: SourceSpan
        /// The condition as it is written.
        let line: String
        let help: Help?
    }

    private let text: String
    private let name: NameText
    private let rule: CheckedSection
    private let when: CheckedSection?
    private let unless: CheckedSection?
    private let verb: String

    init(_ text: String, _ rule: CheckedSection) {
        self.text = text
        name = NameText(text)
        self.rule = rule
        when = rule.value("when")?.section
        unless = rule.value("unless")?.section
        verb = rule.value("then")?.text ?? ""
    }

    /// Whether the rule takes something away, so that its name may speak of what it leaves.
    private var takes: Bool { ["withhold", "keep", "deny", "decline", "nothing"].contains(verb) }

    private var isOnly: Bool { name.hasAny(["only", "alone", "just", "仅", "只", "限"]) }

    // MARK: Words

    /// By its words alone.
    var ofWords: Finding? {
        word ?? country ?? exception ?? excluded ?? spared ?? both ?? account ?? period ?? direction
            ?? count
    }

    /// A word that another value of a condition means.
    var word: Finding? {
        guard let when, !(takes && isOnly) else { return nil }
        for (key, field) in when.fields.sorted(by: { $0.key < $1.key }) {
            let written = field.value.elements.compactMap(\.text)
            guard !written.isEmpty, unless?.value(key) == nil else { continue }
            let said = ConditionWords.all.compactMap { entry -> (ConditionWords, String)? in
                guard entry.key == key else { return nil }
                // 'is not sold in Austria' is about Austria.
                let word =
                    key == "storefront" && takes
                    ? name.first(of: entry.words.filter { !name.excludes($0) })
                    : (takes ? name.refused(to: entry.words) : nil)
                        ?? name.affirmed(of: entry.words)
                return word.map { (entry, $0) }
            }
            guard let (entry, word) = said.first,
                said.allSatisfy({ $0.0.values.isDisjoint(with: written) }),
                // What a name denies of the rest, it says of this.
                !(takes
                    && ConditionWords.all.contains {
                        $0.key == key && !$0.values.isDisjoint(with: written)
                            && name.hasAny($0.words)
                    })
            else { continue }
            return Finding(
                word: word, span: field.value.span, line: line(key, written),
                help: entry.line.map(Help.writeOrRename))
        }
        return nil
    }

    /// Two exceptions in one `unless`, which holds where both do.
    private var both: Finding? {
        guard let unless, unless.fields.count > 1,
            let word = name.first(of: ["except", "but", "besides", "excluding"]),
            name.hasAny(["and", "or", "nor"], after: word),
            let account = unless.value("account")
        else { return nil }
        let written = unless.fields.sorted { $0.key < $1.key }.map { key, field in
            line(key, field.value.elements.compactMap(\.text))
        }
        let names = account.elements.compactMap(\.text).flatMap { WordsOfName($0).words }
        let isDenied = names.contains { word in
            word.count > 1 && name.contains(word) && name.affirmed(of: [word]) == nil
        }
        guard isDenied else { return nil }
        return Finding(
            word: word, span: account.span, line: "unless: {\(written.joined(separator: ", "))}",
            help: nil)
    }

    /// Of several countries each is meant.
    private var country: Finding? {
        for (section, least) in [(when, 2), (unless, 1)] {
            guard let value = section?.value("storefront") else { continue }
            let written = value.elements.compactMap(\.text)
            let said = ConditionWords.all.compactMap { entry -> (code: String, word: String)? in
                guard entry.key == "storefront", let code = entry.values.first else { return nil }
                return name.first(of: entry.words).map { (code, $0) }
            }
            let other = written.filter { code in !said.contains { $0.code == code } }
            guard said.count >= least, said.count == written.count, other.count == 1,
                let unmet = said.first(where: { !written.contains($0.code) })
            else { continue }
            let meant = written.map { $0 == other[0] ? unmet.code : $0 }
            return Finding(
                word: unmet.word, span: value.span, line: line("storefront", written),
                help: .writeOrRename(line("storefront", meant)))
        }
        return nil
    }

    /// What a name speaks of and the rule excludes.
    var exception: Finding? {
        guard let unless, !isOnly,
            takes
                ? name.hasAny(Self.lacking)
                : !name.hasAny([
                    "not", "no", "except", "unless", "but", "without", "outside", "never", "other",
                    "besides", "nobody", "不", "非", "除", "外", "无",
                ])
        else { return nil }
        for entry in ConditionWords.all where when?.value(entry.key) == nil {
            guard let value = unless.value(entry.key), let word = name.first(of: entry.words),
                !name.excludes(word)
            else { continue }
            let written = value.elements.compactMap(\.text)
            guard !entry.values.isDisjoint(with: written) else { continue }
            return Finding(
                word: word, span: value.span, line: "unless: {\(line(entry.key, written))}",
                help: .writeOrRename("when: {\(line(entry.key, written))}"))
        }
        return nil
    }

    /// What a name excludes from what it gives, and the rule gives to that alone.
    var excluded: Finding? {
        guard !takes, !isOnly, let when,
            !name.hasAny(["nobody", "no one", "none", "no", "not", "never", "不", "无"])
        else { return nil }
        func finding(_ key: String, _ word: String, _ value: CheckedValue) -> Finding? {
            guard name.excludes(word), unless?.value(key) == nil else { return nil }
            let written = line(key, value.elements.compactMap(\.text))
            return Finding(
                word: word, span: value.span, line: "when: {\(written)}",
                help: .moveToUnless("unless: {\(written)}"))
        }
        if let value = when.value("account") {
            let words = value.elements.compactMap(\.text).flatMap { WordsOfName($0).words }
            for word in words where word.count > 1 {
                if let found = finding("account", word, value) { return found }
            }
        }
        for entry in ConditionWords.all {
            guard let value = when.value(entry.key),
                !entry.values.isDisjoint(with: value.elements.compactMap(\.text))
            else { continue }
            for word in entry.words where name.contains(word) {
                if let found = finding(entry.key, word, value) { return found }
            }
        }
        return nil
    }

    /// Whom a name leaves what the rule takes from them alone: `counts for nobody but the testers`.
    private var spared: Finding? {
        guard takes, let account = when?.value("account"), unless?.value("account") == nil,
            let word = name.first(of: Self.sparing) ?? owner(account)
        else { return nil }
        let written = line("account", account.elements.compactMap(\.text))
        return Finding(
            word: word, span: account.span, line: "when: {\(written)}",
            help: .moveToUnless("unless: {\(written)}"))
    }

    /// Whom a name gives alone what the rule takes from them: `for partners only`.
    private func owner(_ account: CheckedValue) -> String? {
        guard isOnly, !name.hasAny(Self.losing) else { return nil }
        if let word = name.first(of: Self.owned) { return word }
        let names = account.elements.compactMap(\.text).flatMap { WordsOfName($0).words }
        let people = names.filter { $0.count > 1 }.flatMap { [$0, $0 + "s"] }
        return people.first { word in
            name.hasAny([
                "for \(word) only", "for \(word) alone", "only for \(word)", "only \(word) may",
                "only \(word) can", "only for our \(word)", "only for the \(word)",
                "仅限\(word)", "只限\(word)",
            ])
        }
    }

    private static let sparing =
        [
            "nobody", "no one", "none", "anybody", "anyone", "everyone", "everybody", "any account",
            "all accounts",
        ].flatMap { person in
            ["but", "except", "other than", "besides", "apart from", "outside"].map {
                "\(person) \($0)"
            }
        } + ["but for", "以外的账号", "以外的人", "以外一律", "之外的账号", "之外的人"]

    private static let losing = [
        "lose*", "lost", "without", "withheld", "nothing", "no", "blocked",
    ]

    private static let owned = [
        "are for", "is for", "count for", "counts for", "work for", "works for",
    ]

    /// Of whom a name says these, a rule that takes takes it.
    private static let lacking = [
        "nobody", "no one", "nothing", "no", "not", "never", "none", "without", "不", "没有", "无",
    ]

    private func line(_ key: String, _ values: [String]) -> String {
        values.count == 1 ? "\(key): \(values[0])" : "\(key): [\(values.joined(separator: ", "))]"
    }

    /// `*.monthly`, of a rule for those who pay for a whole year.
    private var period: Finding? {
        guard let value = when?.value("product"), unless?.value("product") == nil else {
            return nil
        }
        let words = value.elements.compactMap(\.text).flatMap { WordsOfName($0).words }
        let written = Self.periods.filter { !words.filter($0.ids.contains).isEmpty }
        guard written.count == 1, let own = written.first, !name.hasAny(own.words),
            let other = Self.periods.first(where: { $0.unit != own.unit && name.hasAny($0.words) }),
            let word = name.affirmed(of: other.words)
        else { return nil }
        return Finding(
            word: word, span: value.span, line: line("product", value.elements.compactMap(\.text)),
            help: nil)
    }

    private static let periods: [(unit: Period.Unit, ids: Set<String>, words: [String])] = [
        (
            .years, ["yearly", "annual", "year"],
            [
                "whole year", "full year", "yearly", "annual", "annually", "by the year",
                "per year",
                "年付", "包年", "年度会员", "全年",
            ]
        ),
        (
            .months, ["monthly", "month"],
            ["monthly", "by the month", "per month", "month by month", "月付", "包月", "月度会员"]
        ),
        (.weeks, ["weekly", "week"], ["weekly", "by the week", "per week", "周付", "包周"]),
    ]

    // MARK: Ages and numbers

    /// 'the first week' with `at least 7d`.
    var direction: Finding? {
        for key in ["state_age", "unpaid_for"] {
            guard let value = when?.value(key), value.elements.count == 1,
                let age = value.elements[0].age, unless == nil
            else { continue }
            let first = name.first(of: Self.first)
            let later = name.first(of: Self.later)
            switch age {
            case .atLeast(let length):
                // Of the age of a state that is said otherwise.
                let named = key == "unpaid_for" ? NamedLengths.all(in: text).first?.text : nil
                guard !takes, let first = first ?? named, later == nil,
                    !name.hasAny(["after", "then", "later", "from", "后", "起", "再"])
                else { continue }
                return Finding(
                    word: first, span: value.span, line: "\(key): \(age.text)",
                    help: .writeOrRename("\(key): under \(length.text)"))
            case .under(let length):
                guard let later, first == nil else { continue }
                return Finding(
                    word: later, span: value.span, line: "\(key): \(age.text)",
                    help: .writeOrRename("\(key): at least \(length.text)"))
            case .between: continue
            }
        }
        return nil
    }

    private static let first = [
        "first week", "first day", "first days", "first month", "first hours", "first two",
        "first three", "first seven", "first 2", "first 3", "first 5", "first 7", "first 10",
        "first 14", "first 30", "within", "up to", "at most", "no longer than", "a courtesy",
        "以内", "之内", "最多", "不超过", "前三天", "前七天", "前 7 天", "前7天", "前 3 天", "前3天",
    ]

    private static let later = [
        "after a week", "after a day", "after a month", "after seven", "after 7", "after 14",
        "after 3", "after 10", "after 16", "after 30", "after two", "after three",
        "after fourteen", "after thirty", "longer than", "more than", "older than", "over a week",
        "超过", "以上", "天之后", "天后", "周后", "周之后",
    ]

    /// 'up to six accounts' with `max: 3`, 'once a month' with `moves: 3 per 30d`.
    var count: Finding? {
        if let value = rule.value("max"), let most = value.number {
            let named = NamedCounts.things(in: text)
            if let first = named.first, !named.contains(where: { $0.count == most }) {
                return Finding(
                    word: first.word, span: value.span, line: "max: \(most)",
                    help: .writeOrRename("max: \(first.count)"))
            }
        }
        if let value = rule.value("limits")?.section?.value("moves"), let moves = value.moves {
            let named = NamedCounts.times(in: text)
            if let first = named.first, !named.contains(where: { $0.count == moves.count }) {
                return Finding(
                    word: first.word, span: value.span,
                    line: "moves: \(moves.count) per \(moves.window.text)",
                    help: .writeOrRename("moves: \(first.count) per \(moves.window.text)"))
            }
        }
        return nil
    }

    // MARK: Names of the catalogue

    /// Another right than the one in `only` or in `entitlement`.
    func right(_ rights: NamedTitles) -> Finding? {
        let places = [
            ("only", rule.value("only")), ("entitlement", when?.value("entitlement")),
            ("entitlements", rule.value("entitlements")),
        ]
        guard let (key, value) = places.first(where: { $0.1 != nil }), let value else {
            return nil
        }
        let written = Set(value.elements.compactMap(\.text))
        let named = rights.named(in: name)
        let levels = when?.value("level")?.elements.compactMap(\.text) ?? []
        let groups = when?.value("group")?.elements.compactMap(\.text) ?? []
        guard let other = named.first, written.isDisjoint(with: named),
            !levels.contains(other), !groups.contains(other),
            // What the rule is about by other means is named by that; and what a rule leaves.
            when?.value("product") == nil,
            !takes || !(isOnly || name.hasAny(Self.left))
        else { return nil }
        return Finding(
            word: other, span: value.span,
            line: "\(key): [\(written.sorted().joined(separator: ", "))]",
            help: .writeOrRename("\(key): [\(other)]"))
    }

    private static let left = [
        "is left", "left", "but", "except", "remains", "remain", "keeps", "keep", "stays",
        "without",
        "保留", "除",
    ]

    /// 'for testers only', and withheld from the testers.
    var account: Finding? {
        guard verb == "withhold" || verb == "deny", unless == nil,
            let value = when?.value("account"), !value.elements.contains(where: { $0.text == "*" }),
            let word = name.first(of: ["only", "alone", "仅", "只有", "只能", "仅限", "只给", "只供"]),
            !name.hasAny(["not", "no", "except", "without", "不", "除"])
        else { return nil }
        let written = line("account", value.elements.compactMap(\.text))
        return Finding(
            word: word, span: value.span, line: "when: {\(written)}",
            help: .moveToUnless("unless: {\(written)}"))
    }

    /// Coins, of a rule about something else.
    func kind(_ policy: Policy) -> Finding? {
        guard let value = when?.value("kind"), unless?.value("kind") == nil else { return nil }
        let written = value.elements.compactMap(\.text)
        guard !written.contains(ProductKind.consumable.rawValue) else { return nil }
        for (credit, definition) in policy.credits.sorted(by: { $0.key < $1.key }) {
            let titles = [definition.title.english, credit.text].map {
                WordsOfName($0).words.joined(separator: " ")
            }
            let words =
                titles.filter { $0.count > 3 } + [definition.title.chinese].compactMap { $0 }
            // A right may have the same name.
            let isRight = policy.entitlements.contains { $0.key.text == credit.text }
            guard !isRight, let word = name.affirmed(of: words) else { continue }
            return Finding(
                word: word, span: value.span, line: line("kind", written),
                help: .writeOrRename("kind: consumable"))
        }
        return nil
    }

    /// Another group than the one in `group`.
    func group(_ groups: NamedTitles) -> Finding? {
        guard let value = when?.value("group"), unless?.value("group") == nil else { return nil }
        let written = value.elements.compactMap(\.text)
        let named = groups.named(in: name)
        guard named.count == 1, let other = named.first, !written.contains(other),
            !(rule.value("only")?.elements ?? []).compactMap(\.text).contains(other),
            !(when?.value("entitlement")?.elements ?? []).compactMap(\.text).contains(other)
        else { return nil }
        return Finding(
            word: other, span: value.span, line: line("group", written),
            help: .writeOrRename("group: \(other)"))
    }
}

extension ConditionReader {
    /// Another level of its group than the one in `level`.
    fileprivate func level(_ policy: Policy) -> Finding? {
        guard let value = when?.value("level"), unless?.value("level") == nil else { return nil }
        let written = value.elements.compactMap(\.text)
        let groups = policy.groups.values.filter { group in
            group.levels.contains { written.contains($0.text) }
        }
        let named = groups.flatMap(\.levels).map(\.text).filter {
            $0.count > 3 && name.affirmed(of: [$0, $0 + "s"]) != nil
                && !text.lowercased().contains("\($0)-")
        }
        // What rights and groups are called as well names no level.
        guard let other = named.first,
            !written.contains(where: { name.contains($0) || name.contains($0 + "s") }),
            policy.entitlements[EntitlementName(unchecked: other)] == nil,
            policy.groups[GroupName(unchecked: other)] == nil
        else { return nil }
        return Finding(
            word: other, span: value.span, line: line("level", written),
            help: named.count == 1 ? .writeOrRename("level: \(other)") : nil)
    }

    /// Products by a word that only their ids have, none of which the rule is about.
    fileprivate func product(_ named: NamedProducts, _ policy: Policy) -> Finding? {
        guard let when, unless == nil,
            let key = ["product", "group", "kind"].first(where: { when.value($0) != nil }),
            let value = when.value(key)
        else { return nil }
        func texts(_ key: String) -> [String]? { when.value(key)?.elements.compactMap(\.text) }
        let (kinds, groups) = (texts("kind"), texts("group"))
        let patterns = texts("product")?.map(NamePattern.init)
        func isMeant(_ id: ProductID) -> Bool {
            guard let product = policy.products[id] else { return false }
            return kinds?.contains(product.kind.rawValue) ?? true
                && groups.map { $0.contains(product.group?.text ?? "") } ?? true
                && patterns.map { $0.contains { $0.matches(id.text) } } ?? true
        }
        let rights = [rule.value("only"), when.value("entitlement")].compactMap { $0 }
            .flatMap { $0.elements.compactMap(\.text) }
            .flatMap { [$0, policy.entitlements[EntitlementName(unchecked: $0)]?.english ?? ""] }
            .flatMap { WordsOfName($0).words }
        let words = WordsOfName(text).words.filter {
            named.products(of: $0) != nil && !rights.contains($0)
        }
        guard let word = words.first(where: { name.affirmed(of: [$0]) != nil }),
            !words.contains(where: { named.products(of: $0)?.contains(where: isMeant) ?? false })
        else { return nil }
        return Finding(
            word: word, span: value.span, line: line(key, value.elements.compactMap(\.text)),
            help: nil)
    }
}
