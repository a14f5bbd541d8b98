/// The place of a rule, for answers and explanations.
package struct RuleReference: Hashable, Sendable {
    package var name: String
    /// Relative to the policy folder; `built-in` for rules that stand behind the policy's own.
    package var file: String
    /// Counted from 1; 0 for built-in rules.
    package var line: Int

    package init(name: String, file: String, line: Int) {
        self.name = name
        self.file = file
        self.line = line
    }

    package static func builtIn(_ name: String) -> RuleReference {
        RuleReference(name: name, file: "built-in", line: 0)
    }

    package static func builtIn(_ rule: BuiltInRule) -> RuleReference { builtIn(rule.rawValue) }

    package var isBuiltIn: Bool { file == "built-in" }

    /// Its name for people: as somebody wrote it, or that of a built-in rule in their language.
    package func name(in language: Language) -> String {
        isBuiltIn ? BuiltInRule.words(name, language) : name
    }
}

/// From state to right (spec 1.5). The first rule that matches decides.
package struct AccessRule: Hashable, Sendable {
    package enum Effect: String, CaseIterable, Hashable, Sendable {
        case grant
        case withhold
    }

    package var reference: RuleReference
    package var when: Condition
    package var unless: Condition?
    package var effect: Effect
    /// The entitlements that it is about; nil for all. `only` and `entitlement` in `when` are
    /// the same thing.
    package var only: [EntitlementName]?

    package init(
        reference: RuleReference, when: Condition, unless: Condition? = nil, effect: Effect,
        only: [EntitlementName]? = nil
    ) {
        self.reference = reference
        self.when = when
        self.unless = unless
        self.effect = effect
        self.only = only
    }
}

/// What everybody may use in a window, also accounts of which nothing is known (spec 2.1).
package struct OpenRight: Hashable, Sendable {
    package var reference: RuleReference
    package var entitlements: [EntitlementName]
    /// In any of them; each has an end.
    package var windows: [Interval]

    package init(
        reference: RuleReference, entitlements: [EntitlementName], windows: [Interval]
    ) {
        self.reference = reference
        self.entitlements = entitlements
        self.windows = windows
    }
}

/// From claim to owner (spec 1.6). The first rule that matches decides.
package struct ClaimRule: Hashable, Sendable {
    package var reference: RuleReference
    package var when: Condition
    package var unless: Condition?
    package var verb: ClaimVerb
    package var limits: ClaimLimits

    package init(
        reference: RuleReference, when: Condition, unless: Condition? = nil, verb: ClaimVerb,
        limits: ClaimLimits = ClaimLimits()
    ) {
        self.reference = reference
        self.when = when
        self.unless = unless
        self.verb = verb
        self.limits = limits
    }
}

/// What happens when another account claims an owned unit; `deny` and `inherit` also, and
/// `inherit` only, speak of units that nobody owns.
package enum ClaimVerb: Hashable, Sendable {
    case keep
    case transfer
    case transferIfInactive
    /// Up to `maximum` accounts own it together.
    case share(maximum: Int)
    case ask
    case deny
    /// Nobody but the account that owns the Apple ID's other lineages gets it.
    case inherit

    package var word: String {
        switch self {
        case .keep: "keep"
        case .transfer: "transfer"
        case .transferIfInactive: "transfer-if-inactive"
        case .share: "share"
        case .ask: "ask"
        case .deny: "deny"
        case .inherit: "inherit"
        }
    }

    /// Whether its rules are asked about units that somebody owns.
    package var speaksOfOwned: Bool { self != .inherit }
    /// Whether its rules are asked about units that nobody owns.
    package var speaksOfUnowned: Bool { self == .deny || self == .inherit }
}

/// How often a unit may move.
package struct ClaimLimits: Hashable, Sendable {
    package struct Moves: Hashable, Sendable {
        package var count: Int
        /// A fixed length.
        package var window: Period

        package init(count: Int, window: Period) {
            self.count = count
            self.window = window
        }
    }

    /// What becomes of a claim beyond a limit.
    package enum Excess: String, CaseIterable, Hashable, Sendable {
        /// The owner keeps the unit.
        case keep
        /// A person has to rule.
        case ask
    }

    /// Time since the unit last moved; the first owning is no move. A fixed length.
    package var cooldown: Period?
    package var moves: Moves?
    /// `else` in a policy.
    package var excess: Excess

    package init(cooldown: Period? = nil, moves: Moves? = nil, excess: Excess = .keep) {
        self.cooldown = cooldown
        self.moves = moves
        self.excess = excess
    }
}

/// What Apple is told when a customer asks it for a refund (spec 1.12). The first rule that matches
/// decides.
package struct RefundRule: Hashable, Sendable {
    package enum Answer: String, CaseIterable, Hashable, Sendable {
        case grant
        case prorate
        case decline
        /// Apple is told nothing.
        case nothing
    }

    package var reference: RuleReference
    package var when: Condition
    package var unless: Condition?
    package var answer: Answer

    package init(
        reference: RuleReference, when: Condition, unless: Condition? = nil, answer: Answer
    ) {
        self.reference = reference
        self.when = when
        self.unless = unless
        self.answer = answer
    }
}
