internal import EntitlementDerivation
internal import EntitlementModel
internal import PolicyLoading

/// The products of a policy, in the order of their names.
struct CellCatalogue {
    let products: [Product]
    let ids: Set<ProductID>
    /// Those that are in a subscription group.
    let grouped: Set<ProductID>
    /// Whether to ask about products that it lacks as well.
    let hasStrangers: Bool

    init(_ policy: Policy) {
        products = policy.products.values.sorted { $0.id < $1.id }
        ids = Set(policy.products.keys)
        grouped = policy.grouped
        hasStrangers = true
    }

    /// What the rules of a list can be about: those of `access` are not asked about the app itself.
    func asked(by list: RuleList) -> CellCatalogue {
        switch list {
        case .appPurchase: CellCatalogue(self) { $0.id == .app }
        case .access, .refundAnswers, .open: CellCatalogue(self) { $0.id != .app }
        case .accountSwitch: self
        }
    }

    private init(_ all: CellCatalogue, where isAsked: (Product) -> Bool) {
        (ids, grouped, hasStrangers) = (all.ids, all.grouped, all.hasStrangers)
        products = all.products.filter(isAsked)
    }

    /// Some of its products, in the order of their names, and no others.
    init(_ policy: Policy, products: [Product]) {
        self.products = products
        ids = Set(policy.products.keys)
        grouped = policy.grouped
        hasStrangers = false
    }
}

extension Policy {
    fileprivate var grouped: Set<ProductID> {
        Set(products.values.filter { $0.group != nil }.map(\.id))
    }
}

/// Groups what a policy can be asked about by the rules that may decide it.
struct SubjectBuilder {
    private struct Key: Hashable {
        let question: CellSubject.Question
        let kind: ProductKind?
        let isGrouped: Bool
        let candidates: [CellSubject.Candidate]
    }

    private let catalogue: CellCatalogue
    private let rules: [CellRule]
    private let space: CellSpace
    /// Whether a subject is the one that is looked for, so that no more are.
    private let isEnough: (CellSubject) -> Bool
    private var seen: Set<Key> = []
    private(set) var subjects: [CellSubject] = []
    private(set) var isDone = false

    init(
        _ catalogue: CellCatalogue, _ rules: [CellRule], _ space: CellSpace,
        until isEnough: @escaping (CellSubject) -> Bool = { _ in false }
    ) {
        self.catalogue = catalogue
        self.rules = rules
        self.space = space
        self.isEnough = isEnough
    }

    /// Every product with every entitlement that it gives, and its credits.
    mutating func addRights() {
        let named = Set(rules.flatMap { $0.when.environments ?? [] })
        for product in catalogue.products where !isDone {
            let matching = matching(product.id, product, product.kind)
            var isDelivery = false
            for grant in product.grants {
                guard case .entitlement(let name, _) = grant else {
                    isDelivery = true
                    continue
                }
                let candidates = matching.filter { rules[$0.rule].isAbout(name) }.map {
                    CellSubject.Candidate(
                        rule: $0.rule,
                        mayBeExcepted: $0.mayBeExcepted
                            && rules[$0.rule].unless?.isAbout(name) ?? false)
                }
                add(.right, product.id, product.kind, name, candidates)
                guard !named.isEmpty else { continue }
                add(.rightElsewhere, product.id, product.kind, name, naming(candidates))
            }
            guard isDelivery, !named.isEmpty else { continue }
            let speaking = matching.filter {
                rules[$0.rule].only == nil && rules[$0.rule].when.entitlements == nil
            }.map {
                CellSubject.Candidate(
                    rule: $0.rule,
                    mayBeExcepted: $0.mayBeExcepted
                        && rules[$0.rule].unless?.entitlements == nil)
            }
            add(.deliveryElsewhere, product.id, product.kind, nil, naming(speaking))
        }
    }

    /// Every product, and those that the catalogue lacks.
    mutating func addClaims(_ verbs: [ClaimVerb]) {
        addPurchases { builder, id, kind, matching in
            guard kind?.isAccountScoped != true else { return }
            builder.add(
                .owned, id, kind, nil, matching.filter { verbs[$0.rule].speaksOfOwned })
            for hasHeir in [false, true] {
                let asked = matching.filter {
                    verbs[$0.rule] == .deny || hasHeir && verbs[$0.rule] == .inherit
                }
                builder.add(.unowned(hasHeir: hasHeir), id, kind, nil, asked)
            }
        }
    }

    mutating func addRefunds() {
        addPurchases { builder, id, kind, matching in
            builder.add(.refund, id, kind, nil, matching)
        }
    }

    // MARK: Parts

    private mutating func addPurchases(
        _ add: (inout Self, ProductID, ProductKind?, [CellSubject.Candidate]) -> Void
    ) {
        for product in catalogue.products where !isDone {
            add(&self, product.id, product.kind, matching(product.id, product, product.kind))
        }
        guard catalogue.hasStrangers else { return }
        let kinds = ProductKind.allCases.map { $0 as ProductKind? } + [nil]
        for id in strangers() {
            for kind in kinds where !isDone { add(&self, id, kind, matching(id, nil, kind)) }
        }
    }

    /// Ids that the catalogue lacks: one for each pattern and each two of them, and one that none
    /// matches.
    private func strangers() -> [ProductID] {
        let patterns = Set(
            rules.flatMap { rule in
                (rule.when.products ?? []) + (rule.unless?.products ?? [])
            }.filter(\.hasWildcard).map(\.text)
        ).sorted()
        var names = ["other"]
        for pattern in patterns {
            names.append(pattern.replacing("*", with: "x"))
            for other in patterns where other != pattern {
                let ends = (pattern.split(separator: "*").first, other.split(separator: "*").last)
                names.append("\(ends.0 ?? "")x\(ends.1 ?? "")")
            }
            if names.count > 500 { break }
        }
        return names.compactMap { ProductID($0) }.filter { !catalogue.ids.contains($0) }
    }

    private func matching(
        _ id: ProductID, _ product: Product?, _ kind: ProductKind?
    ) -> [CellSubject.Candidate] {
        rules.indices.compactMap { index in
            guard rules[index].when.admits(id, product, kind) else { return nil }
            return CellSubject.Candidate(
                rule: index,
                mayBeExcepted: rules[index].unless?.admits(id, product, kind) ?? false)
        }
    }

    /// Those that name an environment.
    private func naming(_ candidates: [CellSubject.Candidate]) -> [CellSubject.Candidate] {
        candidates.filter { rules[$0.rule].when.environments != nil }
    }

    private mutating func add(
        _ question: CellSubject.Question, _ product: ProductID, _ kind: ProductKind?,
        _ entitlement: EntitlementName?, _ candidates: [CellSubject.Candidate]
    ) {
        let key = Key(
            question: question, kind: kind, isGrouped: catalogue.grouped.contains(product),
            candidates: candidates)
        guard seen.insert(key).inserted else { return }
        let clock: CellClock =
            switch question {
            case .right, .rightElsewhere: kind == .autoRenewable ? .subscription : .right
            case .deliveryElsewhere: .delivery
            case .owned, .unowned: .none
            case .refund: .refund
            }
        let subject = CellSubject(
            question: question, product: product, kind: kind, entitlement: entitlement,
            clock: clock, box: box(question, kind, isGrouped: key.isGrouped), candidates: candidates
        )
        subjects.append(subject)
        if isEnough(subject) { isDone = true }
    }

    private func box(
        _ question: CellSubject.Question, _ kind: ProductKind?, isGrouped: Bool
    ) -> CellBox {
        var box = space.layout.full
        if space.values(.memberTime).count > 1 {
            // The first value is that of what is in no group.
            box = space.layout.restricting(box, .memberTime) { ($0 > 0) == isGrouped }
        }
        switch question {
        case .right, .rightElsewhere:
            if let kind {
                box = space.layout.restricting(box, .standing) {
                    space.standings[$0].goes(with: kind)
                }
            }
            if kind?.hasPaidEnd == false {
                box = space.layout.restricting(box, .unpaid) { $0 == 0 }
            }
            if kind == .autoRenewable { return box }
        case .deliveryElsewhere:
            box = space.layout.restricting(box, .standing) { $0 == 0 }
        case .owned, .unowned:
            // A claim may come before the first purchase begins.
            return space.layout.restricting(box, .standing) { place in
                guard space.standings.indices.contains(place) else { return true }
                return kind.map(space.standings[place].goes) ?? false
            }
        case .refund: return box
        }
        return space.restricting(box, .autoRenew, to: AutoRenewWord.unknown)
    }
}

extension CellRule {
    /// Whether it may decide an entitlement.
    fileprivate func isAbout(_ name: EntitlementName) -> Bool {
        (only?.contains(name) ?? true) && when.isAbout(name)
    }
}

extension Condition {
    fileprivate func isAbout(_ name: EntitlementName) -> Bool {
        entitlements?.contains(name) ?? true
    }
}

extension CellTable {
    /// The access rules, with the built-in ones behind them.
    static func access(_ policy: Policy, _ catalogue: CellCatalogue) -> CellTable {
        rights(
            .access, catalogue, policy,
            policy.accessRules.enumerated().map { CellRule($1, at: $0) }
                + builtInAccessRules.map { CellRule($0, at: nil) })
    }

    /// The rules about the app itself, which all give something.
    static func app(_ policy: Policy, _ catalogue: CellCatalogue) -> CellTable {
        rights(
            .appPurchase, catalogue, policy,
            policy.appRules.enumerated().map { CellRule($1, at: $0) })
    }

    private static func rights(
        _ list: RuleList, _ catalogue: CellCatalogue, _ policy: Policy, _ rules: [CellRule]
    ) -> CellTable {
        let space = CellSpace(
            rules.conditions, foldsAccounts: policy.foldsAccounts, hasNobody: true)
        var builder = SubjectBuilder(catalogue.asked(by: list), rules, space)
        builder.addRights()
        return CellTable(list: list, rules: rules, space: space, subjects: builder.subjects)
    }

    static func claims(_ policy: Policy, _ catalogue: CellCatalogue) -> CellTable {
        let rules = policy.claimRules.enumerated().map { CellRule($1, at: $0) }
        // Which of the built-in rules decides what none of these does is told as well.
        let space = CellSpace(
            rules.conditions + builtInClaimRules.map(\.when),
            foldsAccounts: policy.foldsAccounts, hasNobody: false, hasStateless: true)
        var builder = SubjectBuilder(catalogue, rules, space)
        builder.addClaims(policy.claimRules.map(\.verb))
        return CellTable(
            list: .accountSwitch, rules: rules, space: space, subjects: builder.subjects)
    }

    static func refunds(_ policy: Policy, _ catalogue: CellCatalogue) -> CellTable {
        let rules = policy.refundRules.enumerated().map { CellRule($1, at: $0) }
        let space = CellSpace(
            rules.conditions, foldsAccounts: policy.foldsAccounts, hasNobody: true)
        var builder = SubjectBuilder(catalogue.asked(by: .refundAnswers), rules, space)
        builder.addRefunds()
        return CellTable(
            list: .refundAnswers, rules: rules, space: space, subjects: builder.subjects)
    }
}

extension [CellRule] {
    var conditions: [Condition] {
        flatMap { [$0.when] + ($0.unless.map { [$0] } ?? []) }
    }
}

extension ProductKind {
    /// Whether a purchase is paid for until an instant (spec 1.4).
    var hasPaidEnd: Bool {
        switch self {
        case .autoRenewable, .nonRenewing, .consumable: true
        case .nonConsumable, .free: false
        }
    }
}
