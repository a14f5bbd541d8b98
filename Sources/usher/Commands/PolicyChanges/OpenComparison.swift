internal import EntitlementModel
internal import StrictJSON

/// A stretch of time in which one policy gives an entitlement to everybody, and another does not.
struct OpenChange: Equatable {
    let entitlement: EntitlementName
    let stretch: Interval
    /// Whether the new policy gives it; else the old one.
    let isGained: Bool

    var json: JSONValue {
        .object(known: [
            ("change", .string(isGained ? "wider" : "narrower")),
            ("entitlement", .string(entitlement.text)),
            ("from", .string(stretch.start.rfc3339)),
            ("until", stretch.end.map { .string($0.rfc3339) }),
        ])
    }
}

/// By entitlement and time. Which rule opens it does not matter.
func openChanges(from old: Policy, to new: Policy) -> [OpenChange] {
    let names = Set((old.openRights + new.openRights).flatMap(\.entitlements)).sorted()
    return names.flatMap { name in
        let (before, after) = (old.windows(of: name), new.windows(of: name))
        let changes =
            before.uncovered(by: after)
            .map { OpenChange(entitlement: name, stretch: $0, isGained: false) }
            + after.uncovered(by: before)
            .map { OpenChange(entitlement: name, stretch: $0, isGained: true) }
        return changes.sorted { $0.stretch.start < $1.stretch.start }
    }
}

extension Policy {
    fileprivate func windows(of entitlement: EntitlementName) -> [Interval] {
        openRights.filter { $0.entitlements.contains(entitlement) }.flatMap(\.windows)
    }
}

extension [Interval] {
    /// What is in one of these and in none of the others, each instant once.
    fileprivate func uncovered(by others: [Interval]) -> [Interval] {
        let bounds = Set((self + others).flatMap { [$0.start, $0.end].compactMap(\.self) }).sorted()
        var found: [Interval] = []
        for (index, start) in bounds.enumerated() {
            let end = index + 1 < bounds.count ? bounds[index + 1] : nil
            guard contains(where: { $0.contains(start) }),
                !others.contains(where: { $0.contains(start) })
            else { continue }
            let stretch = Interval(uncheckedFrom: start, to: end)
            guard let last = found.last, last.end == start else {
                found.append(stretch)
                continue
            }
            found[found.count - 1] = Interval(uncheckedFrom: last.start, to: end)
        }
        return found
    }
}
