internal import EntitlementModel

/// Rules whose name says one thing of one level or right and the opposite of another, and which do
/// to the one what the name says of the other: `a family may share gold, but platinum is for one`.
extension PolicyBuilder {
    mutating func checkContrasts(_ policy: Policy) {
        let levels = policy.groups.values.map { $0.levels.map(\.text) }
        let rights = [policy.entitlements.keys.sorted().map(\.text)]
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
            let given = parts.first(where: { !Self.denies($0) && $0.hasAny(Self.giving) })
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

    private static func phrase(_ name: String) -> String {
        WordsOfName(name).words.joined(separator: " ")
    }

    private static let giving = [
        "may", "can", "keep", "keeps", "share", "shares", "shared", "has", "have", "get", "gets",
        "is for everybody", "is for all", "可以", "可", "允许", "保留", "共享",
    ]

    private static let denying = [
        "not", "no", "never", "nobody", "cannot", "nothing", "only", "alone", "for one",
        "personal", "private",
        "is for the buyer", "is for who", "ends", "不", "仅", "只", "禁止", "限",
    ]
}
