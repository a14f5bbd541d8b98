internal import EntitlementModel
internal import PolicyLoading

/// What every case of a small policy shows, by asking them all.
struct BruteForce {
    private let policy: Policy
    private let palette: Set<ProofField>
    /// Of each rule: whether a case matches it, whether one is decided by it, and whether one that
    /// it matches is decided before it to another effect.
    private(set) var isMatched: [Bool]
    private(set) var decides: [Bool]
    private(set) var isContradicted: [Bool]
    private(set) var grantsAfterEnd: Set<Int> = []
    /// By finding, the cases that its example may be, among those that show it.
    private var unshown: [ShownFinding]
    private(set) var isAnythingGranted = false
    private(set) var deciders: Set<Int> = []
    /// What a table has to list in each cell, if that is asked for: built-in rules are numbered
    /// behind the policy's own.
    private(set) var cells: [BruteCell: Set<Int>] = [:]
    private let isForTables: Bool

    private struct Rule {
        let effect: String
        let matches: (BruteCase) -> Bool
    }

    private let rules: [Rule]

    /// - Parameters:
    ///   - findings: whose examples are to be cases that show what is said.
    ///   - isForTables: whether to tell what decides in each cell, built-in rules included.
    init(
        _ random: RandomPolicy, _ list: RandomPolicy.List, _ findings: [PolicyFinding] = [],
        isForTables: Bool = false
    ) {
        self.isForTables = isForTables
        unshown = findings.compactMap(ShownFinding.init)
        policy = random.policy
        palette = Set(random.palette)
        switch list {
        case .access: rules = random.policy.accessRules.map(Self.rule)
        case .claims: rules = random.policy.claimRules.map(Self.rule)
        case .refunds: rules = random.policy.refundRules.map(Self.rule)
        }
        isMatched = rules.map { _ in false }
        (decides, isContradicted) = (isMatched, isMatched)
        for subject in subjects(list) { askAll(subject) }
    }

    // MARK: Rules

    private static func rule(_ rule: AccessRule) -> Rule {
        Rule(effect: rule.effect.rawValue) { asked in
            if asked.question != .right {
                guard rule.when.environments?.contains(asked.environment) ?? false else {
                    return false
                }
            }
            if let only = rule.only {
                guard let name = asked.entitlement, only.contains(name) else { return false }
            }
            let namesAccount = rule.when.accounts != nil || rule.unless?.accounts != nil
            if namesAccount, asked.account == nil { return false }
            return asked.meets(rule.when) && !(rule.unless.map(asked.meets) ?? false)
        }
    }

    private static func rule(_ rule: ClaimRule) -> Rule {
        Rule(effect: rule.verb.word) { asked in
            switch (asked.question, rule.verb) {
            case (.owned, .inherit), (.unowned(false), .inherit): return false
            case (.owned, _), (.unowned, .deny): break
            case (.unowned(true), .inherit): if asked.token != .none { return false }
            default: return false
            }
            func holds(_ condition: Condition) -> Bool {
                if asked.meets(condition) { return true }
                // What nobody owns is restored by listing it, too.
                guard asked.isUnowned, asked.moment == .listed else { return false }
                var restored = asked
                restored.moment = .restore
                return restored.meets(condition)
            }
            return holds(rule.when) && !(rule.unless.map(holds) ?? false)
        }
    }

    private static func rule(_ rule: RefundRule) -> Rule {
        Rule(effect: rule.answer.rawValue) { asked in
            asked.meets(rule.when) && !(rule.unless.map(asked.meets) ?? false)
        }
    }

    // MARK: Cases

    private func subjects(_ list: RandomPolicy.List) -> [BruteCase] {
        var found: [BruteCase] = []
        for product in policy.products.values.sorted(by: { $0.id < $1.id }) {
            var subject = BruteCase()
            subject.product = product.id
            subject.kind = product.kind
            (subject.group, subject.level) = (product.group, product.level)
            switch list {
            case .access: found += rights(subject, product)
            case .claims, .refunds: found += questions(subject, list)
            }
        }
        guard list != .access else { return found }
        for name in ["zz", "s9", "z1", "s91"] {
            for kind in ProductKind.allCases.map({ $0 as ProductKind? }) + [nil] {
                var subject = BruteCase()
                subject.product = ProductID(unchecked: name)
                subject.kind = kind
                found += questions(subject, list)
            }
        }
        return found
    }

    private func rights(_ subject: BruteCase, _ product: Product) -> [BruteCase] {
        product.grants.flatMap { grant -> [BruteCase] in
            var subject = subject
            guard case .entitlement(let name, _) = grant else {
                subject.question = .deliveryElsewhere
                return [subject]
            }
            subject.entitlement = name
            var other = subject
            other.question = .rightElsewhere
            return [subject, other]
        }
    }

    private func questions(_ subject: BruteCase, _ list: RandomPolicy.List) -> [BruteCase] {
        let questions: [BruteCase.Question] =
            list == .refunds
            ? [.refund] : [.owned, .unowned(hasHeir: false), .unowned(hasHeir: true)]
        return questions.map { question in
            var subject = subject
            subject.question = question
            return subject
        }
    }

    private mutating func askAll(_ subject: BruteCase) {
        var cases = [subject]
        func vary<Value>(
            _ isVaried: Bool, _ path: WritableKeyPath<BruteCase, Value>, _ values: [Value]
        ) {
            guard isVaried else { return }
            cases = cases.flatMap { base in
                values.map { value in
                    var varied = base
                    varied[keyPath: path] = value
                    return varied
                }
            }
        }
        switch subject.question {
        case .right, .rightElsewhere: cases = standings(of: subject)
        case .owned, .unowned:
            let isTold = palette.contains(.state) || palette.contains(.paid)
            cases = isTold ? standings(of: subject) : []
            var stateless = subject
            stateless.isStateless = true
            cases.append(stateless)
        case .deliveryElsewhere, .refund: break
        }
        vary(palette.contains(.quantity), \.quantity, [1, 2, 3, 4])
        vary(palette.contains(.environment), \.environment, StoreEnvironment.allCases)
        vary(palette.contains(.ownership), \.ownership, OwnershipWord.allCases)
        vary(
            isForTables && !palette.contains(.ownership), \.ownership, [.purchased, .unknown])
        vary(palette.contains(.offer), \.offer, OfferWord.allCases)
        vary(palette.contains(.autoRenew), \.autoRenew, AutoRenewWord.allCases)
        vary(palette.contains(.storefront), \.storefront, [nil, "DEU", "USA", "CHN", "FRA"])
        vary(
            palette.contains(.account), \.account,
            ["someone", "bob", "qa-1", "qa-2"]
                + (subject.question == .owned || subject.isUnowned ? [] : [nil]))
        vary(
            palette.contains(.token) || subject.isUnowned || isForTables, \.token,
            TokenMatch.allCases)
        vary(palette.contains(.moment) || isForTables, \.moment, ClaimMoment.allCases)
        let dates = [
            ProofField.dates[0] - 100 * ProofField.day, ProofField.dates[0] - 1,
            ProofField.dates[0], ProofField.dates[1] - 1, ProofField.dates[1],
            ProofField.dates[1] + 100 * ProofField.day,
        ]
        let isTimed = !palette.isDisjoint(with: [.purchased, .first, .at, .age, .unpaid])
        vary(isTimed, \.first, palette.contains(.first) ? dates : [dates[0]])
        let isDated = !palette.isDisjoint(with: [.purchased, .at])
        vary(isTimed, \.purchased, isDated ? dates : [dates[0], dates[4]])
        vary(isTimed, \.at, isDated ? dates : [dates[0], dates[4], dates[5]])
        vary(
            palette.contains(.age), \.age,
            [0, ProofField.day - 1, ProofField.day, 7 * ProofField.day - 1, 7 * ProofField.day])
        vary(
            palette.contains(.unpaid), \.unpaid,
            [nil, 0, ProofField.day - 1, ProofField.day, 7 * ProofField.day])
        vary(
            palette.contains(.member), \.member,
            subject.group == nil ? [nil] : [0, ProofField.day, 7 * ProofField.day])
        for asked in cases where asked.isPossible { ask(asked) }
    }

    private func standings(of subject: BruteCase) -> [BruteCase] {
        EntitlementState.allCases.flatMap { state -> [BruteCase] in
            var base = subject
            base.state = state
            switch state {
            case .expired:
                let isTold = palette.contains(.expiryReason)
                return (isTold ? ExpiryReason.allCases : [.unknown]).map { reason in
                    var varied = base
                    varied.expiryReason = reason
                    return varied
                }
            case .revoked:
                let isTold = palette.contains(.revocation)
                return (isTold ? RevocationWord.allCases : [.full]).map { revocation in
                    var varied = base
                    varied.revocation = revocation
                    return varied
                }
            default: return [base]
            }
        }
    }

    // MARK: Asking

    /// The findings with an example that is no case of them.
    var findingsWithoutCase: [PolicyFinding] { unshown.map(\.finding) }

    private mutating func show(_ asked: BruteCase) {
        guard !unshown.isEmpty else { return }
        let matching = rules.indices.filter { rules[$0].matches(asked) }
        var left = unshown
        left.removeAll { shown in
            guard shown.example.describes(asked), matching.contains(shown.rule) else {
                return false
            }
            switch shown.finding.id {
            case .unreachableRule: return matching.first != shown.rule
            case .contradictingRule, .exceptionBehindRule:
                return matching.first.map { rules[$0].effect != rules[shown.rule].effect } ?? false
            default:
                return matching.first == shown.rule && !asked.state.isRunning && isLast(asked)
            }
        }
        unshown = left
    }

    private mutating func ask(_ asked: BruteCase) {
        show(asked)
        var first: Int?
        for (index, rule) in rules.enumerated() where rule.matches(asked) {
            isMatched[index] = true
            guard let decider = first else {
                first = index
                decides[index] = true
                continue
            }
            if rules[decider].effect != rule.effect { isContradicted[index] = true }
        }
        if isForTables { enter(asked, first) }
        guard asked.question == .right || asked.question == .rightElsewhere else { return }
        if let first, rules[first].effect == "grant", !asked.state.isRunning, isLast(asked) {
            grantsAfterEnd.insert(first)
        }
        let isTrusted = policy.environments[asked.environment] == .trusted
        guard asked.question == .right, isTrusted else { return }
        let builtIn =
            asked.ownership != .unknown
            && [.active, .grace, .renewing].contains(asked.state)
        if first.map({ rules[$0].effect == "grant" }) ?? builtIn { isAnythingGranted = true }
        if asked.state == .active, let first { deciders.insert(first) }
    }

    private mutating func enter(_ asked: BruteCase, _ first: Int?) {
        // Of what the device lists, only a share is asked where somebody owns it.
        let isPassedOver =
            asked.question == .owned && asked.moment == .listed
            && first.map { rules[$0].effect != "share" } ?? false
        guard policy.products[asked.product] != nil, let cell = BruteCell(asked),
            let rule = (isPassedOver ? nil : first)
                ?? asked.builtInRule.map({ rules.count + $0 })
        else { return }
        cells[cell, default: []].insert(rule)
    }

    /// Whether nothing that comes later is another case.
    private func isLast(_ asked: BruteCase) -> Bool {
        let isNeverUnpaid = asked.kind == .nonConsumable || asked.kind == .free
        return (!palette.contains(.age) || asked.age == 7 * ProofField.day)
            && (!palette.contains(.unpaid) || isNeverUnpaid || asked.unpaid == 7 * ProofField.day)
            && (!palette.contains(.at)
                || asked.at == ProofField.dates[1] + 100 * ProofField.day)
    }
}

extension BruteCase {
    fileprivate var isUnowned: Bool {
        if case .unowned = question { true } else { false }
    }
}

extension BruteForce {
    /// The findings that a prover must come to, no more and no less: id and rule.
    func expected(_ list: RandomPolicy.List) -> Set<String> {
        var found: Set<String> = []
        for index in isMatched.indices {
            if !isMatched[index] {
                found.insert("never-matches \(index)")
            } else if !decides[index] {
                let id = isContradicted[index] ? "contradicting-rule" : "unreachable-rule"
                found.insert("\(id) \(index)")
            }
        }
        guard list == .access else { return found }
        for index in grantsAfterEnd {
            let rule = policy.accessRules[index]
            if rule.when == Condition(), rule.unless == nil { continue }
            found.insert("grants-after-end \(index)")
        }
        let isSoldNothing = policy.products.values.allSatisfy { product in
            !product.grants.contains { if case .entitlement = $0 { true } else { false } }
        }
        let isMeant = deciders.contains { policy.accessRules[$0].namesWhatIsSold }
        if !isAnythingGranted, !isSoldNothing, !isMeant, let first = deciders.min() {
            found.insert("withholds-everything \(first)")
        } else {
            for index in soldForNothing { found.insert("sold-for-nothing \(index)") }
        }
        return found
    }

    /// The rules that withhold all that a product on sale gives from whoever buys it last of all.
    private var soldForNothing: Set<Int> {
        guard policy.environments[.production] == .trusted else { return [] }
        var found: Set<Int> = []
        for product in policy.products.values where product.retiredAt == nil {
            let rights = product.grants.compactMap { grant in
                if case .entitlement(let name, _) = grant { name } else { nil }
            }
            guard rights.count == product.grants.count else { continue }
            let deciders = rights.map { right in
                let asked = buyer(of: product, right)
                return rules.indices.first { !isForSome($0) && rules[$0].matches(asked) }
            }
            let isWithheld = deciders.allSatisfy { decider in
                decider.map { rules[$0].effect == "withhold" } ?? false
            }
            if isWithheld, let first = deciders.first, let first { found.insert(first) }
        }
        return found
    }

    /// Whether a rule excepts those for whom alone something is sold.
    private func isForSome(_ index: Int) -> Bool {
        guard policy.accessRules.indices.contains(index),
            let unless = policy.accessRules[index].unless
        else { return false }
        let when = policy.accessRules[index].when
        let namesSold = when.products != nil || when.groups != nil
        return unless.storefronts != nil
            || (namesSold && (unless.accounts != nil || unless.memberFor != nil))
    }

    private func buyer(of product: Product, _ right: EntitlementName) -> BruteCase {
        var asked = BruteCase()
        asked.product = product.id
        (asked.kind, asked.group, asked.level) = (product.kind, product.group, product.level)
        asked.entitlement = right
        asked.autoRenew = product.kind == .autoRenewable ? .on : .unknown
        let late = ProofField.dates[1] + 1_000 * ProofField.day
        (asked.first, asked.purchased, asked.at) = (late, late, late)
        return asked
    }
}

extension AccessRule {
    fileprivate var namesWhatIsSold: Bool {
        (when.products.map { !$0.contains(NamePattern("*")) } ?? false) || when.groups != nil
            || when.levels != nil || when.entitlements != nil || only != nil
    }
}
