package import EntitlementModel

/// One thing that two policies write differently, whoever it concerns: what a reviewer looks for
/// where no access changes, such as a limit of account switches or a price (spec 2.4).
package struct PolicyEdit: Hashable, Sendable {
    package enum Change: String, CaseIterable, Sendable {
        case added
        case removed
        case changed
        /// A list of rules has the same rules in another order.
        case reordered
    }

    /// The key of the section in a policy file.
    package let section: String
    package let change: Change
    /// Of the rule, product, entitlement, credit or group; nil for settings and whole lists.
    package let name: String?
    /// The keys that differ, where it was changed.
    package let keys: [String]
    /// What is written before and after, of a time zone and of the credits that a product gives.
    package let before: String?
    package let after: String?

    init(
        _ section: String, _ change: Change, name: String? = nil, keys: [String] = [],
        before: String? = nil, after: String? = nil
    ) {
        self.section = section
        self.change = change
        self.name = name
        self.keys = keys
        self.before = before
        self.after = after
    }
}

/// What the second policy writes otherwise than the first one, in the order of the sections. Files,
/// lines and the order of names do not count; that of rules does.
package func policyEdits(from old: Policy, to new: Policy) -> [PolicyEdit] {
    settings(old, new) + definitions(old, new) + rules(old, new)
}

/// A key of a section or an item, and what is written there.
private typealias Key<Item> = (name: String, value: (Item) -> AnyHashable)

/// What a section holds besides settings.
private func otherKeys(of section: String) -> [Key<Policy>] {
    switch section {
    case "app":
        [
            ("bundle_id", { $0.app.bundleID }), ("apple_id", { $0.app.appleID }),
            ("newsstand", { $0.app.isNewsstand }),
        ]
    case "trust":
        [
            ("roots", { [$0.trust.jws, $0.trust.receipt] }),
            ("max_signed_age", { $0.trust.maximumSignedAge }),
            ("denied_keys", { $0.trust.deniedKeys }),
        ]
    case "environments":
        StoreEnvironment.allCases.map { environment in
            (environment.rawValue, { $0.environments[environment] ?? .refused })
        }
    default: []
    }
}

private func settings(_ old: Policy, _ new: Policy) -> [PolicyEdit] {
    PolicyGrammar.file.fields.map(\.key).compactMap { section in
        let settings = PolicySetting.allCases.filter { ($0.section ?? $0.policyKey) == section }
        let keys: [Key<Policy>] =
            otherKeys(of: section)
            + settings.map { setting in (setting.policyKey, { $0[setting] }) }
        let differing = differingKeys(keys, old, new)
        return differing.isEmpty ? nil : PolicyEdit(section, .changed, keys: differing)
    }
}

private func definitions(_ old: Policy, _ new: Policy) -> [PolicyEdit] {
    edits(
        "entitlements", named(old.entitlements), named(new.entitlements), keys: titleKeys { $0 })
        + edits(
            "credits", named(old.credits), named(new.credits),
            keys: titleKeys(\.title) + [
                ("on_refund", { $0.onRefund }), ("warn_before", { $0.warnBefore }),
            ])
        + edits(
            "groups", named(old.groups), named(new.groups),
            keys: titleKeys(\.title) + [("levels", { $0.levels })])
        + edits("products", named(old.sold), named(new.sold), keys: productKeys()).map { edit in
            let name = ProductID(unchecked: edit.name ?? "")
            let (before, after) = (old.products[name]?.credits, new.products[name]?.credits)
            guard edit.change == .changed, before != after else { return edit }
            return PolicyEdit(
                edit.section, .changed, name: edit.name, keys: edit.keys, before: before,
                after: after)
        }
}

extension Product {
    /// What it gives to count and spend, as policies write it; a dash for nothing.
    fileprivate var credits: String {
        let given = grants.filter(\.isCredit).map(\.written)
        return given.isEmpty ? "–" : given.joined(separator: "; ")
    }
}

extension Policy {
    fileprivate var sold: [ProductID: Product] { products.filter { $0.key != .app } }
}

private func productKeys() -> [Key<Product>] {
    titleKeys(\.title) + [
        ("kind", { $0.kind }), ("group", { $0.group }), ("level", { $0.level }),
        ("period", { $0.period }), ("duration", { $0.duration }),
        ("stacking", { $0.stacking }), ("stack", { $0.stack }), ("price", { $0.prices }),
        (
            "grants",
            { product in
                product.allExcept.map(AnyHashable.init)
                    ?? AnyHashable(
                        product.kind == .autoRenewable
                            ? product.grants.filter { !$0.isCredit } : product.grants)
            }
        ),
        ("credits", { $0.kind == .autoRenewable ? $0.grants.filter(\.isCredit) : [] }),
        ("retired", { $0.retiredAt }),
    ]
}

private func titleKeys<Item>(_ title: @escaping (Item) -> Title?) -> [Key<Item>] {
    [("title", { title($0)?.english }), ("title_zh", { title($0)?.chinese })]
}

private func rules(_ old: Policy, _ new: Policy) -> [PolicyEdit] {
    listEdits(
        "access", old.accessRules, new.accessRules, name: \.reference.name,
        keys: [
            ("when", { $0.when }), ("unless", { $0.unless }), ("then", { $0.effect }),
            ("only", { $0.only }),
        ])
        + listEdits(
            "account_switch", old.claimRules, new.claimRules, name: \.reference.name,
            keys: [
                ("when", { $0.when }), ("unless", { $0.unless }), ("then", { $0.verb }),
                ("limits", { $0.limits }),
            ])
        + listEdits(
            "open", old.openRights, new.openRights, name: \.reference.name,
            keys: [("entitlements", { $0.entitlements }), ("at", { $0.windows })])
        + listEdits(
            "refund_answers", old.refundRules, new.refundRules, name: \.reference.name,
            keys: [("when", { $0.when }), ("unless", { $0.unless }), ("then", { $0.answer })])
        + listEdits(
            "app_purchase", old.appRules, new.appRules, name: \.reference.name,
            keys: [("when", { $0.when }), ("grants", { $0.only })])
}

private func named<Name: Identifier, Item>(_ items: [Name: Item]) -> [String: Item] {
    Dictionary(items.map { ($0.key.text, $0.value) }) { first, _ in first }
}

private func listEdits<Rule>(
    _ section: String, _ old: [Rule], _ new: [Rule], name: (Rule) -> String, keys: [Key<Rule>]
) -> [PolicyEdit] {
    let before = Dictionary(old.map { (name($0), $0) }) { first, _ in first }
    let after = Dictionary(new.map { (name($0), $0) }) { first, _ in first }
    var found = edits(section, before, after, keys: keys)
    let kept = old.map(name).filter { after[$0] != nil }
    if kept != new.map(name).filter({ before[$0] != nil }) {
        found.append(PolicyEdit(section, .reordered))
    }
    return found
}

private func edits<Item>(
    _ section: String, _ old: [String: Item], _ new: [String: Item], keys: [Key<Item>]
) -> [PolicyEdit] {
    Set(old.keys).union(new.keys).sorted().compactMap { name in
        switch (old[name], new[name]) {
        case (let before?, let after?):
            let differing = differingKeys(keys, before, after)
            return differing.isEmpty
                ? nil : PolicyEdit(section, .changed, name: name, keys: differing)
        case (nil, _): return PolicyEdit(section, .added, name: name)
        case (_, nil): return PolicyEdit(section, .removed, name: name)
        }
    }
}

private func differingKeys<Item>(_ keys: [Key<Item>], _ old: Item, _ new: Item) -> [String] {
    keys.filter { $0.value(old) != $0.value(new) }.map(\.name)
}

/// The files of which the days begin at another instant, because their `time_zone` is another one:
/// with every day that is written in them (spec 2.4).
///
/// Files are compared by their path; one that only one of the folders has is no edit.
package func timeZoneEdits(from old: [PolicyText], to new: [PolicyText]) -> [PolicyEdit] {
    let before = Dictionary(old.map { ($0.path, $0.timeZone) }) { first, _ in first }
    return new.sorted { $0.path < $1.path }.compactMap { text in
        guard let was = before[text.path], was != text.timeZone else { return nil }
        return PolicyEdit(
            PolicyGrammar.timeZoneKey, .changed, name: text.path, before: was,
            after: text.timeZone)
    }
}

extension PolicyText {
    /// Of the days that are written in it.
    fileprivate var timeZone: String {
        // Most files have none: they are not read again.
        guard text.contains(PolicyGrammar.timeZoneKey) else { return "UTC" }
        var problems = ProblemList()
        guard let root = readYAML(self, into: &problems), case .map(let entries) = root.content,
            case .text(let name, _)? = entries.first(where: {
                $0.key == PolicyGrammar.timeZoneKey
            })?.value.content
        else { return "UTC" }
        return name
    }
}
