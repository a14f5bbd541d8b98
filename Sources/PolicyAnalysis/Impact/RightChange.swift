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
    package let direction: ImpactDirection
    package let right: ImpactRight
    /// Where it begins in the window. For a credit, the first of the window's instants.
    package let first: Instant
    /// At which of the window's instants it is so.
    package let days: [Bool]
    /// What gives the right where it is had, at `first`; nil for a credit.
    package let verdict: RightVerdict?
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
    guard let first = firstDifference(having, lacking, window) else { return nil }
    let days = window.instants.map { instant in
        having.span(at: instant).isGranted && !lacking.span(at: instant).isGranted
    }
    return RightChange(
        direction: direction, right: right, first: first, days: days,
        verdict: having.span(at: first).verdict)
}

/// The first instant of the window at which one grants and the other does not.
private func firstDifference(
    _ having: RightTimeline, _ lacking: RightTimeline, _ window: ImpactWindow
) -> Instant? {
    var (place, other) = (having.index(at: window.start), lacking.index(at: window.start))
    while place < having.spans.count, other < lacking.spans.count {
        let (span, opposite) = (having.spans[place], lacking.spans[other])
        let start = max(window.start, max(span.interval.start, opposite.interval.start))
        guard start <= window.end else { return nil }
        if span.isGranted, !opposite.isGranted { return start }
        switch (span.interval.end, opposite.interval.end) {
        case (nil, nil): return nil
        case (nil, _?): other += 1
        case (_?, nil): place += 1
        case (let end?, let otherEnd?):
            if end <= otherEnd { place += 1 }
            if otherEnd <= end { other += 1 }
        }
    }
    return nil
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
        guard let day = days.firstIndex(of: true) else { return nil }
        return RightChange(
            direction: direction, right: right, first: window.instants[day], days: days,
            verdict: nil)
    }
}
