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

/// The handling of a claim on an owned unit; `deny` also, and `inherit` only, apply to units
/// without an owner.
package enum ClaimVerb: Hashable, Sendable {
    case keep
    case transfer
    case transferIfInactive
    /// Up to `maximum` accounts own it together.
    case share(maximum: Int)
    case ask
    case deny
    /// Only the owner of the Apple ID's other lineages gets it.
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

    /// Whether its rules apply to owned units.
    package var speaksOfOwned: Bool { self != .inherit }
    /// Whether its rules apply to units without an owner.
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

/// The answer to Apple when a customer asks it for a refund (spec 1.12). The first rule that
/// matches decides.
package struct RefundRule: Hashable, Sendable {
    package enum Answer: String, CaseIterable, Hashable, Sendable {
        case grant
        case prorate
        case decline
        /// Apple gets no answer.
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

/// A built-in rule, after those of every policy, or the decision if no rule applies. The raw value
/// is its name in answers, in the feed and in stories, and stays the same; pages show people the
/// name in their language.
package enum BuiltInRule: String, CaseIterable, Hashable, ModelText, Sendable, Wording {
    /// No fact gives the right, so no rule was asked.
    case nothing = "nothing gives it"
    case unknownOwnership = "unknown ownership gives nothing"
    case usable = "active, grace and renewing give"
    case otherwise = "everything else gives nothing"
    /// Behind the rules of `app_purchase`.
    case otherApp = "no rule of app_purchase matches"
    case grantedByHand = "granted by hand"
    case grantEnded = "the grant has ended"
    case blocked = "account is blocked"
    /// The appAccountToken of an unowned purchase names another account.
    case token = "the token names another account"
    /// A consumable is delivered once, to one account.
    case accountScoped = "account-scoped purchases do not move"
    /// A purchase shared by the family is never moved by a purchase claim of another account.
    case familyShared = "a purchase moves nothing that is shared"
    case lapsedMoves = "a lapsed subscription bought by its new account moves"
    /// On the day of a purchase no restore takes it from the account that presented it.
    case freshPurchase = "a restore takes nothing that was bought in the last 24 hours"
    case listed = "what the device lists takes nothing from another account"
    case ownerKeeps = "the owner keeps it"
    /// A release or an undone decision took it from the account.
    case takenByHand = "a person took it from the account"
    case closedAccount = "the account is closed"
    case ownerErased = "its account was erased"
    /// The back end before Usher has delivered it, perhaps.
    case beforeClaims = "bought before claims_from"
    /// It had no owner, and no rule denies it.
    case firstClaim = "the first accepted claim owns it"
    /// The claimant owned it already.
    case ownClaim = "the owner's own claim changes nothing"
    /// Two accounts were merged, or a merge was undone: deliveries follow such a decision.
    case merged = "the accounts were merged"
    /// A lineage continues an older one, and gets its owners (spec 1.4).
    case succession = "succession"
    /// A person decided.
    case byHand = "ruled by hand"
    /// The account owned the purchase once, and does not now.
    case formerOwner = "no longer owned"
    /// After the rules of `refund_answers` (spec 1.12).
    case nothingTold = "Apple is told nothing"

    /// The rule that has this name in one of the languages.
    package init?(named name: String) {
        let rule = Self.allCases.first { rule in
            Language.allCases.contains { rule.text($0) == name }
        }
        guard let rule else { return nil }
        self = rule
    }
}
