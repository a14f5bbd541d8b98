internal import EntitlementModel
internal import PolicyLoading

/// A rule of any list, as far as it can be compared with the others of its list.
struct CellRule {
    /// Its place in the list; nil for one that is built in.
    let index: Int?
    let reference: RuleReference
    /// The same for two rules that do the same.
    let effect: String
    let when: Condition
    let unless: Condition?
    /// Nil for all.
    let only: [EntitlementName]?
}

extension CellRule {
    init(_ rule: AccessRule, at index: Int?) {
        self.init(
            index: index, reference: rule.reference, effect: rule.effect.rawValue,
            when: rule.when, unless: rule.unless, only: rule.only)
    }

    init(_ rule: ClaimRule, at index: Int?) {
        var effect = [rule.verb.word]
        if case .share(let maximum) = rule.verb { effect.append("\(maximum)") }
        if let cooldown = rule.limits.cooldown { effect.append("cooldown \(cooldown.text)") }
        if let moves = rule.limits.moves { effect.append("\(moves.count)/\(moves.window.text)") }
        if rule.limits != ClaimLimits() { effect.append(rule.limits.excess.rawValue) }
        self.init(
            index: index, reference: rule.reference, effect: effect.joined(separator: " "),
            when: rule.when, unless: rule.unless, only: nil)
    }

    init(_ rule: RefundRule, at index: Int?) {
        self.init(
            index: index, reference: rule.reference, effect: rule.answer.rawValue,
            when: rule.when, unless: rule.unless, only: nil)
    }

    /// Whether it gives to an heir, and so asks for no token (spec 1.6).
    var inherits: Bool { effect.split(separator: " ").first == "inherit" }

    var grants: Bool { effect == AccessRule.Effect.grant.rawValue }
}

/// What a question is about: cases that the same rules can decide, and on which product and
/// entitlement have no more to say.
struct CellSubject {
    /// What is asked.
    enum Question: Hashable {
        /// A right in the purchase's own environment.
        case right
        /// A right in another one: only rules that name the purchase's are asked (spec 1.5).
        case rightElsewhere
        /// Credits in another one; in its own none is asked.
        case deliveryElsewhere
        /// Who owns what somebody owns, or nobody does, with an heir or without one (spec 1.6).
        case owned
        case unowned(hasHeir: Bool)
        case refund
    }

    /// A rule that may decide, in order.
    struct Candidate: Hashable {
        let rule: Int
        /// Whether what its `unless` says of the product holds.
        let mayBeExcepted: Bool
    }

    let question: Question
    /// The first of its products, and what of it.
    let product: ProductID
    /// Nil for a kind that Apple adds.
    let kind: ProductKind?
    /// Nil for a delivery, a claim and a refund.
    let entitlement: EntitlementName?
    let clock: CellClock
    /// The cells that are possible on each axis for itself.
    let box: CellBox
    let candidates: [Candidate]
}

/// The rules of a list with the cells that they look at.
struct CellTable {
    let list: RuleList
    let rules: [CellRule]
    let space: CellSpace
    let subjects: [CellSubject]
    /// By rule.
    private let boxes: [CellBox]
    private let exceptions: [CellBox?]
    /// The same of what nobody owns, where listing restores.
    private let unowned: [(when: CellBox, unless: CellBox?)]

    init(list: RuleList, rules: [CellRule], space: CellSpace, subjects: [CellSubject]) {
        self.list = list
        self.rules = rules
        self.space = space
        self.subjects = subjects
        boxes = rules.map { rule in
            let box = space.box(rule.when)
            let namesAccount = rule.when.accounts != nil || rule.unless?.accounts != nil
            guard [.access, .appPurchase].contains(list), namesAccount else {
                return box
            }
            // Where the question is an Apple ID's, rules that name an account do not match.
            let accounts = space.values(.account)
            return space.layout.restricting(box, .account) { accounts[$0] != .account(nil) }
        }
        exceptions = rules.map { $0.unless.map(space.box) }
        unowned = rules.map { rule in
            (space.box(rule.when.ofUnowned), rule.unless.map { space.box($0.ofUnowned) })
        }
    }

    /// The cells in which a candidate of a subject matches.
    func region(_ candidate: CellSubject.Candidate, of subject: CellSubject) -> CellRegion {
        var (box, unless) = (boxes[candidate.rule], exceptions[candidate.rule])
        if case .unowned = subject.question { (box, unless) = unowned[candidate.rule] }
        if subject.question == .unowned(hasHeir: true), rules[candidate.rule].inherits {
            box = space.restricting(box, .token, to: TokenMatch.none)
        }
        return CellRegion(
            rule: candidate.rule, when: box,
            unless: candidate.mayBeExcepted ? unless : nil)
    }

    /// Those of all candidates of a subject, in order.
    func regions(of subject: CellSubject) -> [CellRegion] {
        subject.candidates.map { region($0, of: subject) }
    }
}

extension Condition {
    /// What nobody owns is restored by listing it, too (spec 1.6).
    fileprivate var ofUnowned: Condition {
        guard let moments, moments.contains(.restore) else { return self }
        var condition = self
        condition.moments = moments + [.listed]
        return condition
    }
}

/// The cells in which a rule matches.
struct CellRegion {
    let rule: Int
    let when: CellBox
    let unless: CellBox?
}
