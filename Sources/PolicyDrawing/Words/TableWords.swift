internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import TimelineDrawing

/// The sentences of a policy's tables in one language. Everything that somebody wrote is shown
/// with what is hidden in it.
struct TableWords {
    let language: Language

    func text(_ phrase: some LocalizedText, _ values: String...) -> String {
        phrase.filled(with: values, in: language)
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
        let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1_000)
        var digits = String(String(1_000 + rest).dropFirst())
        let decimals = CurrencyDecimals.count(of: currency)
        while digits.hasSuffix("0"), digits.count > decimals || rest == 0 { digits.removeLast() }
        let sign = thousandths < 0 ? "-" : ""
        return sign + "\(whole)" + (digits.isEmpty ? "" : "." + digits) + " " + currency.shown
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
        product.grants.map { grant in
            switch grant {
            case .entitlement(let name, let lasting):
                let title = title(table.titles[name.text], or: name.text)
                return lasting.map { text(TablePhrase.forLength, title, period($0)) } ?? title
            case .credit(let name, let units):
                let title = title(table.titles["credit " + name.text], or: name.text)
                return text(TablePhrase.credit, "\(units)", title)
            }
        }
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
        return text(phrase)
    }
}
