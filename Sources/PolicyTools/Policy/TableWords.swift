internal import EntitlementAnswers
internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading

/// The sentences of a policy's tables in one language. Everything that somebody wrote is shown
/// with what is hidden in it.
struct TableWords {
    let language: Language

    func text(_ phrase: some LocalizedText, _ values: String...) -> String {
        phrase.filled(with: values, in: language)
    }

    /// Of what the numbers in cells are.
    func counted(_ counts: PolicyCountsAnswer) -> String {
        text(TablePhrase.counted, "\(counts.accounts)", counts.at.rfc3339.prefix(19) + "Z")
    }

    /// The title in the language, else in English, else the name.
    func title(_ title: Title?, or name: String) -> String {
        guard let title else { return name }
        switch language {
        case .english: return title.english.shown
        case .chinese: return (title.chinese ?? title.english).shown
        }
    }

    func list(_ texts: [String]) -> String {
        texts.joined(separator: text(ConditionPhrase.list))
    }

    func clauses(_ texts: [String]) -> String {
        texts.joined(separator: text(ConditionPhrase.clauses))
    }

    /// The first so many, and how many more there are.
    func list(_ texts: [String], atMost limit: Int) -> String {
        guard texts.count > limit else { return list(texts) }
        return list(
            texts.prefix(limit) + [text(TablePhrase.andMore, "\(texts.count - limit)")])
    }

    /// Of a rule, with what is hidden in it.
    func name(_ reference: RuleReference) -> String { reference.name(in: language).shown }

    /// `rules.yaml:12`, or that it is built in.
    func place(_ reference: RuleReference) -> String {
        reference.isBuiltIn
            ? text(TablePhrase.builtIn) : "\(reference.file.shown):\(reference.line)"
    }

    func verdict(_ verdict: AccessTable.Verdict) -> String {
        switch verdict {
        case .grant: text(TablePhrase.yes)
        case .withhold: text(TablePhrase.no)
        case .depends: text(TablePhrase.depends)
        }
    }

    /// `7 days`.
    func period(_ period: Period) -> String {
        let phrase: ConditionPhrase =
            switch period.unit {
            case .milliseconds: .milliseconds
            case .seconds: .seconds
            case .minutes: .minutes
            case .hours: .hours
            case .days: .days
            case .weeks: .weeks
            case .months: .months
            case .years: .years
            }
        return text(phrase, "\(period.count)")
    }

    func interval(_ interval: Interval) -> String {
        switch (interval.hasBeginning, interval.end) {
        case (false, nil): text(TablePhrase.always)
        case (false, let end?): text(ConditionPhrase.before, end.brief)
        case (true, nil): text(ConditionPhrase.from, interval.start.brief)
        case (true, let end?): text(ConditionPhrase.within, interval.start.brief, end.brief)
        }
    }
}

/// Products.
extension TableWords {
    /// `9.99 USD`: exact, with at least as many decimals as the currency has, and none for a whole
    /// amount.
    func price(_ thousandths: Int64, _ currency: String) -> String {
        thousandths.decimalText(atLeast: CurrencyDecimals.count(of: currency)) + " "
            + currency.shown
    }

    func prices(_ product: Product) -> [String] {
        product.prices.sorted { $0.key < $1.key }.map { price($0.value, $0.key) }
    }

    /// How long it lasts; nil for what lasts always or is used up.
    func length(_ product: Product) -> String? {
        if let period = product.period { return self.period(period) }
        guard let duration = product.duration else { return nil }
        let stacking = product.stacking == .extend ? "" : " (\(product.stacking.rawValue))"
        return period(duration) + stacking
    }

    /// What a purchase gives, by title.
    func grants(_ product: Product, _ table: ProductTable) -> [String] {
        let given = product.grants.map { grant in
            switch grant {
            case .entitlement(let name, let lasting):
                let title = title(table.titles[name.text], or: name.text)
                return lasting.map { text(TablePhrase.forLength, title, period($0)) } ?? title
            case .credit(let name, let units, let terms):
                let title = title(table.titles["credit " + name.text], or: name.text)
                return credit(text(TablePhrase.credit, "\(units)", title), terms)
            }
        }
        guard let excepted = product.allExcept, !given.isEmpty else { return given }
        let others = excepted.sorted().map { title(table.titles[$0.text], or: $0.text) }
        return others.isEmpty
            ? [text(TablePhrase.all, list(given))]
            : [text(TablePhrase.allExcept, list(given), list(others))]
    }

    /// With when units are delivered, how many under an offer, and when they lapse.
    func credit(_ credit: String, _ terms: CreditTerms) -> String {
        let offers = OfferWord.allCases.compactMap { offer in
            terms.underOffer[offer].map {
                text(TablePhrase.underOffer, "\($0)", offer.text(language))
            }
        }
        let lapse: String? =
            switch terms.expires {
            case .never: nil
            case .period:
                text(terms.every == nil ? TablePhrase.lapsesWithPeriod : .lapsesWithPart)
            case .after(let length): text(TablePhrase.lapsesAfter, period(length))
            }
        let every = terms.every.map { text(TablePhrase.every, period($0)) }
        let words = ([every] + offers + [lapse]).compactMap(\.self)
        guard !words.isEmpty else { return credit }
        return text(
            TablePhrase.withTerms, credit, words.joined(separator: text(ConditionPhrase.list)))
    }

    func title(of shelf: ProductTable.Shelf) -> String {
        if let group = shelf.group {
            let title = title(shelf.title, or: group.text)
            let name = title == group.text ? title : "\(title) (\(group.text))"
            return text(TablePhrase.groupTitle, name)
        }
        return text(TablePhrase.ungrouped, shelf.kind?.text(language) ?? "")
    }

    func refundWords(_ credit: CreditDefinition) -> String {
        let phrase: TablePhrase =
            switch credit.onRefund {
            case .debt: .debt
            case .floor: .floor
            case .freeze: .freeze
            case .ignore: .ignore
            }
        let warned = credit.warnBefore.map { text(TablePhrase.warned, period($0)) }
        return ([text(phrase)] + (warned.map { [$0] } ?? []))
            .joined(separator: text(ConditionPhrase.list))
    }
}

/// Conditions in plain words.
extension TableWords {
    /// What a condition asks for; kind and state only if they are not told elsewhere.
    func conditions(_ condition: Condition, withKindAndState: Bool = false) -> [String] {
        func isFirst(_ field: ConditionField) -> Bool { field == .kind || field == .state }
        let written = condition.written
        let first = withKindAndState ? written.filter { isFirst($0.field) } : []
        return (first + written.filter { !isFirst($0.field) }).map { field, values in
            text(field, either(words(values, of: field)))
        }
    }

    private func words(_ values: ConditionValues, of field: ConditionField) -> [String] {
        switch values {
        case .names(let names):
            guard case .words(let type, _) = field.slot.form else { return names.map(\.shown) }
            return names.map { type.words($0, language) }
        case .ages(let bounds): return bounds.map(age)
        case .dates(let bounds): return bounds.map(date)
        case .counts(let bounds): return bounds.map(count)
        case .versions(let bounds): return bounds.map(version)
        }
    }

    /// What limits a rule, one line for each kind of limit: conditions, exceptions, entitlements.
    ///
    /// - Parameter decider: of the cell in which it is shown; without one, the whole rule.
    func details(_ rule: TableRule, in decider: Decider? = nil) -> [String] {
        let isWhole = decider == nil
        // The cell of a claim says nothing of the state.
        let tellsState = isWhole || rule.list == .accountSwitch
        var details: [String] = []
        let conditions = conditions(
            rule.when.besideCell(of: rule.list, isWhole), withKindAndState: tellsState)
        if !conditions.isEmpty { details.append(text(TablePhrase.ifAll, clauses(conditions))) }
        if let unless = rule.unless, decider?.isExcepted ?? true {
            let exceptions = self.conditions(
                unless.besideCell(of: rule.list, isWhole), withKindAndState: tellsState)
            if !exceptions.isEmpty {
                details.append(text(TablePhrase.unless, clauses(exceptions)))
            }
        }
        if case .access(_, let only?) = rule.effect {
            details.append(text(TablePhrase.only, list(only.map(\.text))))
        }
        if case .gives(let names) = rule.effect {
            details.append(text(TablePhrase.gives) + ": " + list(names.map(\.text)))
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
        case .gives: (AccessRule.Effect.grant.rawValue, text(WordPhrase.grant))
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

    private func count(_ bound: CountBound) -> String {
        switch bound {
        case .under(let end): text(ConditionPhrase.under, "\(end)")
        case .atLeast(let least): text(ConditionPhrase.atLeast, "\(least)")
        case .exactly: bound.text
        }
    }

    private func version(_ bound: VersionBound) -> String {
        switch bound {
        case .before(let end): text(ConditionPhrase.before, end.text)
        case .from(let start): text(ConditionPhrase.from, start.text)
        case .within(let start, let end): text(ConditionPhrase.within, start.text, end.text)
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
    /// Without what the cell of a claim tells: kind, token and moment.
    fileprivate func besideCell(of list: RuleList, _ isWhole: Bool) -> Condition {
        guard list == .accountSwitch, !isWhole else { return self }
        return without([.kind, .token, .moment])
    }
}

extension WordPhrase {
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
