internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import TimelineDrawing

/// Conditions in plain words.
extension TableWords {
    /// What a condition asks for; kind and state only if they are not told elsewhere.
    func conditions(_ condition: Condition, withKindAndState: Bool = false) -> [String] {
        var texts: [String] = []
        func add<Value>(
            _ phrase: ConditionPhrase, _ values: [Value]?, _ word: (Value) -> String
        ) {
            guard let values else { return }
            texts.append(text(phrase, either(values.map(word))))
        }
        if withKindAndState {
            add(.kind, condition.kinds) { $0.text(language) }
            add(.state, condition.states) { $0.text(language) }
        }
        add(.product, condition.products) { $0.text.shown }
        add(.group, condition.groups) { $0.text }
        add(.level, condition.levels) { $0.text }
        add(.entitlement, condition.entitlements) { $0.text }
        add(.account, condition.accounts) { $0.text.shown }
        add(.environment, condition.environments) { $0.text(language) }
        add(.ownership, condition.ownerships) { text(WordPhrase($0)) }
        add(.storefront, condition.storefronts) { $0.shown }
        add(.offer, condition.offers) { text(WordPhrase($0)) }
        add(.stateAge, condition.stateAges, age)
        add(.unpaidFor, condition.unpaidFor, age)
        add(.expiryReason, condition.expiryReasons) { $0.text(language) }
        add(.autoRenew, condition.autoRenews) { text(WordPhrase($0)) }
        add(.revocation, condition.revocations) { text(WordPhrase($0)) }
        add(.token, condition.tokens) { text(WordPhrase($0)) }
        add(.moment, condition.moments) { $0.text(language) }
        add(.purchased, condition.purchased, date)
        add(.firstPurchased, condition.firstPurchased, date)
        add(.at, condition.at, date)
        return texts
    }

    /// What limits a rule, one line for each kind of limit: conditions, exceptions, entitlements.
    ///
    /// - Parameter decider: of the cell in which it is shown; without one, the whole rule.
    func details(_ rule: TableRule, in decider: Decider? = nil) -> [String] {
        let isWhole = decider == nil
        var details: [String] = []
        let conditions = conditions(
            rule.when.besideCell(of: rule.list, isWhole), withKindAndState: isWhole)
        if !conditions.isEmpty { details.append(text(TablePhrase.ifAll, clauses(conditions))) }
        if let unless = rule.unless, decider?.isExcepted ?? true {
            let exceptions = self.conditions(
                unless.besideCell(of: rule.list, isWhole), withKindAndState: isWhole)
            if !exceptions.isEmpty {
                details.append(text(TablePhrase.unless, clauses(exceptions)))
            }
        }
        if case .access(_, let only?) = rule.effect {
            details.append(text(TablePhrase.only, list(only.map(\.text))))
        }
        switch decider?.reach {
        case .both: details.append(text(TablePhrase.elsewhere))
        case .elsewhere: details.append(text(TablePhrase.onlyElsewhere))
        case .own, nil: break
        }
        return details
    }

    /// The word behind `then`, and what it means.
    func effect(_ rule: TableRule) -> (word: String, meaning: String) {
        switch rule.effect {
        case .access(let effect, _):
            (effect.rawValue, text(effect == .grant ? WordPhrase.grant : .withhold))
        case .claim(let verb, let limits):
            (verb.word, clauses([meaning(verb)] + self.limits(limits)))
        case .refund(let answer): (answer.rawValue, text(WordPhrase(answer)))
        case .owns: ("own", text(WordPhrase.owns))
        }
    }

    private func meaning(_ verb: ClaimVerb) -> String {
        switch verb {
        case .keep: text(WordPhrase.keep)
        case .transfer: text(WordPhrase.transfer)
        case .transferIfInactive: text(WordPhrase.transferIfInactive)
        case .share(let maximum): text(WordPhrase.share, "\(maximum)")
        case .ask: text(WordPhrase.ask)
        case .deny: text(WordPhrase.deny)
        case .inherit: text(WordPhrase.inherit)
        }
    }

    /// One text for each limit, and what is beyond them; none without limits.
    func limits(_ limits: ClaimLimits) -> [String] {
        var texts: [String] = []
        if let cooldown = limits.cooldown {
            texts.append(text(WordPhrase.cooldown, period(cooldown)))
        }
        if let moves = limits.moves {
            texts.append(text(WordPhrase.moves, "\(moves.count)", period(moves.window)))
        }
        guard !texts.isEmpty else { return [] }
        return texts + [text(limits.excess == .ask ? WordPhrase.excessAsk : .excessKeep)]
    }

    func either(_ texts: [String]) -> String {
        guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
        return list(texts.dropLast()) + text(ConditionPhrase.or) + last
    }

    private func age(_ bound: AgeBound) -> String {
        switch bound {
        case .under(let age): text(ConditionPhrase.under, period(age))
        case .atLeast(let age): text(ConditionPhrase.atLeast, period(age))
        case .between(let least, let end):
            text(ConditionPhrase.between, period(least), period(end))
        }
    }

    private func date(_ bound: DateBound) -> String {
        switch bound {
        case .before(let end): text(ConditionPhrase.before, end.brief)
        case .from(let start): text(ConditionPhrase.from, start.brief)
        case .within(let start, let end):
            text(ConditionPhrase.within, start.brief, end.brief)
        }
    }
}

extension Condition {
    /// Without what the cell of a claim tells: token and moment.
    fileprivate func besideCell(of list: RuleList, _ isWhole: Bool) -> Condition {
        guard list == .accountSwitch, !isWhole else { return self }
        var rest = self
        (rest.tokens, rest.moments) = (nil, nil)
        return rest
    }
}

extension WordPhrase {
    init(_ word: OwnershipWord) {
        switch word {
        case .purchased: self = .purchased
        case .familyShared: self = .familyShared
        case .assigned: self = .assigned
        case .notStated: self = .notStated
        case .unknown: self = .unknown
        }
    }

    init(_ word: OfferWord) {
        switch word {
        case .none: self = .noOffer
        case .freeTrial: self = .freeTrial
        case .introductory: self = .introductory
        case .promotional: self = .promotional
        case .offerCode: self = .offerCode
        case .winBack: self = .winBack
        case .retention: self = .retention
        case .other: self = .otherOffer
        }
    }

    init(_ word: AutoRenewWord) {
        switch word {
        case .on: self = .renewalOn
        case .off: self = .renewalOff
        case .unknown: self = .renewalUnknown
        }
    }

    init(_ word: RevocationWord) {
        switch word {
        case .full: self = .inFull
        case .prorated: self = .inPart
        case .family: self = .familyEnded
        case .assigned: self = .assignmentEnded
        case .unknown: self = .revokedUnknown
        }
    }

    init(_ word: TokenMatch) {
        switch word {
        case .matches: self = .matches
        case .other: self = .other
        case .none: self = .none
        }
    }

    init(_ answer: RefundRule.Answer) {
        switch answer {
        case .grant: self = .refundGrant
        case .prorate: self = .refundProrate
        case .decline: self = .refundDecline
        case .nothing: self = .refundNothing
        }
    }

    init(_ meaning: DateTable.Meaning) {
        switch meaning {
        case .inForce: self = .inForce
        case .purchased: self = .purchasedThen
        case .firstPurchased: self = .firstPurchasedThen
        case .open: self = .openThen
        case .retired: self = .retiredThen
        }
    }

    init(_ phase: DateTable.Phase) {
        switch phase {
        case .past: self = .past
        case .current: self = .current
        case .future: self = .future
        }
    }
}
