package import EntitlementAnswers
package import EntitlementModel

/// How a picture is drawn.
package struct PictureOptions: Sendable {
    package var language: Language
    /// Columns of the terminal.
    package var width: Int
    package var usesColour: Bool
    /// Where the picture begins and ends; what is nil follows from the chart.
    package var from: Instant?
    package var until: Instant?

    package init(
        language: Language, width: Int = 100, usesColour: Bool = false,
        from: Instant? = nil, until: Instant? = nil
    ) {
        self.language = language
        self.width = width
        self.usesColour = usesColour
        self.from = from
        self.until = until
    }
}

extension TimelineReport {
    /// Every stretch, and what happened to orders, on a line of its own, in columns that are set
    /// apart by tabs: for programs, the same in every language. `-` stands for what is not there;
    /// ends with a line break.
    package func table() -> String {
        var rows = [["what", "name", "environment", "from", "until", "value", "source", "reason"]]
        for right in rights {
            rows += right.spans.filter(\.isKnown).map { span in
                ["right", right.entitlement.text, right.environment.rawValue]
                    + columns(span.interval) + [
                        isBehindRenewal(span) ? "renews" : span.decision ? "yes" : "no",
                        span.source?.product?.text ?? span.source?.grant.map { "grant \($0.text)" }
                            ?? "-", span.rule.name.shown,
                    ]
            }
        }
        for unit in units {
            let name = [unit.number, unit.unit.environment.rawValue]
            rows += unit.states.map { span in
                ["state"] + name + columns(span.interval) + [
                    span.isBehindRenewal ? "renews" : span.state.rawValue,
                    "\(span.product.text) \(span.transaction.text)",
                    span.expiryReason?.rawValue ?? "-",
                ]
            }
            rows += unit.owners.map { owner in
                ["owner"] + name + columns(owner.interval) + [owner.account.text, "-", "-"]
            }
        }
        for order in orders {
            let source = [order.product.text, order.transaction?.text].compactMap(\.self)
            rows += order.marks.map { mark in
                ["order", order.id.text, order.environment.rawValue, mark.at.rfc3339, "-"] + [
                    mark.kind.rawValue, source.joined(separator: " "), "-",
                ]
            }
        }
        return rows.map { $0.joined(separator: "\t") + "\n" }.joined()
    }

    private func columns(_ interval: Interval) -> [String] {
        [interval.hasBeginning ? interval.start.rfc3339 : "-", interval.end?.rfc3339 ?? "-"]
    }

    /// Whether a right has ended then only if the subscription that gives it is not renewed.
    func isBehindRenewal(_ span: RightStretch) -> Bool {
        !span.decision && span.state == .expired
            && units.contains { unit in
                guard let lineage = unit.unit.lineageID, lineage == span.source?.lineage,
                    let renewal = unit.states.first(where: \.isBehindRenewal)
                else { return false }
                return renewal.interval.start <= span.interval.start
            }
    }
}

extension RightStretch {
    /// Whether there is anything to say of it.
    var isKnown: Bool { decision || source != nil }

    /// The name of the rule for people.
    func ruleName(_ language: Language) -> String {
        rule.isBuiltIn ? BuiltInRule.words(rule.name, language) : rule.name.shown
    }
}

extension UnitAnswer {
    /// The lineage's or the transaction's.
    var number: String { unit.lineageID?.text ?? unit.purchaseID?.text ?? "" }

    /// Who owned it at all times.
    var constantOwner: AccountID? {
        guard let only = owners.first, owners.count == 1, only.interval == .always else {
            return nil
        }
        return only.account
    }
}

/// Something that happened to an order.
struct OrderMark: Hashable {
    enum Kind: String, CaseIterable {
        case made
        case paid
        case delivered
        case refunded
        /// Cancelled, failed, or payments are switched off.
        case closed
    }

    let kind: Kind
    let at: Instant
}

extension AccountOrder {
    /// In order.
    var marks: [OrderMark] {
        let isClosed = [.cancelled, .failed, .notAllowed].contains(state)
        let marks: [(OrderMark.Kind, Instant?)] = [
            (.made, madeAt), (.paid, paidAt), (.delivered, deliveredAt),
            (.refunded, refundedAt), (.closed, isClosed ? changedAt : nil),
        ]
        return marks.compactMap { kind, instant in
            instant.map { OrderMark(kind: kind, at: $0) }
        }
    }
}

extension Instant {
    /// For people, in UTC and no longer than it must be: `2026-02-10`, `2026-02-10 14:05`,
    /// `2026-02-10 14:05:09`.
    var brief: String {
        let text = rfc3339
        let (date, time) = (text.prefix(10), text.dropFirst(11).prefix(8))
        if time == "00:00:00" { return String(date) }
        return date + " " + (time.hasSuffix(":00") ? time.prefix(5) : time)
    }
}

extension Interval {
    /// Whether it begins somewhere: `distantPast` stands for "since ever".
    var hasBeginning: Bool { start != .distantPast }
}
