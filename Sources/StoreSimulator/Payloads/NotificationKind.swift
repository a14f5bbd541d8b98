/// A type and subtype of App Store Server Notifications, with what such a notification is about
/// (spec 4.4).
package struct NotificationKind: Hashable, Sendable {
    package let type: String
    package let subtype: String?

    package init(_ type: String, _ subtype: String? = nil) {
        self.type = type
        self.subtype = subtype
    }

    /// Where the notification keeps what it is about.
    package var subject: SimulatedNotification.Subject {
        switch (type, subtype) {
        case ("RENEWAL_EXTENSION", "SUMMARY"): .summary
        case ("RESCIND_CONSENT", _): .appData
        case ("EXTERNAL_PURCHASE_TOKEN", _): .externalPurchaseToken
        default: .data
        }
    }

    /// Every type and subtype that Apple documents.
    package static let documented: [NotificationKind] = table.flatMap { type, subtypes in
        subtypes.map { NotificationKind(type, $0) }
    }

    private static let table: [(String, [String?])] = [
        ("SUBSCRIBED", ["INITIAL_BUY", "RESUBSCRIBE"]),
        ("DID_RENEW", [nil, "BILLING_RECOVERY"]),
        ("DID_CHANGE_RENEWAL_PREF", ["UPGRADE", "DOWNGRADE", nil]),
        ("DID_CHANGE_RENEWAL_STATUS", ["AUTO_RENEW_ENABLED", "AUTO_RENEW_DISABLED", nil]),
        ("OFFER_REDEEMED", [nil, "UPGRADE", "DOWNGRADE"]),
        ("DID_FAIL_TO_RENEW", ["GRACE_PERIOD", nil]),
        ("GRACE_PERIOD_EXPIRED", [nil]),
        (
            "EXPIRED",
            ["VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE", nil]
        ),
        ("PRICE_INCREASE", ["PENDING", "ACCEPTED"]),
        ("REFUND", [nil, "SEATS"]),
        ("REFUND_DECLINED", [nil]),
        ("REFUND_REVERSED", [nil]),
        ("CONSUMPTION_REQUEST", [nil]),
        ("REVOKE", [nil]),
        ("RENEWAL_EXTENDED", [nil]),
        ("RENEWAL_EXTENSION", ["SUMMARY", "FAILURE"]),
        ("ONE_TIME_CHARGE", [nil]),
        ("EXTERNAL_PURCHASE_TOKEN", ["UNREPORTED", "CREATED", "ACTIVE_TOKEN_REMINDER"]),
        ("RESCIND_CONSENT", [nil]),
        ("METADATA_UPDATE", [nil]),
        ("MIGRATION", [nil]),
        ("PRICE_CHANGE", [nil]),
        ("UNCLAIM_SEATS", [nil]),
        ("TEST", [nil]),
    ]
}
