internal import EntitlementModel

/// Lengths that are legal and make no sense.
extension PolicyBuilder {
    /// `3m` is three minutes.
    mutating func checkMinutes(_ products: [LintedProduct]) {
        for product in products {
            if let (length, span) = product.length { checkMinutes(length, span, .months) }
            let gifts = ["grants", "credits"].flatMap { product.section.value($0)?.elements ?? [] }
            for (gift, key) in gifts.flatMap({ gift in ["for", "expires"].map { (gift, $0) } }) {
                guard let value = gift.section?.value(key), let length = value.length else {
                    continue
                }
                checkMinutes(length, value.span, .months)
            }
        }
        for rule in ruleSections("account_switch") {
            let limits = rule.value("limits")?.section
            if let value = limits?.value("cooldown"), let length = value.length {
                checkMinutes(length, value.span, .days)
            }
            if let value = limits?.value("moves"), let moves = value.moves {
                checkMinutes(moves.window, value.span, .days)
            }
        }
    }

    private mutating func checkMinutes(
        _ length: Period, _ span: SourceSpan, _ unit: Period.Unit
    ) {
        guard length.unit == .minutes, [1, 2, 3, 4, 6, 9, 12, 18, 24].contains(length.count) else {
            return
        }
        let meant =
            unit == .months ? Period(length.count, .months) : Period(length.count * 30, .days)
        problems.add(
            .minutesForMonths, at: span, .written(length.text), .number(length.count),
            .written(meant.text))
    }

    /// A leeway that is cut to a tenth of a period that is sold.
    mutating func checkLeeway(_ policy: Policy) {
        guard let value = draft.field("leeway")?.value,
            let leeway = policy.leeway.fixedMilliseconds
        else { return }
        // Of a period in minutes that is said.
        let shortest = policy.products.values
            .filter { $0.period.map { $0.unit != .minutes } ?? false }
            .min { ($0.shortest, $0.id) < ($1.shortest, $1.id) }
        guard let shortest, let period = shortest.period, leeway > shortest.shortest / 10 else {
            return
        }
        let hours = shortest.shortest / 10 / 3_600_000
        problems.add(
            .leewayBeyondBound, at: value.span, .written(policy.leeway.text),
            .written(shortest.id.text), .written(period.text), .plain("\(hours)h"))
    }

    /// Orders that wait for a payment, or keep their promise, longer than a payment looks for them.
    mutating func checkOrderWindows(_ policy: Policy) {
        let window = policy.orders.matchWindow
        let waits = [("pay_within", policy.orders.payWithin), ("promise", policy.orders.promise)]
        guard let orders = draft.field("orders")?.value.section,
            let matched = window.fixedMilliseconds
        else { return }
        for (key, wait) in waits {
            guard let wait, let waiting = wait.fixedMilliseconds, waiting > matched,
                let value = orders.value(key) ?? orders.value("match_window")
            else { continue }
            problems.add(
                .matchWindowTooShort, at: value.span, .written(wait.text), .written(window.text),
                .written(key),
                help: .likeEither(["match_window: \(wait.text)", "\(key): \(window.text)"]))
        }
    }

    /// Units that lapse sooner than the feed is to tell it ahead, whatever gives them.
    mutating func checkWarnings(_ policy: Policy) {
        for row in draft.tables["credits"] ?? [] {
            guard let value = row.value.section?.value("warn_before"), let ahead = value.length
            else { continue }
            let lapses = policy.products.values.flatMap { product in
                product.grants.compactMap { grant -> Period? in
                    guard case .credit(let credit, _, let terms) = grant, credit.text == row.name
                    else { return nil }
                    return terms.lasting(of: product)
                }
            }
            guard let longest = lapses.max(by: { $0.isShorter(than: $1) }),
                lapses.allSatisfy({ ahead != $0 && !ahead.isShorter(than: $0) })
            else { continue }
            problems.add(
                .warnedAtOnce, at: value.span, .written(ahead.text), .written(row.name),
                .written(longest.text))
        }
    }

    /// So long a time between two moves that there are never as many moves as are allowed.
    mutating func checkLimits() {
        for rule in ruleSections("account_switch") {
            guard let limits = rule.value("limits")?.section,
                let cooldown = limits.value("cooldown")?.length,
                let written = limits.value("moves"), let moves = written.moves,
                let between = cooldown.fixedMilliseconds,
                let window = moves.window.fixedMilliseconds
            else { continue }
            let (spread, isLonger) = between.multipliedReportingOverflow(by: Int64(moves.count))
            guard isLonger || spread >= window else { continue }
            let most = (window - 1) / max(1, between) + 1
            // The next move must still be possible within the window, or nothing is limited.
            let longest = Period(fixed: (window - 1) / Int64(moves.count))
            let needed = isLonger ? nil : Period(fixed: spread + 86_400_000)
            problems.add(
                .limitNeverReached, at: written.span, .number(Int64(moves.count)),
                .written(moves.window.text), .written(cooldown.text), .number(most),
                help: Self.exchanged(cooldown, moves)
                    ?? needed.map {
                        .likeEither([
                            "cooldown: \(longest.text)", "moves: \(moves.count) per \($0.text)",
                        ])
                    })
        }
    }

    /// The two lengths in each other's place, where that limits something.
    private static func exchanged(_ cooldown: Period, _ moves: ClaimLimits.Moves) -> Help? {
        guard let window = moves.window.fixedMilliseconds, let between = cooldown.fixedMilliseconds,
            window < between / Int64(moves.count)
        else { return nil }
        return .writtenLike(
            "cooldown: \(moves.window.text), moves: \(moves.count) per \(cooldown.text)")
    }
}

extension Period {
    /// The longest whole number of days, hours or minutes that is no longer.
    fileprivate init(fixed milliseconds: Int64) {
        let units: [(Unit, Int64)] = [
            (.days, 86_400_000), (.hours, 3_600_000), (.minutes, 60_000),
        ]
        let unit = units.first { milliseconds >= $0.1 } ?? (.seconds, 1_000)
        self.init(max(1, milliseconds / unit.1), unit.0)
    }
}

extension Product {
    /// Milliseconds of its period where that is shortest; without one, more than any.
    fileprivate var shortest: Int64 {
        guard let period else { return .max }
        let days: Int64 =
            switch period.unit {
            case .months: period.count * 28
            case .years: period.count * 365
            case .milliseconds, .seconds, .minutes, .hours, .days, .weeks: 0
            }
        return period.fixedMilliseconds ?? days * 86_400_000
    }
}

/// What is open to everybody at another time of day than its author means.
extension PolicyBuilder {
    mutating func checkOpenWindows() {
        for rule in ruleSections("open") {
            guard let name = rule.value("name")?.text, let windows = rule.value("at"),
                isInDaysOfUTC(windows),
                case .dateBound(.within(_, let end))? = windows.elements.last?.content
            else { continue }
            let last = Instant(milliseconds: end.milliseconds - 1).rfc3339
            problems.add(
                .openInUTC, at: windows.span, .written(name),
                .plain(String(end.milliseconds % 86_400_000 == 0 ? last.prefix(10) : last[...])))
        }
    }

    /// Whether days are written, in a file that does not say where they are.
    private func isInDaysOfUTC(_ windows: CheckedValue) -> Bool {
        guard let text = texts.first(where: { $0.path == windows.span.file })?.text else {
            return false
        }
        let lines = SourceLines(text)
        let written = (windows.span.start.line...windows.span.end.line).map(lines.line)
        let hasDay = written.contains { $0.contains(/[0-9]{4}-[0-9]{2}-[0-9]{2}(?!T)/) }
        let key = PolicyGrammar.timeZoneKey + ":"
        return hasDay && !text.split(whereSeparator: \.isNewline).contains { $0.hasPrefix(key) }
    }
}
