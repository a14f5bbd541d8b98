package import EntitlementModel

/// What would be answered to a refund request, and why (spec 1.12).
package struct RefundEvaluation: Hashable, Sendable {
    package var product: ProductID
    /// As signed, else as the catalogue has it; nil where neither says.
    package var kind: ProductKind?
    package var purchasedAt: Instant
    package var price: Price?
    /// Nil if it had no owner when Apple asked.
    package var account: AccountID?
    /// The account's last word; nil where it never said anything.
    package var consent: Recorded<RefundConsent>?
    package var rule: RuleReference
    package var answer: RefundRule.Answer
    package var delivery: RefundStatement.Delivery
    package var hadSample: Bool
    /// How much was used when Apple asked, in thousandths of a percent; nil where that cannot be
    /// measured.
    package var consumed: Int64?
    /// Nil where the rule says nothing.
    package var statement: RefundStatement?
    /// The differences of the statement from the rule or the measure.
    package var notes: [RefundNote]
    /// Why nothing may be sent; nil where it may.
    package var obstacle: RefundObstacle?
    /// When the purchase was refunded or its sharing ended, as far as that is known.
    package var revokedAt: Instant?
}

/// Why Apple gets no answer. The codes are a contract.
package enum RefundObstacle: String, CaseIterable, DerivationText, Sendable {
    /// No purchase with that transaction is known, or it has no effect.
    case unknownTransaction = "transaction-unknown"
    /// Only production and the sandbox take answers.
    case environment
    case assigned
    case familyShared = "family-shared"
    case unknownOwnership = "ownership-unknown"
    case unowned = "no-owner"
    case rule = "rule-says-nothing"
    case noConsent = "no-consent"

    package var english: String {
        switch self {
        case .unknownTransaction: "no purchase with this transaction is known"
        case .environment: "this environment takes no answer"
        case .assigned: "an organisation assigned it, and Apple takes no answer"
        case .familyShared: "the family shares it: only the customer who bought it can ask"
        case .unknownOwnership: "how the Apple ID obtained it is unknown"
        case .unowned: "no account owns it, so nobody has consented"
        case .rule: "the policy says nothing"
        case .noConsent: "the customer has not consented"
        }
    }
}

/// Why a statement differs from the rule's. The codes are a contract.
package enum RefundNote: String, CaseIterable, DerivationText, Sendable {
    /// Nothing was used, so that a share of the price is all of it.
    case nothingUsed = "nothing-used"
    /// How much was used cannot be measured, so that all of the price is granted.
    case notMeasured = "not-measured"
    /// The share was rounded down, for the customer.
    case roundedDown = "rounded-down"
    /// Apple counts the days of a subscription itself.
    case countedByApple = "counted-by-apple"
    /// The first version of the call has no share: a refund is preferred.
    case noShare = "no-share"

    package var english: String {
        switch self {
        case .nothingUsed: "nothing was used, so all of the price is preferred"
        case .notMeasured: "how much was used cannot be measured, so all of the price is preferred"
        case .roundedDown: "the share that was used is rounded down"
        case .countedByApple: "Apple counts the days of a subscription itself"
        case .noShare: "Advanced Commerce takes no percentage, so a whole refund is preferred"
        }
    }
}

extension Deriver {
    /// The account that owned the purchase when Apple asked, or owns it now; of several the one that
    /// had it first.
    package func account(of request: RefundRequest, _ facts: FactSet) -> AccountID? {
        let view = FactView(facts, policy: policy)
        guard let unit = view.unit(of: request.transaction)?.unit else { return nil }
        return OwnershipIndex(view).ownership(of: unit).account(at: request.askedAt)
    }

    /// The answer of the policy in force. `facts` are all that the account's timeline is derived
    /// from, or, if the purchase has no owner, all of its Apple ID.
    ///
    /// Nil where no purchase with the transaction has effect.
    package func evaluate(_ request: RefundRequest, _ facts: FactSet) -> RefundEvaluation? {
        let view = FactView(facts, policy: policy)
        guard let (own, purchase) = view.unit(of: request.transaction),
            let lineage = view.lineage(of: request.transaction)
        else { return nil }
        let ownerships = OwnershipIndex(view)
        let decided = ownerships.lineages(in: view)
        let index = UnitIndex(view, ownerships: ownerships) {
            decided.contains($0) || $0 == lineage.key
        }
        guard let unit = index.units.first(where: { $0.unit == own }) else { return nil }
        let refund = RefundCase(
            request: request, purchase: purchase, unit: unit, units: index.units,
            before: view.purchases(of: lineage).filter { $0.start < purchase.start }, view: view)
        return refund.evaluation
    }
}

extension UnitOwnership {
    fileprivate func account(at instant: Instant) -> AccountID? {
        let then = spans.filter { $0.interval.contains(instant) }.map(\.account)
        let asking = then.isEmpty ? owners : then
        return changes.lazy.flatMap(\.value.ownersAfter).first(where: asking.contains)
    }
}

/// A purchase whose refund is asked for, with all that the answer depends on.
private struct RefundCase {
    let request: RefundRequest
    let purchase: Purchase
    let unit: DerivedUnit
    let units: [DerivedUnit]
    /// Of the same lineage.
    let before: [Purchase]
    let view: FactView

    private var account: AccountID? { unit.ownership.account(at: request.askedAt) }
    private var kind: ProductKind? { purchase.kind?.known }

    var evaluation: RefundEvaluation {
        let rule = decidingRule
        let measured = account.flatMap { measure(for: $0) }
        var evaluation = RefundEvaluation(
            product: purchase.productID, kind: kind, purchasedAt: purchase.start,
            price: purchase.price(in: view), account: account, consent: consent,
            rule: rule.reference, answer: rule.answer, delivery: delivery,
            hadSample: before.contains { $0.isSample(in: view) }, consumed: measured?.milliPercent,
            notes: [], revokedAt: purchase.ownRevocation?.date)
        evaluation.state(measured, on: request, token: purchase.token(in: view))
        evaluation.obstacle = obstacle(rule)
        return evaluation
    }

    private var consent: Recorded<RefundConsent>? {
        guard let account else { return nil }
        return view.facts.refundConsents.filter { $0.value.account == account }
            .max { $0.sequence < $1.sequence }
    }

    /// The delivery in the ledger: a purchase that an account owns, of a product that gives
    /// something.
    private var delivery: RefundStatement.Delivery {
        let sold = view.policy.product(purchase.productID, soldAt: purchase.soldAt)
        return account == nil || sold?.grants.isEmpty != false ? .other : .delivered
    }

    private func obstacle(_ rule: RefundRule) -> RefundObstacle? {
        guard [.production, .sandbox].contains(request.transaction.environment) else {
            return .environment
        }
        switch purchase.ownership(in: view) {
        case .assigned: return .assigned
        case .familyShared: return .familyShared
        case .unknown: return .unknownOwnership
        case .purchased, .notStated: break
        }
        guard account != nil else { return .unowned }
        guard rule.answer != .nothing else { return .rule }
        return consent?.value.isGiven == true ? nil : .noConsent
    }

    // MARK: The rule

    private var decidingRule: RefundRule {
        let policy = view.policy.policy
        return policy.refundRules.first { rule in
            guard holds(rule.when) else { return false }
            return rule.unless.map { !holds($0) } ?? true
        } ?? builtInRefundRule
    }

    private func holds(_ condition: Condition) -> Bool {
        let policy = view.policy.policy
        return condition.admits(purchase.productID, view.policy.product(purchase.productID))
            && CompiledCondition(condition, foldsAccounts: policy.foldsAccounts)
                .holds(circumstances, at: request.askedAt)
            && (condition.accounts == nil || account != nil)
    }

    private var circumstances: Circumstances {
        var circumstances = Circumstances(
            purchased: purchase.soldAt, firstPurchased: purchase.soldAt, enteredAt: purchase.start,
            storefront: purchase.storefront(in: view), account: account)
        circumstances.bits.set(.kind, to: kind)
        circumstances.bits.set(.environment, to: request.transaction.environment)
        circumstances.bits.set(.ownership, to: OwnershipWord(purchase.ownership(in: view)))
        return circumstances
    }

    // MARK: How much was used

    private func measure(for account: AccountID) -> ConsumedShare? {
        let at = request.askedAt
        switch kind {
        case .autoRenewable:
            return purchase.expires.flatMap { ConsumedShare(of: purchase.start, to: $0, at: at) }
        case .nonRenewing: return unit.states.elapsed(at: at)
        case .consumable:
            let elapsed = unit.statesOfGift.compactMap { $0.elapsed(at: at) }
            return (spentShares(of: account) + elapsed).min()
        case .nonConsumable, .free, nil: return nil
        }
    }

    /// Of each credit that it delivered.
    private func spentShares(of account: AccountID) -> [ConsumedShare] {
        let gifts = Gifts(to: account, in: view.facts)
        let key = TransactionKey(request.transaction.environment, unit.firstPurchase.transactionID)
        let lot = CreditLot.ID.purchase(key, at: unit.firstPurchase.start)
        var delivered: [CreditName: Int64] = [:]
        let sold = view.policy.product(purchase.productID, soldAt: purchase.soldAt)
        for case .credit(let credit, let units, _) in sold?.grants ?? [] {
            let sum = delivered[credit, default: 0]
            delivered[credit] = sum + units.multipliedSaturating(by: purchase.quantity(in: view))
        }
        return Credits(account: account, units: units, gifts: gifts, view: view)
            .spentShares(of: lot, in: key.environment, delivered, at: request.askedAt)
    }
}

extension RefundEvaluation {
    /// Sets the statement within Apple's limits: no share for a subscription that renews, and a
    /// share above zero, up to all, for everything else.
    fileprivate mutating func state(
        _ measured: ConsumedShare?, on request: RefundRequest, token: AppAccountToken?
    ) {
        guard answer != .nothing else { return }
        var stated = RefundStatement(
            delivery: delivery, hadSample: hadSample,
            preference: answer == .decline ? .decline : .grantFull,
            consumed: measured?.milliPercent, isFirstVersion: request.isAdvancedCommerce,
            token: request.isAdvancedCommerce ? token : nil)
        if answer == .prorate {
            if request.isAdvancedCommerce {
                notes.append(.noShare)
            } else if kind == .autoRenewable {
                stated.preference = .grantProrated
                stated.consumed = nil
                notes.append(.countedByApple)
            } else if let measured, measured.milliPercent > 0 {
                stated.preference = .grantProrated
            } else {
                notes.append(measured == nil ? .notMeasured : .nothingUsed)
            }
        }
        if stated.consumed != nil, measured?.isRounded == true { notes.append(.roundedDown) }
        statement = stated
    }
}

extension Purchase {
    /// Whether it let the customer try the product: a free period, or an introductory one.
    fileprivate func isSample(in view: FactView) -> Bool {
        guard let offer = offer(in: view) else { return false }
        return offer.type == 1 || offer.discountType == "FREE_TRIAL"
    }
}

extension UnitStates {
    /// The part of the bought interval that had passed; nil if it has none. A purchase revoked
    /// before it began was never used.
    fileprivate func elapsed(at instant: Instant) -> ConsumedShare? {
        guard let first = spans.first, let end = first.paidUntil else { return nil }
        if first.state == .revoked { return ConsumedShare(0, of: 1) }
        return ConsumedShare(of: first.interval.start, to: end, at: instant)
    }
}

/// The used part of a purchase. Rounded down: less than a thousandth of a percent counts as unused,
/// for the customer (spec 1.12).
struct ConsumedShare: Comparable {
    /// 0 to 100,000.
    let milliPercent: Int64
    let isRounded: Bool

    static let whole: Int64 = 100_000

    /// Nil where there is nothing to use.
    init?(_ used: Int64, of all: Int64) {
        guard all > 0 else { return nil }
        let (high, low) = min(max(used, 0), all).multipliedFullWidth(by: Self.whole)
        let (quotient, remainder) = all.dividingFullWidth((high, low))
        milliPercent = quotient
        isRounded = remainder > 0
    }

    /// The part of an interval that has passed.
    init?(of start: Instant, to end: Instant, at instant: Instant) {
        self.init(instant.milliseconds(since: start), of: end.milliseconds(since: start))
    }

    static func < (left: ConsumedShare, right: ConsumedShare) -> Bool {
        left.milliPercent < right.milliPercent
    }
}
