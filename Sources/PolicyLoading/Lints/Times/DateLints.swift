internal import EntitlementModel

/// Rules and products whose name says another time than their dates.
extension PolicyBuilder {
    mutating func checkDates(_ products: [LintedProduct], _ policy: Policy) {
        var lines: [String: SourceLines] = [:]
        let years = Set(catalogueNames(policy).flatMap { NamedDates.years(in: $0) })
        for list in ["access", "account_switch", "open", "refund_answers"] {
            for rule in ruleSections(list) {
                guard let name = rule.value("name") else { continue }
                checkDates(of: rule, name, years, &lines)
            }
        }
        for product in products { checkRetired(product, &lines) }
    }

    private func catalogueNames(_ policy: Policy) -> [String] {
        policy.entitlements.flatMap { [$0.key.text, $0.value.english] }
            + policy.products.values.flatMap { [$0.id.text, $0.title?.english ?? ""] }
            + policy.credits.flatMap { [$0.key.text, $0.value.title.english] }
    }

    private mutating func checkDates(
        of rule: CheckedSection, _ name: CheckedValue, _ years: Set<Int64>,
        _ lines: inout [String: SourceLines]
    ) {
        guard let text = name.text else { return }
        let places = dated(rule)
        let bounds = places.flatMap { key, value -> [WrittenBound] in
            value.elements.compactMap { element in
                written(element.span, &lines).flatMap { WrittenBound($0, key, element.span) }
            }
        }
        guard let first = bounds.first else { return }
        let named = NamedDates(text)
        let found: (word: String, bound: WrittenBound, help: Help?)?
        if let word = named.missing(in: bounds, besides: years) {
            found = (word, first, nil)
        } else if let (word, bound) = bounds.lazy.compactMap({ bound in
            named.exceeded(by: bound).map { ($0, bound) }
        }).first {
            found = (word, bound, nil)
        } else if let (word, bound) = opposite(text, rule, bounds) {
            let line = "\(bound.key): \(bound.reversed)"
            found = (word, bound, .writeOrRename(line))
        } else {
            found = nil
        }
        guard let found else { return }
        problems.add(
            .datesAgainstName, at: found.bound.span, .written(text), .written(found.word),
            .plain("\(found.bound.key): \(found.bound.text)"), help: found.help,
            related: [.init(note: .alsoHere, span: name.span)])
    }

    private func dated(_ rule: CheckedSection) -> [(String, CheckedValue)] {
        let when = rule.value("when")?.section
        return [("at", rule.value("at") ?? when?.value("at"))].compactMap { key, value in
            value.map { (key, $0) }
        }
            + ["purchased", "first_purchased"].compactMap { key in
                when?.value(key).map { (key, $0) }
            }
    }

    /// 'before 2025' with `from`, and 'since 2025' with `before`, of a rule that gives.
    private func opposite(
        _ name: String, _ rule: CheckedSection, _ bounds: [WrittenBound]
    ) -> (String, WrittenBound)? {
        let verb = rule.value("then")?.text ?? ""
        let takes = ["withhold", "keep", "deny", "decline", "nothing"].contains(verb)
        guard rule.value("unless") == nil, bounds.count == 1, let bound = bounds.first else {
            return nil
        }
        var (before, since) = NamedDates.sides(of: name)
        let words = NameText(name)
        if bound.key != "at", before == nil, since == nil {
            before = words.first(of: NamedDates.earlier)
            since = words.first(of: NamedDates.newer)
        }
        if takes {
            // What is taken from others is given to those in the name; else it is said of them
            // behind the date that they lack it.
            if words.hasAny(NamedDates.giving), !words.hasAny(NamedDates.denying) {
                (before, since) = (since, before)
            } else if !NamedDates.isDenied(behind: before ?? since, in: words) {
                return nil
            }
        }
        switch (bound.kind, before, since) {
        case (.from, let word?, nil), (.before, nil, let word?): return (word, bound)
        default: return nil
        }
    }

    /// `archive.2027`, and not sold any more since 2026.
    private mutating func checkRetired(
        _ product: LintedProduct, _ lines: inout [String: SourceLines]
    ) {
        guard let value = product.section.value("retired"),
            let text = written(value.span, &lines),
            let day = NamedDates.days(in: text).first
        else { return }
        let years = NamedDates.years(in: product.name) + NamedDates.years(in: product.title)
        // `2026/27` begins in the second half of 2026.
        let hasSlash = product.title.contains("/")
        let seasons = (hasSlash ? product.title : "").matches(of: /(20[0-9]{2})\/([0-9]{2})\b/)
            .filter {
                Int64($0.2) == (Int64($0.1) ?? 0) % 100 + 1
            }.compactMap { Int64($0.1) }
        let isBefore = seasons.min().map { day.year == $0 && day.month < 7 } ?? false
        guard let year = years.min(), day.year < year || isBefore else { return }
        problems.add(
            .datesAgainstName, at: value.span, .written(product.name), .written("\(year)"),
            .plain("retired: \(day.text)"))
    }
}

extension LintedProduct {
    fileprivate var title: String { product.title?.english ?? "" }
}

/// A condition on dates, with the days as they are written.
struct WrittenBound {
    enum Kind {
        case before
        case from
        case within
    }

    let kind: Kind
    let first: CivilDate
    let last: CivilDate
    let text: String
    let key: String
    let span: SourceSpan

    init?(_ text: String, _ key: String, _ span: SourceSpan) {
        let days = NamedDates.days(in: text)
        guard let start = days.first, let end = days.last else { return nil }
        (self.text, self.key, self.span) = (text, key, span)
        if days.count > 1 {
            kind = .within
            (first, last) = (start, end)
        } else {
            kind = text.hasPrefix("before") ? .before : .from
            // The day before a bound is as much named by it as the day itself.
            first = CivilDate(daysSinceEpoch: start.daysSinceEpoch - 1)
            last = start
        }
    }

    /// The other side of the same date.
    var reversed: String {
        kind == .from
            ? text.replacingFirst("from", "before") : text.replacingFirst("before", "from")
    }

    /// Whether some day of it meets a condition; of years, every month is met.
    func hasDay(where isMeant: (CivilDate) -> Bool) -> Bool {
        guard last.daysSinceEpoch - first.daysSinceEpoch < 366 else { return true }
        return (first.daysSinceEpoch...max(first.daysSinceEpoch, last.daysSinceEpoch)).contains {
            isMeant(CivilDate(daysSinceEpoch: $0))
        }
    }

    func isInYear(_ year: Int64) -> Bool { (first.year...last.year).contains(year) }
}
