package import EntitlementModel

/// What became of a piece of evidence.
package enum EvidenceVerdict: Sendable {
    case accepted(VerifiedEvidence)
    /// Rightly signed, but not understood or not plausible: to be kept, without effect.
    case quarantined(QuarantinedEvidence)
    case refused(VerificationRefusal)
}

/// Evidence that is genuine and bound to the app.
///
/// The type is the proof: only this target can make one, and only by verifying.
package struct VerifiedEvidence: Sendable {
    package let kind: EvidenceKind
    /// SHA-256 of `bytes`; for audit, never an idempotency key.
    package let digest: Digest256
    package let bytes: [UInt8]
    /// The evidence's own signing time, or now where it has none (spec 4.0).
    package let judgedAt: Instant
    package let environment: StoreEnvironment
    /// Nil for renewal infos, which carry none, and for a notification of which only what it
    /// carries was understood.
    package let bundleID: BundleID?
    package var transactions: [TransactionSnapshot] = []
    package var renewals: [RenewalSnapshot] = []
    package var appTransaction: AppTransactionSnapshot?
    package var notification: NotificationHead?
    /// Parts that are rightly signed but impossible: to be quarantined, without effect.
    package var implausible: [QuarantinedPart] = []
}

/// The outermost members of a notification.
package struct NotificationHead: Hashable, Sendable {
    /// Apple's `notificationUUID`, lower case.
    package let uuid: String
    package let type: String
    package let subtype: String?
    package let signedDate: Instant
}

/// Genuine evidence that must have no effect.
package struct QuarantinedEvidence: Sendable {
    package let kind: EvidenceKind
    package let digest: Digest256
    package let bytes: [UInt8]
    package let judgedAt: Instant
    package let part: QuarantinedPart
}

/// What is wrong with something that is rightly signed.
package struct QuarantinedPart: Hashable, Sendable {
    package let code: QuarantineCode
    /// Apple's name of the member that breaks the rule.
    package let field: String?
    package let transaction: TransactionKey?

    init(_ code: QuarantineCode, field: String? = nil, transaction: TransactionKey? = nil) {
        self.code = code
        self.field = field
        self.transaction = transaction
    }
}

/// The rules that rightly signed evidence can break (spec 1.2, 4.0).
package enum QuarantineCode: String, CaseIterable, Hashable, LocalizedText, Sendable {
    /// The payload is no strict JSON object.
    case payloadJSON = "payload.json"
    /// A member has another JSON type than Apple documents, or a number is no integer.
    case payloadType = "payload.type"
    /// A member that every such payload has is missing.
    case payloadMissing = "payload.missing"
    /// An id is empty, too long, or not printable ASCII.
    case payloadID = "payload.id"
    /// `expiresDate` is missing on a subscription, before `purchaseDate`, or more than three
    /// years after it.
    case implausibleExpiry = "implausible.expiry"
    /// `quantity` is outside 1 to 1,000; of a subscription, to 10,000,000.
    case implausibleQuantity = "implausible.quantity"
    /// A date is outside the years 2008 to 2100.
    case implausibleDate = "implausible.date"
}

/// A refusal: nothing but an audit line may come of it.
package struct VerificationRefusal: Error, Hashable, Sendable {
    package let code: VerificationRefusalCode
    /// Nil where it could not be told what the evidence is.
    package let kind: EvidenceKind?
    package let detail: VerificationRefusalDetail?
    /// SHA-256 of the bytes that were handed in.
    package let digest: Digest256

    /// One sentence for a person: the rule that is broken, with what was found.
    package func text(_ language: Language) -> String {
        let rule = code.text(language)
        guard let detail else { return rule }
        return InspectionPhrase.line.text(language, rule, detail.text(language))
    }
}
