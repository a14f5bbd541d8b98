package import EntitlementModel
package import StrictJSON

/// An App Store Server Notification V2 as Apple signs it (spec 4.4): any type and subtype,
/// with what it carries already signed.
package struct SimulatedNotification: Sendable {
    /// Where a notification keeps what it is about.
    package enum Subject: Sendable {
        case data
        case summary
        case appData
        case externalPurchaseToken
    }

    package var type: String
    package var subtype: String?
    package var uuid: String
    package var environment = StoreEnvironment.production
    package var bundleID: String
    /// Apple leaves it out in sandbox.
    package var appAppleID: Int64?
    package var subject = Subject.data
    package var transaction: [UInt8]?
    package var renewal: [UInt8]?
    package var appTransaction: [UInt8]?
    /// Apple's `status` of a subscription, 1 to 5.
    package var status: Int64?
    package var signedDate: Instant
    /// Set last into the subject: replaces what stands under the name, adds what is new.
    package var otherFields: [JSONMember] = []

    package init(
        type: String, subtype: String? = nil, uuid: String, bundleID: String,
        appAppleID: Int64?, signedDate: Instant
    ) {
        self.type = type
        self.subtype = subtype
        self.uuid = uuid
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.signedDate = signedDate
    }

    package var payload: JSONValue {
        var payload: JSONValue = ["notificationType": .string(type)]
        payload["subtype"] = subtype.map(JSONValue.string)
        payload["notificationUUID"] = .string(uuid)
        payload[subjectName] = subjectPayload
        payload["version"] = "2.0"
        payload["signedDate"] = .date(signedDate)
        return payload
    }

    private var subjectName: String {
        switch subject {
        case .data: "data"
        case .summary: "summary"
        case .appData: "appData"
        case .externalPurchaseToken: "externalPurchaseToken"
        }
    }

    private var subjectPayload: JSONValue {
        var data: JSONValue = [:]
        data["appAppleId"] = appAppleID.map(JSONValue.integer)
        data["bundleId"] = .string(bundleID)
        if subject == .externalPurchaseToken {
            let prefix = environment == .sandbox ? "SANDBOX" : ""
            data["externalPurchaseId"] = .string(prefix + uuid)
        } else {
            data["environment"] = .string(environment.signedName)
        }
        data["status"] = status.map(JSONValue.integer)
        data["signedTransactionInfo"] = transaction.map(JSONValue.text)
        data["signedRenewalInfo"] = renewal.map(JSONValue.text)
        data["signedAppTransactionInfo"] = appTransaction.map(JSONValue.text)
        for field in otherFields { data[field.key] = field.value }
        return data
    }
}

extension JSONValue {
    fileprivate static func text(_ bytes: [UInt8]) -> JSONValue {
        .string(String(decoding: bytes, as: UTF8.self))
    }
}

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
