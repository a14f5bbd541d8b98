internal import EntitlementAnswers
internal import EntitlementModel

/// Turns a chart into the lines of its pictures, in one language.
struct ChartLayout {
    let report: TimelineReport
    let language: Language

    var frame: AccountFrame { report.frame }

    var title: String { ChartPhrase.title.text(language, frame.account.text) }

    /// Of when it is, and what it follows from.
    var basis: [String] {
        [
            ChartPhrase.asOf.text(language, frame.at.brief),
            ChartPhrase.basis.text(
                language, "\(frame.revision.number)", String(frame.policy.hexadecimal.prefix(12))),
        ]
    }

    var lines: [ChartLine] {
        if report.rights.isEmpty && report.units.isEmpty && report.orders.isEmpty {
            return [.remark(ChartPhrase.nothingKnown.text(language))]
        }
        var lines: [ChartLine] = []
        if !report.rights.isEmpty {
            lines.append(.heading(ChartPhrase.rights.text(language)))
            lines += report.rights.map { .track(track($0)) }
        }
        if !report.units.isEmpty {
            lines.append(.heading(ChartPhrase.purchases.text(language)))
            lines += report.units.flatMap(self.lines(of:))
        }
        if !report.orders.isEmpty {
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
    private func track(_ right: RightHistory) -> Track {
        let answer = RightAnswer(right, at: frame.at)
        let isGranted = answer?.stretch.decision ?? false
        return Track(
            rank: .right, name: name(of: right),
            verdict: (isGranted ? ChartPhrase.yes : .no).text(language), isGood: isGranted,
            note: answer.flatMap(note(on:)), bars: bars(of: right))
    }

    /// When it ends, or since when it has been over.
    private func note(on answer: RightAnswer) -> String? {
        if let until = answer.until, answer.next.map(report.isBehindRenewal) == true {
            return ChartPhrase.renewsAt.text(language, until.brief)
        }
        if let until = answer.until { return ChartPhrase.until.text(language, until.brief) }
        if answer.stretch.decision { return ChartPhrase.withoutEnd.text(language) }
        return answer.since.map { ChartPhrase.since.text(language, $0.brief) }
    }

    func name(of right: RightHistory) -> String {
        right.entitlement.text + marked(right.environment)
    }

    /// Production goes without saying.
    private func marked(_ environment: StoreEnvironment) -> String {
        environment == .production ? "" : " [\(environment.rawValue)]"
    }

    private func bars(of right: RightHistory) -> [Bar] {
        right.spans.filter(\.isKnown).joined { span, next in
            look(of: span) == look(of: next) && span.source?.product == next.source?.product
                && span.source?.grant == next.source?.grant
        }.map { span, interval in
            let source = span.source.map(text(of:)) ?? ""
            let look = look(of: span)
            return Bar(
                interval: interval, look: look, label: span.decision ? source : "",
                sentence: [look.label.text(language), source, text(of: interval)]
                    .filter { !$0.isEmpty }.joined(separator: comma))
        }
    }

    private func look(of span: RightStretch) -> Look {
        report.isBehindRenewal(span) ? .renews : span.decision ? .given : .withheld
    }

    func text(of source: SourceAnswer) -> String {
        source.product?.text ?? ChartPhrase.byHand.text(language)
    }
}

/// Units.
extension ChartLayout {
    private func lines(of unit: UnitAnswer) -> [ChartLine] {
        var lines: [ChartLine] = [
            .unit(products: products(of: unit), details: details(of: unit))
        ]
        if !unit.states.isEmpty { lines.append(.track(track(ofStatesOf: unit))) }
        if unit.constantOwner == nil {
            let owners = unit.owners.map(\.account).gathered(where: ==)
            lines += owners.map { .track(track(of: $0[0], owning: unit)) }
        }
        return lines
    }

    /// What was bought, in the order in which it was; the kind where no state tells that.
    func products(of unit: UnitAnswer) -> [String] {
        var names: [String] = []
        for state in unit.states where names.last != state.product.text {
            names.append(state.product.text)
        }
        return names.isEmpty ? [kind(of: unit)] : names
    }

    private func kind(of unit: UnitAnswer) -> String {
        unit.kind.known?.text(language) ?? unit.kind.word.shown
    }

    /// Kind, place and number; the owner too, where it was always the same.
    func details(of unit: UnitAnswer) -> [String] {
        var parts = unit.states.isEmpty ? [] : [kind(of: unit)]
        if unit.unit.environment != .production {
            parts.append(unit.unit.environment.text(language))
        }
        if let owner = unit.constantOwner {
            parts.append(ChartPhrase.owner.text(language, owner.text))
        } else if unit.owners.isEmpty {
            parts.append(ChartPhrase.nobody.text(language))
        }
        parts.append(unit.number)
        if let appleID = unit.appleID {
            parts.append(ChartPhrase.appleID.text(language, appleID.text))
        }
        return parts
    }

    private func track(ofStatesOf unit: UnitAnswer) -> Track {
        let current = unit.states.last { $0.interval.contains(frame.at) }
        let bars = states(of: unit).map(bar)
        return Track(
            rank: .state, name: current.map { $0.state.text(language) } ?? "",
            note: bars.last { $0.interval.contains(frame.at) }.map { note(on: $0.interval) },
            bars: bars)
    }

    /// When it ends, or when it began.
    private func note(on interval: Interval) -> String {
        interval.end.map { ChartPhrase.until.text(language, $0.brief) }
            ?? ChartPhrase.since.text(language, interval.start.brief)
    }

    /// Stretches of one state of one period, whatever else changed within.
    func states(of unit: UnitAnswer) -> [(StateAnswer, Interval)] {
        unit.states.joined {
            $0.state == $1.state && $0.isBehindRenewal == $1.isBehindRenewal
                && $0.expiryReason == $1.expiryReason && $0.transaction == $1.transaction
                && $0.product == $1.product
        }
    }

    private func bar(_ span: StateAnswer, _ interval: Interval) -> Bar {
        let state = stateText(span)
        let look = Look(span)
        return Bar(
            interval: interval, look: look, label: look == .active ? span.product.text : state,
            sentence: [state, span.product.text, text(of: interval), span.transaction.text]
                .joined(separator: comma))
    }

    /// `expired (cancelled)`.
    func stateText(_ span: StateAnswer) -> String {
        if span.isBehindRenewal { return ChartPhrase.renews.text(language) }
        let reason = span.expiryReason.map { " (\($0.text(language)))" } ?? ""
        return span.state.text(language) + reason
    }

    private func track(of account: AccountID, owning unit: UnitAnswer) -> Track {
        let spans = unit.owners.filter { $0.account == account }
        let bars = spans.joined { _, _ in true }.map { _, interval in
            Bar(
                interval: interval, look: .owned, label: account.text,
                sentence: [ChartPhrase.owner.text(language, account.text), text(of: interval)]
                    .joined(separator: comma))
        }
        return Track(rank: .owner, name: account.text, bars: bars)
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
        for order in report.orders.reversed() {
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

    func name(of order: AccountOrder) -> String {
        order.product.text + marked(order.environment)
    }

    private func mark(_ mark: OrderMark, of order: AccountOrder) -> Mark {
        Mark(
            at: mark.at, look: Look(mark.kind),
            sentence: [
                text(of: mark), order.product.text,
                ChartPhrase.orderNumber.text(language, order.id.text),
            ].joined(separator: comma))
    }

    /// `delivered 2026-02-01`.
    func text(of mark: OrderMark) -> String {
        Look(mark.kind).label.text(language) + " " + mark.at.brief
    }
}

/// The answer at an instant.
struct RightAnswer {
    let stretch: RightStretch
    /// When the decision last changed.
    let since: Instant?
    /// What comes then.
    let next: RightStretch?

    /// When the decision next changes.
    var until: Instant? { next?.interval.start }

    /// Nil where the spans leave the instant out.
    init?(_ right: RightHistory, at instant: Instant) {
        guard let index = right.spans.firstIndex(where: { $0.interval.contains(instant) }) else {
            return nil
        }
        let stretch = right.spans[index]
        let isOther = { (other: RightStretch) in other.decision != stretch.decision }
        self.stretch = stretch
        since = right.spans[..<index].last(where: isOther)?.interval.end
        next = right.spans[index...].first(where: isOther)
    }
}

extension Look {
    init(_ span: StateAnswer) {
        self = span.isBehindRenewal ? .renews : Look(span.state)
    }
}

/// A stretch of time, whatever is said of it.
protocol Stretch {
    var interval: Interval { get }
}

extension RightStretch: Stretch {}
extension StateAnswer: Stretch {}
extension OwnershipSpan: Stretch {}

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

/// A line of a picture, from top to bottom; every form of picture draws the same ones.
enum ChartLine: Hashable {
    case heading(String)
    /// What was bought, one after another, and what is to be said of it.
    case unit(products: [String], details: [String])
    case track(Track)
    /// A sentence in place of what is missing.
    case remark(String)
}

/// A row of stretches next to its name.
struct Track: Hashable {
    enum Rank: Hashable {
        /// Stand below a heading.
        case right
        case order
        /// Stand below a unit.
        case state
        case owner

        var isBelowUnit: Bool { self == .state || self == .owner }
    }

    var rank: Rank
    var name: String
    /// The short answer at the instant that is asked about.
    var verdict: String?
    var isGood: Bool = false
    /// Until or since when.
    var note: String?
    var bars: [Bar]
    /// What happened at one instant each, in order.
    var marks: [Mark] = []
}

/// A stretch of time that looks the same from end to end.
struct Bar: Hashable {
    var interval: Interval
    var look: Look
    /// Shown inside, where there is room.
    var label: String
    /// All there is to say of it.
    var sentence: String
}

/// What happened at one instant.
struct Mark: Hashable {
    var at: Instant
    var look: Look
    /// All there is to say of it.
    var sentence: String
}

/// What stands between products that were bought one after another, and between facts.
enum ChartSeparator {
    static let products = " → "
    static let facts = " · "
}

extension [String] {
    /// Joined into lines of at most so many columns: no part is broken, one that is wider has a
    /// line of its own.
    func lines(joinedBy separator: String, to width: Int) -> [String] {
        var lines: [String] = []
        for part in self {
            if let last = lines.last, (last + separator + part).columns <= width {
                lines[lines.count - 1] += separator + part
            } else {
                lines.append(part)
            }
        }
        return lines
    }
}
