internal import EntitlementModel

/// Lengths and numbers that are legal and of another size than anybody means.
extension PolicyBuilder {
    private typealias Lengths = [(key: String, value: CheckedValue?, least: Int64, usual: String)]

    private static let (minute, hour, day): (Int64, Int64, Int64) = (60_000, 3_600_000, 86_400_000)

    mutating func checkSizes(_ products: [LintedProduct]) {
        checkShortSettings()
        checkShortConditions()
        checkShortProducts(products)
        checkLargeNumbers()
        checkProduction()
        checkAccounts()
        checkDuplicateScope(products)
    }

    // MARK: Accounts

    /// `qa-` names one account, and `qa-*` those that begin so.
    private mutating func checkAccounts() {
        for list in ["access", "account_switch", "refund_answers"] {
            for rule in ruleSections(list) {
                let places = ["when", "unless"].compactMap { rule.value($0)?.section }
                for value in places.flatMap({ $0.value("account")?.elements ?? [] }) {
                    guard let text = value.text, let last = text.last else { continue }
                    if "-_.:/@+".contains(last) {
                        problems.add(
                            .accountWithoutStar, at: value.span, .written(text),
                            help: .write("account: \"\(text)*\""))
                    } else if text.first == "@" {
                        problems.add(
                            .accountWithoutStar, at: value.span, .written(text),
                            help: .listAccounts)
                    }
                }
            }
        }
    }

    // MARK: Short

    private mutating func checkShort(_ lengths: Lengths) {
        for (key, value, least, usual) in lengths {
            guard let value, let length = value.length, let time = length.fixedMilliseconds,
                time > 0, time < least
            else { continue }
            addShort(key, value.span, length, usual)
        }
    }

    private mutating func addShort(
        _ key: String, _ span: SourceSpan, _ length: Period, _ usual: String
    ) {
        problems.add(
            .veryShort, at: span, .written(key), .written(length.text), .written(usual))
    }

    private mutating func checkShortSettings() {
        let orders = draft.section("orders")
        checkShort([
            ("leeway", draft.field("leeway")?.value, 5 * Self.minute, "1h"),
            ("pay_within", orders?.value("pay_within"), 5 * Self.minute, "30m"),
            ("match_window", orders?.value("match_window"), 30 * Self.minute, "24h"),
            (
                // A device presents what was signed when its period began, months ago.
                "max_signed_age", draft.section("trust")?.value("max_signed_age"),
                60 * Self.day, "400d"
            ),
        ])
    }

    private mutating func checkShortConditions() {
        for rule in ruleSections("access") where !isOfTests(rule) {
            for key in ["state_age", "unpaid_for"] {
                for value in rule.value("when")?.section?.value(key)?.elements ?? [] {
                    guard case .under(let length)? = value.age,
                        let time = length.fixedMilliseconds, time < Self.hour
                    else { continue }
                    addShort(key, value.span, length, "7d")
                }
            }
        }
        for rule in ruleSections("account_switch") where !isOfTests(rule) {
            guard let limits = rule.value("limits")?.section else { continue }
            let cooldown = limits.value("cooldown")
            // Of a few minutes it is said that months may be meant.
            if let length = cooldown?.length, !isMonthsInMinutes(length) {
                checkShort([("cooldown", cooldown, Self.hour, "7d")])
            }
            guard let value = limits.value("moves"), let moves = value.moves,
                let window = moves.window.fixedMilliseconds, window < Self.day,
                !isMonthsInMinutes(moves.window)
            else { continue }
            addShort("moves", value.span, moves.window, "365d")
        }
    }

    /// Whether it is about purchases of test environments, in which a month takes minutes.
    private func isOfTests(_ rule: CheckedSection) -> Bool {
        let environments = rule.value("when")?.section?.value("environment")?.elements
        return environments.map { !$0.compactMap(\.text).contains("production") } ?? false
    }

    private func isMonthsInMinutes(_ length: Period) -> Bool {
        length.unit == .minutes && [1, 2, 3, 4, 6, 9, 12, 18, 24].contains(length.count)
    }

    private mutating func checkShortProducts(_ products: [LintedProduct]) {
        for product in products {
            let grants = (product.section.value("grants")?.elements ?? []).compactMap {
                $0.section?.value("for")
            }
            let duration = product.section.value("duration")
            for (key, value) in [("duration", duration)] + grants.map({ ("for", $0) }) {
                guard let value, let length = value.length, !isMonthsInMinutes(length) else {
                    continue
                }
                checkShort([(key, value, 10 * Self.minute, "30d")])
            }
        }
    }

    // MARK: Large

    private mutating func checkLargeNumbers() {
        for rule in ruleSections("account_switch") {
            guard let name = rule.value("name")?.text else { continue }
            let words = WordsOfName(name).words
            if let value = rule.value("max"), let most = value.number, most > 10,
                !words.contains("\(most)"), !NameText(name).hasAny(Self.many)
            {
                problems.add(
                    .largeMax, at: value.span, .written(name), .plain("max: \(most)"),
                    .plain("max: 6"))
            }
            guard let value = rule.value("limits")?.section?.value("moves"),
                let moves = value.moves,
                let window = moves.window.fixedMilliseconds, !words.contains("\(moves.count)")
            else { continue }
            let perDay = Double(moves.count) * Double(Self.day) / Double(max(1, window))
            guard moves.count > 50 || (moves.count > 10 && perDay > 0.5) else { continue }
            problems.add(
                .largeMax, at: value.span, .written(name),
                .plain("moves: \(moves.count) per \(moves.window.text)"),
                .plain("moves: 3 per 365d"))
        }
    }

    /// Who shares something is more than a family.
    private static let many = [
        "class", "classes", "school", "schools", "pupils", "students", "teachers", "team", "teams",
        "company", "companies", "office", "club", "clubs", "library", "libraries", "department",
        "band", "choir", "orchestra", "guild", "organisation", "organization", "班", "学校", "学生",
        "团队", "公司", "企业", "单位", "部门",
    ]

    // MARK: Duplicates

    /// An order of something that is sold beside something else is blocked because both give one
    /// right.
    private mutating func checkDuplicateScope(_ products: [LintedProduct]) {
        guard let section = draft.section("duplicate_subscriptions"),
            let scope = section.value("scope"), scope.text == "entitlement",
            section.value("before_purchase")?.text == "block"
        else { return }
        for product in products where product.product.kind == .autoRenewable {
            let titles = [product.product.title?.english, product.product.title?.chinese]
            let said = titles.lazy.compactMap { title in
                title.flatMap { title in
                    NameText(title).first(of: Self.added).map { (title, $0) }
                }
            }.first
            guard let (title, word) = said else { continue }
            let own = Set(product.product.entitlements)
            let other = products.first {
                $0.product.kind == .autoRenewable && $0.product.group != product.product.group
                    && !own.isDisjoint(with: $0.product.entitlements)
            }
            guard let other else { continue }
            problems.add(
                .conditionAgainstName, at: scope.span, .written(title), .written(word),
                .plain("scope: entitlement"), help: .writeOrRename("scope: group"),
                related: [.init(note: .alsoHere, span: other.row.nameSpan)])
            return
        }
    }

    private static let added = [
        "beside", "on top of", "in addition to", "add-on", "addon", "added to", "together with",
        "叠加", "加购", "附加", "另购",
    ]

    // MARK: Environments

    /// Purchases that cost nothing are believed, and those that are paid for are not.
    private mutating func checkProduction() {
        guard let section = draft.section("environments"),
            let span = draft.field("environments")?
                .keySpan, !isTrusted(.production), isTrusted(.sandbox)
        else { return }
        problems.add(
            .productionRefused, at: section.value("production")?.span ?? span,
            help: .write("production: trusted"))
    }
}
