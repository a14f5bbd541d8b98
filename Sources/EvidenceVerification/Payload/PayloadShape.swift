internal import EntitlementModel
internal import StrictJSON

/// What a payload is, by the members that only its kind has. One chain signs all kinds, so a
/// renewal info that is taken for a transaction would pass every other check.
enum PayloadShape {
    private static let tells: [(member: String, kind: EvidenceKind)] = [
        ("notificationType", .notification), ("receiptType", .appTransaction),
        ("autoRenewStatus", .renewalInfo), ("autoRenewProductId", .renewalInfo),
        ("transactionId", .transaction),
    ]

    /// Nil for a kind that is no evidence of a purchase.
    static func kind(of payload: JSONValue) -> EvidenceKind? {
        tells.first { payload[$0.member] != nil }?.kind
    }

    /// A label for a payload that could not be read, by the text of its members.
    static func likelyKind(ofUnreadable payload: [UInt8]) -> EvidenceKind {
        let text = String(decoding: payload, as: UTF8.self)
        return tells.first { text.contains("\"\($0.member)\"") }?.kind ?? .transaction
    }

    /// The object that says which app and environment a payload is about: itself, or one member
    /// of a notification.
    static func subject(of payload: JSONValue) -> JSONValue {
        guard payload["notificationType"] != nil else { return payload }
        for member in ["data", "summary", "appData", "externalPurchaseToken"] {
            if let subject = payload[member], subject.members != nil { return subject }
        }
        return payload.members?.first { $0.value["bundleId"] != nil }?.value ?? payload
    }

    /// Apple's spelling of the environment, wherever the kind keeps it; nil where it is not
    /// stated.
    static func environmentName(of payload: JSONValue) -> String? {
        environmentMember(of: payload)?.string
    }

    static func environmentMember(of payload: JSONValue) -> JSONValue? {
        let subject = subject(of: payload)
        if let purchase = subject["externalPurchaseId"]?.string {
            return purchase.hasPrefix("SANDBOX") ? "Sandbox" : "Production"
        }
        return subject["environment"] ?? subject["receiptType"]
    }
}
