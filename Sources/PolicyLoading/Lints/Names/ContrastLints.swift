internal import EntitlementModel

/// Rules whose name says one thing of one level or right and the opposite of another, and which do
/// to the one what the name says of the other: `a family may share gold, but platinum is for one`.
extension PolicyBuilder {
    mutating func checkContrasts(_ policy: Policy) {
        let levels = policy.groups.values.map { $0.levels.map(\.text) }
        let rights = [policy.entitlements.keys.sorted().map(\.text)]
        let titles = Dictionary(
            uniqueKeysWithValues: policy.entitlements.map { ($0.key.text, $0.value.english) })
        for rule in ruleSections("access") {
            guard let value = rule.value("name"), let name = value.text,
                let effect = rule.value("then")?.text, rule.value("unless") == nil,
                let contrast = Contrast(name)
            else { continue }
            let when = rule.value("when")?.section
            for (key, field, siblings) in [
                ("level", when?.value("level"), levels),
                ("entitlement", when?.value("entitlement"), rights),
                ("only", rule.value("only"), rights),
            ] {
                guard let field, field.elements.count == 1, let own = field.elements[0].text,
                    let others = siblings.first(where: { $0.contains(own) }),
                    let meant = contrast.meant(by: effect, in: others, besides: own)
                        ?? (key == "level"
                            ? nil : contrast.meant(by: effect, amongTitles: titles, besides: own))
                else { continue }
                let line = key == "only" ? "only: [\(meant)]" : "\(key): \(meant)"
                problems.add(
                    .conditionAgainstName, at: field.span, .written(name), .written(meant),
                    .plain("\(key): \(own)"), help: .writeOrRename(line),
                    related: [.init(note: .alsoHere, span: value.span)])
            }
        }
    }
}

/// A name of two parts, one of which says that something is given and one that it is not.
struct Contrast {
    private let given: NameText
    private let denied: NameText

    /// Nil for any other name.
    init?(_ name: String) {
        let parts = name.lowercased().split(separator: /[,;:，；：]| but | while | whereas | 而|但/)
            .map { NameText(String($0)) }
        guard parts.count == 2, let denied = parts.first(where: Self.denies),
            let given = parts.first(where: { !Self.denies($0) })
        else { return nil }
        (self.given, self.denied) = (given, denied)
    }

    private static func denies(_ part: NameText) -> Bool { part.hasAny(denying) }

    /// What a rule with this effect is about by its name, where the name says the opposite of what
    /// it is about.
    func meant(by effect: String, in names: [String], besides own: String) -> String? {
        let (right, wrong) =
            effect == AccessRule.Effect.grant.rawValue ? (given, denied) : (denied, given)
        guard wrong.contains(Self.phrase(own)), !right.contains(Self.phrase(own)) else {
            return nil
        }
        let others = names.filter { $0 != own && right.contains(Self.phrase($0)) }
        return others.count == 1 ? others[0] : nil
    }

    /// Those of some names of which the name says what the effect does; nil where it says it of none.
    func meant(by effect: String, in names: [String]) -> [String]? {
        let part = effect == AccessRule.Effect.grant.rawValue ? given : denied
        let found = names.filter { part.contains(Self.phrase($0)) }
        return found.isEmpty ? nil : found
    }

    /// The same by the words that only one of some names and titles has: `reading` and `read`.
    func meant(
        by effect: String, amongTitles titles: [String: String], besides own: String
    ) -> String? {
        let right = effect == AccessRule.Effect.grant.rawValue ? given : denied
        let words = titles.mapValues { Set(NameText($0).words) }
        let found = titles.keys.filter { name in
            let others = words.filter { $0.key != name }.values.reduce(into: Set<String>()) {
                $0.formUnion($1)
            }
            let all = (words[name] ?? []).union(WordsOfName(name).words)
            return all.subtracting(others).contains { word in
                word.count > 2 && right.words.contains { Self.areAlike($0, word) }
            }
        }
        return found.count == 1 && found[0] != own ? found[0] : nil
    }

    private static func areAlike(_ left: String, _ right: String) -> Bool {
        left == right || left + "s" == right || right + "s" == left
            || min(left.count, right.count) > 3 && (left.hasPrefix(right) || right.hasPrefix(left))
    }

    private static func phrase(_ name: String) -> String {
        WordsOfName(name).words.joined(separator: " ")
    }

    private static let denying = [
        "not", "no", "never", "nobody", "cannot", "nothing", "only", "alone", "for one",
        "personal", "private",
        "is for the buyer", "is for who", "ends", "不", "仅", "只", "禁止", "限",
    ]
}
