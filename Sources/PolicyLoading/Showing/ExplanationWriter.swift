internal import EntitlementModel

/// Finds what a policy has under a name.
struct ExplanationWriter {
    let policy: Policy
    let cells: (Policy) -> [DecidedCell]
    let language: Language

    /// Rules of all lists; `open` has rights in their place.
    func rules(_ name: String) -> [PolicyExplanation] {
        RuleList.allCases.flatMap { list in
            list == .open
                ? policy.openRights.filter { $0.reference.name == name }.map(explain)
                : list.rules(of: policy).filter { $0.reference.name == name }.map {
                    explain($0, in: list)
                }
        }
    }

    private func explain(_ right: OpenRight) -> PolicyExplanation {
        PolicyExplanation(
            .rule, right.reference.name, place: place(right.reference),
            [
                (.list, [RuleList.open.rawValue]), (.gives, right.entitlements.map(\.text)),
                (.when, windows(of: right)),
            ])
    }

    private func explain(_ rule: any PolicyRule, in list: RuleList) -> PolicyExplanation {
        let limits = (rule as? ClaimRule)?.limits
        var most: Int?
        if case .share(let count)? = (rule as? ClaimRule)?.verb { most = count }
        let limitTexts = [
            most.map { "max: \($0)" },
            limits?.cooldown.map { "cooldown: \($0.text)" },
            limits?.moves.map { "moves: \($0.count) per \($0.window.text)" },
            limits?.excess == .ask ? "else: ask" : nil,
        ].compactMap(\.self)
        let earlier = list.references(of: policy).prefix { $0 != rule.reference }
        return PolicyExplanation(
            .rule, rule.reference.name, place: place(rule.reference),
            [
                (.list, [list.rawValue]), (.when, rule.when.described),
                (.unless, rule.unless?.described ?? []), (.then, [rule.then] + limitTexts),
                (
                    list == .appPurchase ? .gives : .only,
                    (rule as? AccessRule)?.only?.map(\.text) ?? []
                ),
                (.decides, list == .access ? decides(rule.reference) : []),
                (.before, earlier.map { "\($0.name) (\(place($0)))" }),
            ])
    }

    /// The cells in which an access rule decides something, with the rules that are tried before.
    private func decides(_ rule: RuleReference) -> [String] {
        let cells = cells(policy).filter { $0.rules.contains { $0.reference == rule } }
        guard !cells.isEmpty else { return [ExplainPolicyPhrase.nothing.text(language)] }
        return cells.map { cell in
            let earlier = cell.rules.prefix { $0.reference != rule }
            let names = earlier.map { "'\($0.reference.name)'" }.joined(separator: ", ")
            let text = "\(cell.kind.rawValue), \(cell.state.rawValue)"
            return names.isEmpty ? text : ExplainPolicyPhrase.after.text(language, text, names)
        }
    }

    func product(_ name: String) -> [PolicyExplanation] {
        guard let product = policy.products.first(where: { $0.key.text == name })?.value else {
            return []
        }
        // Of a policy that sells nothing else, the table is about this product.
        var own = policy
        own.products = [product.id: product]
        let states = cells(own).map { cell in
            let rules = cell.rules.map { rule in
                let only = rule.only.map { "only: \($0.map(\.text).joined(separator: ", "))" }
                let details = rule.when.describedBesideKindAndState + [only].compactMap(\.self)
                let name = ([rule.reference.name] + details).joined(separator: "; ")
                return "\(rule.effect.rawValue) [\(name)]"
            }
            return "\(cell.state.rawValue): \(rules.joined(separator: " → "))"
        }
        let group = [product.group?.text, product.level?.text].compactMap(\.self)
        return [
            PolicyExplanation(
                .product, name,
                [
                    (.kind, [product.kind.rawValue]), (.title, titles(product.title)),
                    (.group, group.isEmpty ? [] : [group.joined(separator: ", ")]),
                    (.gives, gifts(of: product)), (.states, states),
                ])
        ]
    }

    func entitlement(_ name: String) -> [PolicyExplanation] {
        guard let entitlement = policy.entitlements.first(where: { $0.key.text == name }) else {
            return []
        }
        let key = entitlement.key
        let products = policy.products.values.filter { product in
            product.grants.contains { if case .entitlement(key, _) = $0 { true } else { false } }
        }.map { "\($0.id.text) (\($0.kind.rawValue))" }
        let rules = policy.accessRules.filter { rule in
            (rule.only ?? rule.when.entitlements)?.contains(key) ?? false
        }.map { "\($0.effect.rawValue): \($0.reference.name)" }
        let open = policy.openRights.filter { $0.entitlements.contains(key) }.map { right in
            "\(right.reference.name): \(windows(of: right).joined(separator: ", "))"
        }
        return [
            PolicyExplanation(
                .entitlement, name,
                [
                    (.title, titles(entitlement.value)), (.givenBy, products.sorted()),
                    (.openedBy, open), (.rules, rules),
                ])
        ]
    }

    func credit(_ name: String) -> [PolicyExplanation] {
        guard let credit = policy.credits.first(where: { $0.key.text == name }) else { return [] }
        let products = policy.products.values.flatMap { product in
            product.grants.compactMap { grant -> String? in
                guard case .credit(credit.key, let units, let terms) = grant else { return nil }
                return (["\(product.id.text): \(units)"] + terms.written).joined(separator: ", ")
            }
        }
        return [
            PolicyExplanation(
                .credit, name,
                [(.title, titles(credit.value.title)), (.givenBy, products.sorted())])
        ]
    }

    // MARK: Texts

    func place(_ rule: RuleReference) -> String { "\(rule.file):\(rule.line)" }

    private func windows(of right: OpenRight) -> [String] {
        right.windows.compactMap { window in
            window.end.map { DateBound.within(window.start, $0).text }
        }
    }

    func titles(_ title: Title?) -> [String] {
        guard let title else { return [] }
        return [language == .chinese ? title.chinese ?? title.english : title.english]
    }

    /// Each by itself; all of the policy under what is written for them.
    private func gifts(of product: Product) -> [String] {
        let excepted = product.allExcept.map { $0.map(\.text).sorted().joined(separator: ", ") }
        let all = excepted.map { names in
            names.isEmpty
                ? ExplainPolicyPhrase.all.text(language)
                : ExplainPolicyPhrase.allExcept.text(language, names)
        }
        return [all].compactMap(\.self) + product.grants.map(\.written)
    }
}

extension ProductGrant {
    /// In the words of policies: `50 coins, every: 1mo`.
    var written: String {
        switch self {
        case .entitlement(let name, let lasting):
            name.text + (lasting.map { ", for: \($0.text)" } ?? "")
        case .credit(let name, let units, let terms):
            (["\(units) \(name.text)"] + terms.written).joined(separator: ", ")
        }
    }
}

extension CreditTerms {
    /// As a policy writes them.
    fileprivate var written: [String] {
        let offers = OfferWord.allCases.compactMap { offer in
            underOffer[offer].map { "\(offer.rawValue): \($0)" }
        }
        return [
            every.map { "every: \($0.text)" },
            offers.isEmpty ? nil : "under_offer: {\(offers.joined(separator: ", "))}",
            expires.text.map { "expires: \($0)" },
        ].compactMap(\.self)
    }
}

/// Groups of subscriptions, and their levels.
extension ExplanationWriter {
    func group(_ name: String) -> [PolicyExplanation] {
        guard let group = policy.groups.first(where: { $0.key.text == name }) else { return [] }
        let levels = group.value.levels.map { level in
            let products = products(of: group.key, level)
            return products.isEmpty
                ? level.text : "\(level.text): \(products.joined(separator: ", "))"
        }
        return [
            PolicyExplanation(
                .group, name,
                [
                    (.title, titles(group.value.title)), (.levels, levels),
                    (.products, products(of: group.key, nil)),
                    (.rules, rules { $0.names(group.key, group.value.levels) }),
                ])
        ]
    }

    /// One for each group that has a level of this name.
    func levels(_ name: String) -> [PolicyExplanation] {
        let groups = policy.groups.sorted { $0.key.text < $1.key.text }
        return groups.compactMap { group in
            guard let level = group.value.levels.first(where: { $0.text == name }) else {
                return nil
            }
            return PolicyExplanation(
                .level, name,
                [
                    (.ofGroup, [group.key.text]), (.products, products(of: group.key, level)),
                    (.rules, rules { $0.names(level, of: group.key) }),
                ])
        }
    }

    /// The products of a level; without one, those of a group that have no level.
    private func products(of group: GroupName, _ level: LevelName?) -> [String] {
        policy.products.values.filter { $0.group == group && $0.level == level }
            .map { "\($0.id.text) (\($0.kind.rawValue))" }.sorted()
    }

    /// Those of all lists with a condition that is wanted, in the order in which they are tried.
    private func rules(_ isWanted: (Condition) -> Bool) -> [String] {
        RuleList.allCases.flatMap { list in
            list.rules(of: policy).filter { rule in
                isWanted(rule.when) || rule.unless.map(isWanted) ?? false
            }.map { rule in
                "\(list.rawValue), \(rule.then): \(rule.reference.name) "
                    + "(\(place(rule.reference)))"
            }
        }
    }
}

extension Condition {
    /// Whether it has the name of a group, or of one of its levels without that of another group.
    fileprivate func names(_ group: GroupName, _ levels: [LevelName]) -> Bool {
        groups?.contains(group) ?? false || levels.contains { names($0, of: group) }
    }

    fileprivate func names(_ level: LevelName, of group: GroupName) -> Bool {
        levels?.contains(level) ?? false && groups?.contains(group) ?? true
    }
}
