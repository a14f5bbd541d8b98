package import EntitlementAnswers
package import EntitlementModel

/// An account over time, as `GET …/timeline` tells it: what every picture is drawn from.
package struct AccountChart: Hashable, Sendable {
    package var account: String
    /// The instant that is asked about; the pictures mark it.
    package var at: Instant
    package var policy: String
    package var revision: Int64
    package var rights: [Right]
    package var units: [Unit]
    /// The newest first.
    package var orders: [Order]

    /// One entitlement in one environment.
    package struct Right: Hashable, Sendable {
        package var entitlement: String
        package var environment: String
        /// In order; together they cover all of time.
        package var spans: [RightStretch]
    }

    /// A stretch with one answer and one reason for it.
    package struct RightStretch: Hashable, Sendable {
        package var interval: Interval
        package var isGranted: Bool
        package var state: EntitlementState?
        /// The product or the grant that gives, or last gave, the right.
        package var source: Source?
        /// As answers name it.
        package var rule: String
        /// Whether it is of no policy, and so has a name in every language.
        package var isBuiltIn = false
        /// Whether it ends only if the subscription that gives the right is not renewed.
        package var isBehindRenewal = false
    }

    /// What gives a right.
    package enum Source: Hashable, Sendable {
        case product(String)
        case grant(String)
    }

    /// What can be owned: a lineage or a single purchase.
    package struct Unit: Hashable, Sendable {
        package var environment: String
        /// The lineage's or the transaction's number.
        package var number: String
        package var kind: String
        package var appleID: String?
        /// In order; before the first there is no state.
        package var states: [StateStretch]
        /// By beginning; those of several accounts overlap where the unit is shared.
        package var owners: [Ownership]
    }

    /// A stretch in one state of one period.
    package struct StateStretch: Hashable, Sendable {
        package var interval: Interval
        package var state: EntitlementState
        /// Whether it lies after the paid end of a subscription that renews.
        package var isBehindRenewal = false
        package var reason: ExpiryReason?
        package var product: String
        package var transaction: String
    }

    /// A stretch in which an account owns a unit.
    package struct Ownership: Hashable, Sendable {
        package var account: String
        package var interval: Interval
    }

    /// What was going to be bought.
    package struct Order: Hashable, Sendable {
        package var id: String
        package var environment: String
        package var product: String
        /// What pays it.
        package var transaction: String?
        /// In order.
        package var marks: [OrderMark]
    }

    /// Something that happened to an order.
    package struct OrderMark: Hashable, Sendable {
        package enum Kind: String, CaseIterable, Hashable, Sendable {
            case made
            case paid
            case delivered
            case refunded
            /// Cancelled, failed, or payments are switched off.
            case closed
        }

        package var kind: Kind
        package var at: Instant
    }
}

extension Instant {
    /// For people, in UTC and no longer than it must be: `2026-02-10`, `2026-02-10 14:05`,
    /// `2026-02-10 14:05:09`.
    package var brief: String {
        let text = rfc3339
        let (date, time) = (text.prefix(10), text.dropFirst(11).prefix(8))
        if time == "00:00:00" { return String(date) }
        return date + " " + (time.hasSuffix(":00") ? time.prefix(5) : time)
    }
}

extension Interval {
    /// Whether it begins somewhere: `distantPast` stands for "since ever".
    package var hasBeginning: Bool { start != .distantPast }
}

extension AccountChart {
    /// What a report tells. Texts come out safe to show: they have passed through many hands.
    package init(_ report: TimelineReport) {
        account = report.frame.account.text
        at = report.frame.at
        policy = report.frame.policy.hexadecimal
        revision = report.frame.revision.number
        units = report.units.map(Unit.init)
        rights = report.rights.map { right in
            Right(right, renewing: report.units.compactMap(\.renewalAhead))
        }
        orders = report.orders.map(Order.init)
    }
}

extension AccountChart.Right {
    fileprivate init(_ right: RightHistory, renewing ahead: [RenewalAhead]) {
        entitlement = right.entitlement.text
        environment = right.environment.rawValue
        spans = right.spans.map { span in
            var stretch = AccountChart.RightStretch(span)
            stretch.isBehindRenewal =
                !span.decision && span.state == .expired
                && ahead.contains {
                    $0.lineage == span.source?.lineage && $0.start <= span.interval.start
                }
            return stretch
        }
    }
}

/// From when on a subscription renews.
private struct RenewalAhead {
    let lineage: TransactionID
    let start: Instant
}

extension UnitAnswer {
    fileprivate var renewalAhead: RenewalAhead? {
        guard let lineage = unit.lineageID,
            let stretch = states.first(where: \.isBehindRenewal)
        else { return nil }
        return RenewalAhead(lineage: lineage, start: stretch.interval.start)
    }
}

extension AccountChart.RightStretch {
    fileprivate init(_ span: EntitlementAnswers.RightStretch) {
        interval = span.interval
        isGranted = span.decision
        state = span.state
        if let product = span.source?.product {
            source = .product(product.text)
        } else if let grant = span.source?.grant {
            source = .grant(grant.text)
        }
        rule = span.rule.name.shown
        isBuiltIn = span.rule.isBuiltIn
    }
}

extension AccountChart.Unit {
    fileprivate init(_ unit: UnitAnswer) {
        environment = unit.unit.environment.rawValue
        number = unit.unit.lineageID?.text ?? unit.unit.purchaseID?.text ?? ""
        kind = unit.kind.word.shown
        appleID = unit.appleID?.text
        states = unit.states.map(AccountChart.StateStretch.init)
        owners = unit.owners.map {
            AccountChart.Ownership(account: $0.account.text, interval: $0.interval)
        }
    }
}

extension AccountChart.StateStretch {
    fileprivate init(_ state: StateAnswer) {
        interval = state.interval
        self.state = state.state
        isBehindRenewal = state.isBehindRenewal
        reason = state.expiryReason
        product = state.product.text
        transaction = state.transaction.text
    }
}

extension AccountChart.Order {
    fileprivate init(_ order: AccountOrder) {
        id = order.id.text
        environment = order.environment.rawValue
        product = order.product.text
        transaction = order.transaction?.text
        let isClosed = [.cancelled, .failed, .notAllowed].contains(order.state)
        let marks: [(AccountChart.OrderMark.Kind, Instant?)] = [
            (.made, order.madeAt), (.paid, order.paidAt), (.delivered, order.deliveredAt),
            (.refunded, order.refundedAt), (.closed, isClosed ? order.changedAt : nil),
        ]
        self.marks = marks.compactMap { kind, instant in
            instant.map { AccountChart.OrderMark(kind: kind, at: $0) }
        }
    }
}

extension AccountChart.RightStretch {
    /// The name of the rule for people.
    func ruleName(_ language: Language) -> String {
        isBuiltIn ? BuiltInRule.words(rule, language) : rule
    }
}
