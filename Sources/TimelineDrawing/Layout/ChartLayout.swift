internal import EntitlementModel

/// Turns a chart into the lines of its pictures, in one language.
struct ChartLayout {
    let chart: AccountChart
    let language: Language

    var lines: [ChartLine] {
        if chart.rights.isEmpty && chart.units.isEmpty && chart.orders.isEmpty {
            return [.remark(ChartPhrase.nothingKnown.text(language))]
        }
        var lines: [ChartLine] = []
        if !chart.rights.isEmpty {
            lines.append(.heading(ChartPhrase.rights.text(language)))
            lines += chart.rights.map { .track(track($0)) }
        }
        if !chart.units.isEmpty {
            lines.append(.heading(ChartPhrase.purchases.text(language)))
            lines += chart.units.flatMap(self.lines(of:))
        }
        if !chart.orders.isEmpty {
            lines.append(.heading(ChartPhrase.orders.text(language)))
            lines += orderTracks.map { .track($0) }
        }
        return lines
    }

    /// The looks that occur, in the order of the legend.
    var looks: [Look] {
        let used = Set(
            lines.flatMap { line in
                guard case .track(let track) = line else { return [Look]() }
                return track.bars.map(\.look) + track.marks.map(\.look)
            })
        return Look.all.filter(used.contains)
    }
}

/// Rights.
extension ChartLayout {
    private func track(_ right: AccountChart.Right) -> Track {
        let answer = RightAnswer(right, at: chart.at)
        let isGranted = answer?.stretch.isGranted ?? false
        return Track(
            rank: .right, name: name(of: right),
            verdict: (isGranted ? ChartPhrase.yes : .no).text(language), isGood: isGranted,
            note: answer.flatMap(note(on:)), bars: bars(of: right))
    }

    /// When it ends, or since when it has been over.
    private func note(on answer: RightAnswer) -> String? {
        if let until = answer.until, answer.isRenewed {
            return ChartPhrase.renewsAt.text(language, until.brief)
        }
        if let until = answer.until { return ChartPhrase.until.text(language, until.brief) }
        if answer.stretch.isGranted { return ChartPhrase.withoutEnd.text(language) }
        return answer.since.map { ChartPhrase.since.text(language, $0.brief) }
    }

    func name(of right: AccountChart.Right) -> String {
        right.entitlement + marked(right.environment)
    }

    /// Production goes without saying.
    private func marked(_ environment: String) -> String {
        environment == StoreEnvironment.production.rawValue ? "" : " [\(environment)]"
    }

    private func bars(of right: AccountChart.Right) -> [Bar] {
        let known = right.spans.filter { $0.isGranted || $0.source != nil }
        return known.joined(where: { $0.look == $1.look && $0.source == $1.source })
            .map { span, interval in
                let source = span.source.map(text(of:)) ?? ""
                let verdict = span.look.label.text(language)
                return Bar(
                    interval: interval, look: span.look,
                    label: span.isGranted ? source : "",
                    sentence: [verdict, source, text(of: interval)]
                        .filter { !$0.isEmpty }.joined(separator: comma))
            }
    }

    func text(of source: AccountChart.Source) -> String {
        switch source {
        case .product(let product): product
        case .grant: ChartPhrase.byHand.text(language)
        }
    }
}

/// Units.
extension ChartLayout {
    private func lines(of unit: AccountChart.Unit) -> [ChartLine] {
        var lines: [ChartLine] = [
            .unit(products: products(of: unit), details: details(of: unit))
        ]
        if !unit.states.isEmpty { lines.append(.track(track(ofStatesOf: unit))) }
        if unit.constantOwner == nil {
            lines += unit.ownerNames.map { .track(track(of: $0, owning: unit)) }
        }
        return lines
    }

    /// What was bought, in the order in which it was; the kind where no state tells that.
    func products(of unit: AccountChart.Unit) -> [String] {
        let products = unit.products
        return products.isEmpty ? [ChartWord.text(unit.kind, language)] : products
    }

    /// Kind, place and number; the owner too, where it was always the same.
    func details(of unit: AccountChart.Unit) -> [String] {
        var parts = unit.states.isEmpty ? [] : [ChartWord.text(unit.kind, language)]
        if unit.environment != StoreEnvironment.production.rawValue {
            parts.append(ChartWord.text(unit.environment, language))
        }
        if let owner = unit.constantOwner {
            parts.append(ChartPhrase.owner.text(language, owner))
        } else if unit.owners.isEmpty {
            parts.append(ChartPhrase.nobody.text(language))
        }
        parts.append(unit.number)
        if let appleID = unit.appleID {
            parts.append(ChartPhrase.appleID.text(language, appleID))
        }
        return parts
    }

    private func track(ofStatesOf unit: AccountChart.Unit) -> Track {
        let current = unit.states.last { $0.interval.contains(chart.at) }
        let bars = states(of: unit).map(bar)
        return Track(
            rank: .state, name: current.map { $0.state.text(language) } ?? "",
            note: bars.last { $0.interval.contains(chart.at) }.map { note(on: $0.interval) },
            bars: bars)
    }

    /// When it ends, or when it began.
    private func note(on interval: Interval) -> String {
        interval.end.map { ChartPhrase.until.text(language, $0.brief) }
            ?? ChartPhrase.since.text(language, interval.start.brief)
    }

    /// Stretches of one state of one period, whatever else changed within.
    func states(of unit: AccountChart.Unit) -> [(AccountChart.StateStretch, Interval)] {
        unit.states.joined(where: { $0.isSamePeriodAndState(as: $1) })
    }

    private func bar(_ span: AccountChart.StateStretch, _ interval: Interval) -> Bar {
        let state = stateText(span)
        let look = Look(span)
        return Bar(
            interval: interval, look: look, label: look == .active ? span.product : state,
            sentence: [state, span.product, text(of: interval), span.transaction]
                .joined(separator: comma))
    }

    /// `expired (cancelled)`.
    func stateText(_ span: AccountChart.StateStretch) -> String {
        if span.isBehindRenewal { return ChartPhrase.renews.text(language) }
        let reason = span.reason.map { " (\($0.text(language)))" } ?? ""
        return span.state.text(language) + reason
    }

    private func track(of account: String, owning unit: AccountChart.Unit) -> Track {
        let spans = unit.owners.filter { $0.account == account }
        let bars = spans.joined(where: { _, _ in true }).map { _, interval in
            Bar(
                interval: interval, look: .owned, label: account,
                sentence: [ChartPhrase.owner.text(language, account), text(of: interval)]
                    .joined(separator: comma))
        }
        return Track(rank: .owner, name: account, bars: bars)
    }

    private var comma: String { ChartPhrase.comma.text(language) }

    /// `2026-01-01 – 2026-02-01`; a side that is open stays empty.
    func text(of interval: Interval) -> String {
        (interval.hasBeginning ? interval.start.brief + " " : "") + "–"
            + (interval.end.map { " " + $0.brief } ?? "")
    }
}

/// Orders: one row for a product in an environment, however often it was ordered.
extension ChartLayout {
    private var orderTracks: [Track] {
        var names: [String] = []
        var marks: [String: [Mark]] = [:]
        for order in chart.orders.reversed() {
            let name = name(of: order)
            if marks[name] == nil { names.append(name) }
            marks[name, default: []] += order.marks.map { mark($0, of: order) }
        }
        return names.map { name in
            // Of what happened at one instant, what came of it is drawn last.
            let marks = (marks[name] ?? []).enumerated()
                .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
                .map(\.element)
            return Track(rank: .order, name: name, bars: [], marks: marks)
        }
    }

    func name(of order: AccountChart.Order) -> String {
        order.product + marked(order.environment)
    }

    private func mark(_ mark: AccountChart.OrderMark, of order: AccountChart.Order) -> Mark {
        Mark(
            at: mark.at, look: Look(mark.kind),
            sentence: [
                text(of: mark), order.product, ChartPhrase.orderNumber.text(language, order.id),
            ].joined(separator: comma))
    }

    /// `delivered 2026-02-01`.
    func text(of mark: AccountChart.OrderMark) -> String {
        Look(mark.kind).label.text(language) + " " + mark.at.brief
    }
}

/// The answer at an instant.
struct RightAnswer {
    let stretch: AccountChart.RightStretch
    /// When the decision last changed.
    let since: Instant?
    /// When the decision next changes.
    let until: Instant?
    /// Whether it does not, if the subscription renews.
    let isRenewed: Bool

    /// Nil where the spans leave the instant out.
    init?(_ right: AccountChart.Right, at instant: Instant) {
        guard let index = right.spans.firstIndex(where: { $0.interval.contains(instant) }) else {
            return nil
        }
        let stretch = right.spans[index]
        self.stretch = stretch
        let isOther = { (other: AccountChart.RightStretch) in
            other.isGranted != stretch.isGranted
        }
        since = right.spans[..<index].last(where: isOther)?.interval.end
        let next = right.spans[index...].first(where: isOther)
        until = next?.interval.start
        isRenewed = next?.isBehindRenewal == true
    }
}

extension AccountChart.Unit {
    fileprivate var products: [String] {
        var names: [String] = []
        for state in states where names.last != state.product { names.append(state.product) }
        return names
    }

    /// Who owned it at all times.
    var constantOwner: String? {
        guard let only = owners.first, owners.count == 1, only.interval == .always else {
            return nil
        }
        return only.account
    }

    fileprivate var ownerNames: [String] {
        var names: [String] = []
        for owner in owners where !names.contains(owner.account) { names.append(owner.account) }
        return names
    }
}

extension AccountChart.StateStretch {
    fileprivate func isSamePeriodAndState(as other: AccountChart.StateStretch) -> Bool {
        state == other.state && isBehindRenewal == other.isBehindRenewal && reason == other.reason
            && transaction == other.transaction
            && product == other.product
    }
}

extension AccountChart.RightStretch {
    fileprivate var look: Look { isBehindRenewal ? .renews : isGranted ? .given : .withheld }
}

extension Look {
    init(_ span: AccountChart.StateStretch) {
        self = span.isBehindRenewal ? .renews : Look(span.state)
    }
}

/// A stretch of time, whatever is said of it.
protocol Stretch {
    var interval: Interval { get }
}

extension AccountChart.RightStretch: Stretch {}
extension AccountChart.StateStretch: Stretch {}
extension AccountChart.Ownership: Stretch {}

extension Array where Element: Stretch {
    /// Adjoining ones that look the same, made one.
    fileprivate func joined(
        where looksSame: (Element, Element) -> Bool
    ) -> [(Element, Interval)] {
        var joined: [(Element, Interval)] = []
        for element in self {
            if let (last, interval) = joined.last, interval.end == element.interval.start,
                looksSame(last, element)
            {
                joined[joined.count - 1].1 = Interval(
                    uncheckedFrom: interval.start, to: element.interval.end)
            } else {
                joined.append((element, element.interval))
            }
        }
        return joined
    }
}
