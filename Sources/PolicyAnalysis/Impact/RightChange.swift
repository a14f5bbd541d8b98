package import EntitlementModel

/// What an account may have: an entitlement or a credit, in an environment.
package struct ImpactRight: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        case entitlement(EntitlementName)
        case credit(CreditName)
    }

    package let environment: StoreEnvironment
    package let subject: Subject

    package init(_ environment: StoreEnvironment, _ subject: Subject) {
        self.environment = environment
        self.subject = subject
    }

    package var name: String {
        switch subject {
        case .entitlement(let name): name.text
        case .credit(let name): name.text
        }
    }
}

package enum ImpactDirection: String, CaseIterable, Hashable, Sendable {
    case loses
    case gains
}

/// One right that an account has by one of two policies and not by the other, at some time of a
/// window.
package struct RightChange: Hashable, Sendable {
    /// A time of the window at which it is so without a break.
    package struct Stretch: Hashable, Sendable {
        /// Begins in the window; ends when the two agree again, wherever that is, and never where
        /// nothing that is known ends it. Of a credit it is known at the window's instants only.
        package let interval: Interval
        /// What gives the right where it is had, at its start; nil for a credit.
        package let verdict: RightVerdict?
    }

    package let direction: ImpactDirection
    package let right: ImpactRight
    /// By their start; at least one.
    package let stretches: [Stretch]
    /// At which of the window's instants it is so.
    package let days: [Bool]

    /// Where it begins in the window. For a credit, the first of the window's instants.
    package var first: Instant { stretches[0].interval.start }
    /// What gives the right where it is had, at `first`; nil for a credit.
    package var verdict: RightVerdict? { stretches[0].verdict }
}

/// What the account loses and gains by the step from one policy to another: where it has a right
/// at any time of the window by one and not by the other (spec 2.4).
package func rightChanges(
    from old: AccountTimeline, to new: AccountTimeline, in window: ImpactWindow
) -> [RightChange] {
    var changes: [RightChange] = []
    if old.rights != new.rights {
        for key in Set(old.rights.keys).union(new.rights.keys) {
            let right = ImpactRight(key.environment, .entitlement(key.entitlement))
            let (before, after) = (old.right(key), new.right(key))
            changes += [
                change(.loses, right, having: before, lacking: after, window),
                change(.gains, right, having: after, lacking: before, window),
            ].compactMap(\.self)
        }
    }
    if old.balances != new.balances {
        for key in Set(old.balances.keys).union(new.balances.keys) {
            changes += creditChanges(key, old.balances[key], new.balances[key], window)
        }
    }
    return changes
}

private func change(
    _ direction: ImpactDirection, _ right: ImpactRight, having: RightTimeline,
    lacking: RightTimeline, _ window: ImpactWindow
) -> RightChange? {
    let stretches = differences(having, lacking, window)
    guard !stretches.isEmpty else { return nil }
    let days = window.instants.map { instant in
        having.span(at: instant).isGranted && !lacking.span(at: instant).isGranted
    }
    return RightChange(direction: direction, right: right, stretches: stretches, days: days)
}

/// The stretches that begin in the window and in which one grants and the other does not.
private func differences(
    _ having: RightTimeline, _ lacking: RightTimeline, _ window: ImpactWindow
) -> [RightChange.Stretch] {
    var stretches: [RightChange.Stretch] = []
    var begun: (start: Instant, verdict: RightVerdict)?
    func end(at end: Instant?) {
        guard let first = begun else { return }
        let interval = Interval(uncheckedFrom: first.start, to: end)
        stretches.append(RightChange.Stretch(interval: interval, verdict: first.verdict))
        begun = nil
    }
    var (place, other) = (having.index(at: window.start), lacking.index(at: window.start))
    while true {
        let (span, opposite) = (having.spans[place], lacking.spans[other])
        let start = max(window.start, max(span.interval.start, opposite.interval.start))
        let differs = span.isGranted && !opposite.isGranted
        if !differs { end(at: start) }
        if begun == nil {
            guard start <= window.end else { return stretches }
            if differs { begun = (start, span.verdict) }
        }
        switch (span.interval.end, opposite.interval.end) {
        case (nil, nil):
            end(at: nil)
            return stretches
        case (nil, _?): other += 1
        case (_?, nil): place += 1
        case (let end?, let otherEnd?):
            if end <= otherEnd { place += 1 }
            if otherEnd <= end { other += 1 }
        }
    }
}

private func creditChanges(
    _ key: CreditKey, _ old: CreditTimeline?, _ new: CreditTimeline?, _ window: ImpactWindow
) -> [RightChange] {
    let right = ImpactRight(key.environment, .credit(key.credit))
    let differences = window.instants.map { instant in
        (new?.balance(at: instant) ?? 0) - (old?.balance(at: instant) ?? 0)
    }
    return ImpactDirection.allCases.compactMap { direction in
        let days = differences.map { direction == .loses ? $0 < 0 : $0 > 0 }
        guard days.contains(true) else { return nil }
        return RightChange(
            direction: direction, right: right, stretches: window.stretches(of: days), days: days)
    }
}

extension ImpactWindow {
    /// Where it is so at instants one after the other; without an end where it is so at the last.
    fileprivate func stretches(of days: [Bool]) -> [RightChange.Stretch] {
        days.indices.filter { days[$0] && ($0 == 0 || !days[$0 - 1]) }.map { first in
            let end = days[first...].firstIndex(of: false).map { instants[$0] }
            return RightChange.Stretch(
                interval: Interval(uncheckedFrom: instants[first], to: end), verdict: nil)
        }
    }
}

/// What an account paid last for a purchase, or would pay by the catalogue where the evidence does
/// not say. Not for accounting.
package struct ImpactPayment: Hashable, Sendable {
    /// Thousandths of the currency's unit.
    package let milliunits: Int64
    /// ISO 4217.
    package let currency: String

    /// Nil where nobody can tell, and for what a family member or an organisation paid.
    package init?(
        for transaction: TransactionKey, in facts: FactSet, by catalogue: [ProductID: Product]
    ) {
        var newest: Recorded<TransactionSnapshot>?
        for fact in facts.transactions where fact.value.key == transaction {
            if newest.map({ $0.value.signedDate <= fact.value.signedDate }) ?? true {
                newest = fact
            }
        }
        guard let snapshot = newest?.value,
            snapshot.ownership == .purchased || snapshot.ownership == .notStated
        else { return nil }
        if let price = snapshot.price, let currency = price.currency {
            self.init(milliunits: price.milliunits, currency: currency)
            return
        }
        guard let currency = snapshot.storefront.flatMap(StorefrontCurrencies.currency),
            let price = catalogue[snapshot.productID]?.prices[currency]
        else { return nil }
        self.init(milliunits: price, currency: currency)
    }

    package init(milliunits: Int64, currency: String) {
        self.milliunits = milliunits
        self.currency = currency
    }
}
