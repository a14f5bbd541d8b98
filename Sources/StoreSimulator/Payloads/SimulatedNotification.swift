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
