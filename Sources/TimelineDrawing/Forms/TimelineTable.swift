internal import EntitlementModel

extension AccountChart {
    /// Every stretch on a line of its own, in columns that are set apart by tabs: for programs,
    /// the same in every language. `-` stands for what is not there; ends with a line break.
    package func table() -> String {
        var rows = [["what", "name", "environment", "from", "until", "value", "source", "reason"]]
        for right in rights {
            rows += right.spans.filter { $0.isGranted || $0.source != nil }.map { span in
                ["right", right.entitlement, right.environment] + columns(span.interval) + [
                    span.isGranted ? "yes" : "no", span.source.map(word) ?? "-", span.rule,
                ]
            }
        }
        for unit in units {
            rows += unit.states.map { span in
                ["state", unit.number, unit.environment] + columns(span.interval) + [
                    span.state, "\(span.product) \(span.transaction)", span.reason ?? "-",
                ]
            }
            rows += unit.owners.map { owner in
                ["owner", unit.number, unit.environment] + columns(owner.interval) + [
                    owner.account, "-", "-",
                ]
            }
        }
        return rows.map { $0.joined(separator: "\t") + "\n" }.joined()
    }

    private func columns(_ interval: Interval) -> [String] {
        [interval.hasBeginning ? interval.start.rfc3339 : "-", interval.end?.rfc3339 ?? "-"]
    }

    private func word(_ source: Source) -> String {
        switch source {
        case .product(let product): product
        case .grant(let grant): "grant \(grant)"
        }
    }
}
