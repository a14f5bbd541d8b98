package import EntitlementModel

/// What an action would change: the answer to a call with `dry_run`, whatever the call.
package struct EffectAnswer: WireObject {
    package var isDryRun = true
    /// As of when the action would be.
    package var at: Instant
    /// What is different from then on, now or later; by account.
    package var changes: [EffectChange] = []
    /// What the feed would publish because of it, in order.
    package var told: [ToldChange] = []
    /// Whether anybody has less by it, now or later.
    package var takesAway: Bool
    /// The command that takes it back, word by word, without the reason; nil where nothing does.
    package var undo: [String]?
    /// Of an action on the policy.
    package var impact: PolicyImpactAnswer?
    /// Of one on undelivered changes.
    package var delivery: EffectDelivery?
    /// Of an erasure.
    package var erasure: ErasureScope?

    package init(at instant: Instant, takesAway: Bool = false) {
        at = instant
        self.takesAway = takesAway
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let isDryRun = try shape.value("dry_run", \.isDryRun)
        var effect = EffectAnswer(at: try shape.value("at", \.at))
        effect.isDryRun = isDryRun
        effect.changes = try shape.value("changes", \.changes)
        effect.told = try shape.value("told", \.told)
        effect.takesAway = try shape.value("takes_away", \.takesAway)
        effect.undo = try shape.optional("undo", \.undo)
        effect.impact = try shape.optional("impact", \.impact)
        effect.delivery = try shape.optional("delivery", \.delivery)
        effect.erasure = try shape.optional("erasure", \.erasure)
        return effect
    }
}

/// The changes that a subscription has put aside and an action is about.
package struct EffectDelivery: WireObject {
    package var subscription: String
    /// Nil for a subscription that the settings lack by now.
    package var receiver: String?
    /// Whether they would be sent again, and not struck off.
    package var isSentAgain: Bool
    package var count: Int64
    /// The first of them.
    package var changes: [ChangeAnswer]

    package init(
        subscription: String, receiver: String?, isSentAgain: Bool, count: Int64,
        changes: [ChangeAnswer]
    ) {
        self.subscription = subscription
        self.receiver = receiver
        self.isSentAgain = isSentAgain
        self.count = count
        self.changes = changes
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        EffectDelivery(
            subscription: try shape.value("subscription", \.subscription),
            receiver: try shape.optional("receiver", \.receiver),
            isSentAgain: try shape.value("sent_again", \.isSentAgain),
            count: try shape.value("count", \.count),
            changes: try shape.value("changes", \.changes))
    }
}

/// One thing that an action changes.
package struct EffectChange: WireObject, Hashable {
    package enum Kind: String, WireWord, CaseIterable {
        case right
        case balance
        case lapse
        case finding
        case order
        case owners
        case claim
        /// What is recorded, and changes none of these by itself.
        case record
    }

    /// What would be otherwise from an instant on.
    package struct Step: WireObject, Hashable {
        package var at: Instant
        package var before: ChangeValue?
        package var after: ChangeValue?

        package init(at instant: Instant, before: ChangeValue?, after: ChangeValue?) {
            at = instant
            self.before = before
            self.after = after
        }

        package static var shapeName: String { "EffectStep" }

        package static func members(
            _ shape: inout some ShapeVisitor<Self>
        ) throws(ShapeError) -> Self {
            Step(
                at: try shape.value("at", \.at), before: try shape.optional("before", \.before),
                after: try shape.optional("after", \.after))
        }
    }

    package var kind: Kind
    /// Nil for what concerns no account.
    package var account: AccountID?
    package var environment: StoreEnvironment?
    /// An entitlement, a credit, an order, a finding (its kind, and what it is about), a unit, or
    /// the number of a claim.
    package var subject: String
    /// What the owners are of, as reports show it.
    package var unit: UnitAnswer?
    /// The answer without the action, and with it; nil where there is nothing.
    package var before: ChangeValue?
    package var after: ChangeValue?
    /// The later instants at which the answer would differ; the first of them.
    package var later: [Step] = []
    /// How many more there are; nil for none.
    package var laterOmitted: Int64?
    /// Whether somebody has less by it, now or later.
    package var takesAway = false
    /// For people, in the language of the call.
    package var sentence = ""

    /// More later instants are not listed.
    package static let mostSteps = 64

    package init(
        _ kind: Kind, of account: AccountID?, in environment: StoreEnvironment?, _ subject: String
    ) {
        self.kind = kind
        self.account = account
        self.environment = environment
        self.subject = subject
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let kind = try shape.value("kind", \.kind)
        var change = EffectChange(
            kind, of: try shape.optional("account", \.account),
            in: try shape.optional("environment", \.environment),
            try shape.value("subject", \.subject))
        change.unit = try shape.optional("unit", \.unit)
        change.before = try shape.optional("before", \.before)
        change.after = try shape.optional("after", \.after)
        change.later = try shape.value("later", \.later)
        change.laterOmitted = try shape.optional("later_omitted", \.laterOmitted)
        change.takesAway = try shape.value("takes_away", \.takesAway)
        change.sentence = try shape.value("sentence", \.sentence)
        return change
    }
}

extension EffectChange {
    /// Something that the feed keeps, by its answers without the action and with it; nil where
    /// they are equal.
    package init?(
        _ key: FeedOutlook.Key, of account: AccountID?, from old: FeedOutlook.Item?,
        to new: FeedOutlook.Item?
    ) {
        guard old != new else { return nil }
        self.init(Kind(key.topic), of: account, in: key.environment, key.subject)
        before = shown(old?.present)
        after = shown(new?.present)
        let instants = Set(((old?.steps ?? []) + (new?.steps ?? [])).map(\.at)).sorted()
        for instant in instants {
            let (left, right) = (old?.value(at: instant), new?.value(at: instant))
            guard left != right else { continue }
            takesAway = takesAway || left.isMore(than: right)
            if later.count < Self.mostSteps {
                later.append(Step(at: instant, before: shown(left), after: shown(right)))
            } else {
                laterOmitted = (laterOmitted ?? 0) + 1
            }
        }
        takesAway = takesAway || (old?.present).isMore(than: new?.present)
    }

    /// A unit's owners.
    package init(owners change: FeedChange) {
        self.init(.owners, of: change.account, in: change.environment, change.subject)
        before = change.before.map(ChangeValue.init)
        after = change.after.map(ChangeValue.init)
        let had = before?.owners?.contains { $0 == account } ?? false
        takesAway = had && !(after?.owners?.contains { $0 == account } ?? false)
    }

    /// A claim that is decided otherwise.
    package init(
        claim: LedgerSequence, of account: AccountID, in environment: StoreEnvironment,
        from old: ClaimStanding?, to new: ClaimStanding?
    ) {
        self.init(.claim, of: account, in: environment, "\(claim)")
        before = old.map { ChangeValue(state: $0.rawValue) }
        after = new.map { ChangeValue(state: $0.rawValue) }
    }

    /// What is recorded of an account, by a word for it.
    package init(_ word: String, of account: AccountID, _ subject: String) {
        self.init(.record, of: account, in: nil, subject)
        after = ChangeValue(state: word)
    }

    /// Whether somebody has more by it from now on.
    package var isGain: Bool {
        kind == .right && before?.decision != true && after?.decision == true
            || kind == .balance && (after?.balance ?? 0) > (before?.balance ?? 0)
    }

    /// Whether it is nobody's gain or loss, now or later.
    package var isAside: Bool {
        switch kind {
        case .right: !takesAway && !isGain && later.allSatisfy { $0.after?.decision != true }
        case .finding, .owners, .claim: true
        case .balance, .lapse, .order, .record: false
        }
    }

    /// A right and a balance always have a value.
    private func shown(_ value: FeedValue?) -> ChangeValue? {
        switch kind {
        case .right: ChangeValue(value ?? .right(.nothing))
        case .balance: ChangeValue(value ?? .balance(0))
        case .lapse, .finding, .order, .owners, .claim, .record: value.map(ChangeValue.init)
        }
    }
}

extension EffectChange.Kind {
    fileprivate init(_ topic: FeedOutlook.Key.Topic) {
        switch topic {
        case .right: self = .right
        case .balance: self = .balance
        case .finding: self = .finding
        case .order: self = .order
        case .lapse: self = .lapse
        }
    }
}

extension FeedOutlook.Item {
    fileprivate func value(at instant: Instant) -> FeedValue? {
        guard let step = steps.last(where: { $0.at <= instant }) else { return present }
        return step.value
    }
}

extension FeedValue? {
    /// Whether somebody has less with the other one in its place.
    fileprivate func isMore(than other: FeedValue?) -> Bool {
        switch (self, other) {
        case (.right(let right)?, .right(let later)?): right.decision && !later.decision
        case (.right(let right)?, nil): right.decision
        case (.balance(let balance)?, .balance(let later)?): balance > later
        case (.balance(let balance)?, nil): balance > 0
        case (nil, .balance(let later)?): later < 0
        default: false
        }
    }
}

/// An entry that came between a preview and its action.
package struct ChangedEntry: WireObject, Hashable {
    package var entry: LedgerSequence
    /// Nil for one that was erased, or that a change of the feed came of.
    package var kind: String?
    /// Nil for what concerns everybody.
    package var account: AccountID?

    package init(entry: LedgerSequence, kind: String?, account: AccountID?) {
        self.entry = entry
        self.kind = kind
        self.account = account
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ChangedEntry(
            entry: try shape.value("entry", \.entry), kind: try shape.optional("kind", \.kind),
            account: try shape.optional("account", \.account))
    }
}
