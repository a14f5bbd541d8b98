internal import EntitlementModel

/// Rules that are written at the wrong place, or count from the wrong beginning.
extension PolicyBuilder {
    mutating func checkRuleOrder() {
        for list in ["access", "account_switch", "refund_answers"] {
            let rules = ruleSections(list)
            for (index, rule) in rules.enumerated() {
                guard let value = rule.value("name"), let name = value.text,
                    let word = NameText(name).first(of: Self.rest)
                else { continue }
                let later = rules.dropFirst(index + 1).first { isException($0, from: rule) }
                guard let later, let other = later.value("name"), let text = other.text else {
                    continue
                }
                problems.add(
                    .restBeforeOthers, at: value.span, .written(name), .written(word),
                    .written(text), related: [.init(note: .alsoHere, span: other.span)])
            }
        }
    }

    private static let rest = [
        "everybody else", "everyone else", "all others", "all other", "anybody else",
        "anyone else", "anything else", "everything else", "the others", "otherwise",
        "其他人", "其他", "其余", "其它", "否则",
    ]

    /// Whether a rule does something else in some of the cases of one before it: it has all
    /// conditions of that, and one more about what was bought or by whom.
    private func isException(_ rule: CheckedSection, from before: CheckedSection) -> Bool {
        guard let effect = rule.value("then")?.text, effect != before.value("then")?.text,
            let when = rule.value("when")?.section
        else { return false }
        let earlier = before.value("when")?.section
        let narrows = Self.subjects.contains { key in
            when.value(key) != nil && earlier?.value(key) == nil
        }
        let isWithin = (earlier?.fields.keys.map { $0 } ?? []).allSatisfy { key in
            guard let own = values(key, when), let others = values(key, earlier) else {
                return ["state_age", "unpaid_for", "at"].contains(key)
            }
            return own.isSubset(of: others)
        }
        return narrows && isWithin && !isExcluded(when, by: before.value("unless")?.section)
    }

    private static let subjects = [
        "product", "group", "level", "account", "offer", "ownership", "storefront", "kind",
        "token", "purchased", "first_purchased", "expiry_reason", "auto_renew",
    ]

    private func values(_ key: String, _ section: CheckedSection?) -> Set<String>? {
        let texts = section?.value(key)?.elements.compactMap(\.text) ?? []
        return texts.isEmpty || texts.contains { $0.contains("*") } ? nil : Set(texts)
    }

    /// Whether the exception is said by the earlier rule itself.
    private func isExcluded(_ when: CheckedSection, by unless: CheckedSection?) -> Bool {
        guard let unless, !unless.fields.isEmpty else { return false }
        return unless.fields.keys.allSatisfy { key in
            guard let own = values(key, when), let others = values(key, unless) else {
                return when.value(key) != nil
            }
            return own.isSubset(of: others)
        }
    }

    /// An age that begins again with the next state, in a rule that is about both.
    mutating func checkAgesOverStates() {
        for rule in ruleSections("access") {
            guard let when = rule.value("when")?.section, let age = when.value("state_age"),
                let name = rule.value("name")?.text, let written = age.elements.first?.age?.text
            else { continue }
            let states = Set(when.value("state")?.elements.compactMap(\.text) ?? [])
            guard age.elements.count == 1, states.isSuperset(of: ["grace", "billing-retry"]) else {
                continue
            }
            problems.add(
                .ageBeginsAgain, at: age.span, .written(name), .plain(written),
                help: .writeOrWaive("unpaid_for: \(written)"))
        }
    }

    /// `purchased` of whoever joined at some time, or bought from some day on: each renewal moves it.
    mutating func checkJoining() {
        var lines: [String: SourceLines] = [:]
        for rule in ruleSections("access") {
            guard let value = rule.value("name"), let name = value.text,
                let when = rule.value("when")?.section,
                let bound = when.value("purchased"), when.value("first_purchased") == nil,
                let written = written(bound.span, &lines), isAboutSubscriptions(when)
            else { continue }
            if let word = NameText(name).first(of: Self.joining)
                ?? (when.value("state") == nil ? nil : NamedDates.sides(of: name).before)
            {
                problems.add(
                    .purchasedMovesOn, at: bound.span, .written(name), .written(word),
                    help: .writeOrWaive("first_purchased: \(written)"))
            } else if let first = Self.firstDay(of: written), when.value("offer") == nil,
                NameText(name).first(of: Self.renewing) == nil
            {
                problems.add(
                    .renewalsCounted, at: bound.span, .written(name),
                    help: .addToWhen("first_purchased: from \(first)"))
            }
        }
    }

    /// The day from which a bound is met.
    private static func firstDay(of written: String) -> Substring? {
        let words = written.split(separator: " ")
        return words.first == "from" && words.count > 1 ? words[1] : nil
    }

    private static let renewing = ["renew*", "each period", "every period", "续订", "续期", "每个周期"]

    private static let joining = [
        "joined", "joins", "joining", "member since", "members since", "who came", "founder*",
        "first-year", "first year", "early*", "long-time", "loyal", "veteran*", "old members",
        "new members", "newcomer*", "since the beginning", "加入", "老用户", "老会员", "新用户",
        "新会员", "创始", "早期", "首批", "注册",
    ]

    /// A product whose title says that it is not sold, and that anybody can order.
    mutating func checkNotSold(_ products: [LintedProduct]) {
        for product in products where product.product.retiredAt == nil {
            let titles = [product.product.title?.english, product.product.title?.chinese]
            let word = titles.lazy.compactMap { title in
                title.flatMap { NameText($0).first(of: Self.notSold) }
            }.first
            guard let word, let span = product.section.value("title")?.span else { continue }
            problems.add(.retiredForgotten, at: span, .written(product.name), .written(word))
        }
    }

    /// Two products that are the same but for their prices, of which the one with the old price is
    /// sold, and the other one is not.
    mutating func checkRetiredTwins(_ products: [LintedProduct]) {
        var retired: [Twin: LintedProduct] = [:]
        for product in products where product.product.retiredAt != nil {
            retired[Twin(product.product)] = product
        }
        for product in products where product.product.retiredAt == nil {
            guard let other = retired[Twin(product.product)],
                let word = Self.oldWord(of: product), Self.oldWord(of: other) == nil,
                let span = product.section.value("title")?.span
            else { continue }
            problems.add(
                .retiredForgotten, at: span, .written(product.name), .written(word),
                help: .retiredThere(other.name),
                related: [
                    .init(
                        note: .alsoHere,
                        span: other.section.value("retired")?.span ?? other.row.nameSpan)
                ])
        }
    }

    private struct Twin: Hashable {
        let kind: ProductKind
        let group: GroupName?
        let level: LevelName?
        let length: Period?
        let grants: Set<ProductGrant>

        init(_ product: Product) {
            (kind, group, level) = (product.kind, product.group, product.level)
            length = (product.period ?? product.duration)?.asSold
            grants = Set(product.grants)
        }
    }

    private static func oldWord(of product: LintedProduct) -> String? {
        let titles = [product.product.title?.english, product.product.title?.chinese]
        return titles.lazy.compactMap { title in title.flatMap(oldWord) }.first
    }

    private static func oldWord(_ title: String) -> String? {
        let text = NameText(title)
        // A price since some year is today's, unless another one has followed it.
        guard !text.hasAny(["since", "new price", "current price", "年起", "新价"]) else { return nil }
        return text.first(of: [
            "old price", "former price", "launch price", "introductory price", "early bird",
            "legacy",
            "previous price", "old", "former", "旧价", "老价格", "首发价", "旧版", "原价",
        ]) ?? NamedDates.years(in: title).first.map { "\($0)" }
    }

    private static let notSold = [
        "no longer sold", "not sold any more", "not sold anymore", "no longer available",
        "discontinued", "withdrawn from sale", "not for sale", "已下架", "已停售", "停售", "不再销售",
        "不再出售",
    ]

    /// Only their periods begin again.
    private func isAboutSubscriptions(_ when: CheckedSection) -> Bool {
        let kinds = when.value("kind")?.elements.compactMap(\.text) ?? []
        guard kinds.isEmpty else { return kinds.contains(ProductKind.autoRenewable.rawValue) }
        if when.value("group") != nil || when.value("level") != nil { return true }
        let products = when.value("product")?.elements.compactMap(\.text) ?? []
        guard !products.isEmpty else { return true }
        return (draft.tables["products"] ?? []).contains { row in
            row.value.section?.value("kind")?.text == ProductKind.autoRenewable.rawValue
                && products.contains { NamePattern($0).matches(row.name) }
        }
    }
}
