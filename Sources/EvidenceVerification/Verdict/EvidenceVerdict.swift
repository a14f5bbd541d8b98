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
    /// The app itself as a purchase, if the evidence says whose it is (spec 1.13).
    package var appPurchase: TransactionSnapshot?
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
    /// The customer's names in it, if it has no transaction.
    package let names: NotificationNames
}

extension VerifiedEvidence {
    /// Whom a notification is about that no purchase shows; nil where purchases do, or it is a test.
    package var notice: NotificationNames? {
        guard let notification, transactions.isEmpty, renewals.isEmpty, implausible.isEmpty,
            notification.type != Self.test
        else { return nil }
        var names = notification.names
        names.appTransactionID = appTransaction?.appTransactionID ?? names.appTransactionID
        return names
    }

    private static let test = "TEST"
}

/// Genuine evidence that must have no effect.
package struct QuarantinedEvidence: Sendable {
    package let kind: EvidenceKind
    package let digest: Digest256
    package let bytes: [UInt8]
    package let judgedAt: Instant
    package let part: QuarantinedPart
}

/// The fault of a validly signed part.
package struct QuarantinedPart: Hashable, Sendable {
    package let code: QuarantineCode
    /// Apple's name of the member that breaks the rule.
    package let field: String?
    /// The expected value and the one found.
    package let detail: VerificationRefusalDetail?
    package let transaction: TransactionKey?

    init(
        _ code: QuarantineCode, field: String? = nil, detail: VerificationRefusalDetail? = nil,
        transaction: TransactionKey? = nil
    ) {
        self.code = code
        self.field = field
        self.detail = detail
        self.transaction = transaction
    }

    init(_ fault: PayloadFault, _ transaction: TransactionKey? = nil) {
        self.init(
            fault.code, field: fault.field, detail: fault.detail, transaction: transaction)
    }

    /// One sentence for a person: the rule, the member that breaks it, and how.
    package func text(_ language: Language) -> String {
        [field.map { "'\($0.shown)'" }, detail?.text(language)].compactMap(\.self)
            .reduce(code.text(language)) { InspectionPhrase.line.text(language, $0, $1) }
    }
}

/// The rules that rightly signed evidence can break (spec 1.2, 4.0).
package enum QuarantineCode: String, CaseIterable, EvidenceText, Hashable, Sendable {
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

    package var english: String {
        switch self {
        case .payloadJSON: "not strict JSON"
        case .payloadType: "a member has the wrong type"
        case .payloadMissing: "a required member is missing"
        case .payloadID: "an id is not printable ASCII, or too long"
        case .implausibleExpiry: "implausible expiry date"
        case .implausibleQuantity: "implausible quantity"
        case .implausibleDate: "a date is outside the years 2008 to 2100"
        }
    }
}

/// A refusal: nothing but an audit line may come of it.
package struct VerificationRefusal: Error, Hashable, Sendable {
    package let code: VerificationRefusalCode
    /// Nil if the kind of evidence could not be determined.
    package let kind: EvidenceKind?
    package let detail: VerificationRefusalDetail?
    /// SHA-256 of the submitted bytes.
    package let digest: Digest256
    /// Whether the signature is valid: the content is Apple's, though it is not used.
    package let isSigned: Bool

    init(_ refusal: Refusal, kind: EvidenceKind?, of bytes: [UInt8]) {
        let mistaken = MistakenInput(bytes, refusedFor: refusal).map {
            VerificationRefusalDetail.mistaken($0)
        }
        self.init(
            code: refusal.code, kind: kind, detail: refusal.detail ?? mistaken,
            digest: sha256(bytes), isSigned: refusal.isSigned)
    }

    private init(
        code: VerificationRefusalCode, kind: EvidenceKind?, detail: VerificationRefusalDetail?,
        digest: Digest256, isSigned: Bool
    ) {
        self.code = code
        self.kind = kind
        self.detail = detail
        self.digest = digest
        self.isSigned = isSigned
    }

    /// One sentence for a person: the violated rule, with the value found.
    package func text(_ language: Language) -> String {
        guard let detail else { return code.text(language) }
        // Whose it is cannot be said of what does not say it.
        let rule =
            if case .missing = detail {
                QuarantineCode.payloadMissing.text(language)
            } else { code.text(language) }
        return InspectionPhrase.line.text(language, rule, detail.text(language))
    }
}
