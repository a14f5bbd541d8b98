internal import EntitlementModel
package import TestSupport

extension History {
    /// The history as a person reads it: the seed, the policy's rules, one event a line.
    package var text: String {
        var lines = ["seed: \(seed)", "policy at \(firstPolicy.activatedAt.rfc3339):"]
        lines += firstPolicy.policy.lines
        for event in events {
            lines.append("- \(event.recordedAt.rfc3339) \(event.value.text)")
            if case .policy(let policy) = event.value { lines += policy.lines }
        }
        for request in refundRequests {
            lines.append(
                "- Apple asks about \(request.transaction.text) at \(request.askedAt.rfc3339)"
                    + (request.isAdvancedCommerce ? ", Advanced Commerce" : ""))
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Policy {
    fileprivate var lines: [String] {
        var lines = [
            "    leeway \(leeway.text), claims from \(claimsFrom?.rfc3339 ?? "-"), "
                + "newsstand \(app.isNewsstand), "
                + "token \(app.accountToken.rawValue), scope \(duplicates.scope.rawValue)"
        ]
        for product in products.values.sorted(by: { $0.id < $1.id }) {
            lines.append(
                "    product \(product.id) \(product.kind.rawValue) "
                    + "\(product.duration?.text ?? "-") \(product.stacking.rawValue) "
                    + "\(product.stack ?? "-") \(product.grants.map(\.text))")
        }
        for rule in appRules {
            lines.append(
                "    app gives \(rule.only?.map(\.text) ?? []) when \(rule.when.text) "
                    + "unless \(rule.unless?.text ?? "-")")
        }
        for rule in accessRules {
            lines.append(
                "    access \(rule.effect.rawValue) only \(rule.only?.map(\.text) ?? ["all"]) "
                    + "when \(rule.when.text) unless \(rule.unless?.text ?? "-")")
        }
        for right in openRights {
            let windows = right.windows.map { "[\($0.start.rfc3339), \($0.end?.rfc3339 ?? "-"))" }
            lines.append("    open \(right.entitlements.map(\.text)) \(windows)")
        }
        for rule in claimRules {
            lines.append(
                "    claim \(rule.verb) cooldown \(rule.limits.cooldown?.text ?? "-") moves "
                    + "\(rule.limits.moves.map { "\($0.count) per \($0.window.text)" } ?? "-") "
                    + "when \(rule.when.text) unless \(rule.unless?.text ?? "-")")
        }
        for rule in refundRules {
            lines.append(
                "    refund \(rule.answer.rawValue) when \(rule.when.text) "
                    + "unless \(rule.unless?.text ?? "-")")
        }
        return lines
    }
}

extension ProductGrant {
    fileprivate var text: String {
        switch self {
        case .entitlement(let name, let lasting): "\(name) \(lasting?.text ?? "")"
        case .credit(let name, let units, let terms): "\(units) \(name) \(terms.text)"
        }
    }
}

extension CreditTerms {
    fileprivate var text: String {
        let offers = underOffer.map { "\($0.key.rawValue): \($0.value)" }.sorted()
        return [every.map { "every \($0.text)" }, expires.text.map { "expires \($0)" }]
            .compactMap(\.self).joined(separator: " ") + " \(offers)"
    }
}

extension Condition {
    fileprivate var text: String {
        let fields = Mirror(reflecting: self).children.compactMap { child -> String? in
            let value = "\(child.value)".replacing("EntitlementModel.", with: "")
            return value == "nil" ? nil : "\(child.label ?? "?"): \(value)"
        }
        return "{\(fields.joined(separator: ", "))}"
    }
}

extension HistoryEvent {
    fileprivate var text: String {
        switch self {
        case .policy: "policy:"
        case .transaction(let snapshot): "transaction \(snapshot.text)"
        case .renewal(let snapshot): "renewal \(snapshot.text)"
        case .claim(let claim):
            "claim \(claim.account) \(claim.moment.rawValue) \(claim.transaction.text)"
        case .presentation(let account, let moment, let named):
            "presented by \(account?.text ?? "nobody") \(moment?.rawValue ?? "-"): "
                + "\(named.map(\.key.text))"
        case .ruling(let key, let ruling): "ruling on \(key.text): \(ruling)"
        case .grant(let grant):
            "grant \(grant.id) \(grant.account) \(grant.environment.rawValue) \(grant.gift) "
                + "[\(grant.from.rfc3339), \(grant.until?.rfc3339 ?? "for ever"))"
        case .grantRevocation(let revocation): "grant revoked \(revocation.grant)"
        case .block(let block): "block \(block.id) \(block.account)"
        case .blockRemoval(let removal): "block lifted \(removal.block)"
        case .accountToken(let registration):
            "token \(registration.token.text) is \(registration.account)"
        case .merge(let from, let into, let isUpToNow):
            "merge \(from) into \(into)\(isUpToNow ? " up to now" : "")"
        case .mergeUndo(let from, let into): "unmerge \(from) into \(into)"
        case .credit(let action): "credits: \(action)"
        case .refundConsent(let account, let isGiven):
            "consent of \(account) \(isGiven ? "given" : "withdrawn")"
        case .promise(let promise):
            "promise for \(promise.transaction.text), sold at \(promise.soldAt?.rfc3339 ?? "start")"
        }
    }
}

extension TransactionKey {
    fileprivate var text: String { "\(environment.rawValue) \(transactionID)" }
}

extension TransactionSnapshot {
    fileprivate var text: String {
        var parts = [
            "\(environment.rawValue) \(transactionID) of \(originalTransactionID) \(productID)",
            "[\(purchaseDate.rfc3339), \(expiresDate?.rfc3339 ?? "-"))",
            "@\(signedDate.rfc3339) \(source.text) \(ownership.word)",
        ]
        if let kind { parts.append("\(kind.known?.rawValue ?? "unknown kind")") }
        if quantity != 1 { parts.append("quantity \(quantity)") }
        if let webOrderLineItemID { parts.append("web \(webOrderLineItemID)") }
        if isUpgraded { parts.append("upgraded") }
        if let transactionReason { parts.append("\(transactionReason)") }
        if let additionalReason { parts.append("\(additionalReason)") }
        if let revocation {
            parts.append(
                "revoked \(revocation.date.rfc3339) \(revocation.type.map { "\($0)" } ?? "-") "
                    + "\(revocation.percentage.map { "\($0)" } ?? "-")")
        }
        if let appTransactionID { parts.append("atx \(appTransactionID)") }
        if let subscriptionGroupID { parts.append("group \(subscriptionGroupID)") }
        if let appAccountToken { parts.append("token \(appAccountToken.text)") }
        if let offer { parts.append("offer \(offer.type) \(offer.discountType ?? "-")") }
        if let storefront { parts.append(storefront) }
        if let originalPurchaseDate {
            parts.append("originally \(originalPurchaseDate.rfc3339)")
        }
        if let previousOriginalTransactionID {
            parts.append("after \(previousOriginalTransactionID)")
        }
        if let billingPlanType { parts.append(billingPlanType) }
        return parts.joined(separator: " ")
    }
}

extension EvidenceSource {
    fileprivate var text: String {
        let receipt = receipt.map { " in \($0.hexadecimal.prefix(6))" } ?? ""
        return "\(form.rawValue)/\(trust.rawValue)\(receipt)"
    }
}

extension RenewalSnapshot {
    fileprivate var text: String {
        var parts = [
            "\(environment.rawValue) of \(originalTransactionID) @\(signedDate.rfc3339) "
                + source.text
        ]
        if let autoRenewStatus { parts.append("auto-renew \(autoRenewStatus)") }
        if let renewalDate { parts.append("renews \(renewalDate.rfc3339)") }
        if isInBillingRetryPeriod == true { parts.append("retry") }
        if let gracePeriodExpiresDate {
            parts.append("grace \(gracePeriodExpiresDate.rfc3339)")
        }
        if let expirationIntent { parts.append("intent \(expirationIntent.signedNumber)") }
        if let appTransactionID { parts.append("atx \(appTransactionID)") }
        return parts.joined(separator: " ")
    }
}
