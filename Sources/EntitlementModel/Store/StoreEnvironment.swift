/// The store of a purchase. Part of every key: IDs may collide across environments (spec 1.1).
package enum StoreEnvironment: String, CaseIterable, Hashable, ModelText, Sendable {
    case production
    case sandbox
    case xcode
    case localTesting = "local-testing"

    /// Reads Apple's spelling.
    package init?(signedName: String) {
        guard let environment = Self.allCases.first(where: { $0.signedName == signedName }) else {
            return nil
        }
        self = environment
    }

    /// Apple's spelling.
    package var signedName: String {
        switch self {
        case .production: "Production"
        case .sandbox: "Sandbox"
        case .xcode: "Xcode"
        case .localTesting: "LocalTesting"
        }
    }

    /// As ledgers store it in their index: none is ever given a new meaning.
    package var number: Int64 {
        switch self {
        case .production: 1
        case .sandbox: 2
        case .xcode: 3
        case .localTesting: 4
        }
    }

    package var english: String {
        switch self {
        case .production: "production"
        case .sandbox: "sandbox"
        case .xcode: "xcode"
        case .localTesting: "local-testing"
        }
    }
}

/// The origin of a snapshot: what its form can state and how far it is trusted decide how snapshots
/// are merged (spec 1.2, 4.1).
package struct EvidenceSource: Hashable, Sendable {
    package var form: EvidenceForm
    package var trust: EvidenceTrust
    /// SHA-256 of the snapshot's canonical form (RFC 8785): decides between snapshots with one
    /// `signedDate`, so that the order of arrival never matters.
    package var canonicalDigest: Digest256
    /// The receipt or answer that it came in: everything in one belongs to one Apple ID
    /// (spec 1.3). SHA-256 of its payload; nil for a JWS.
    package var receipt: Digest256?

    package init(
        form: EvidenceForm, trust: EvidenceTrust, canonicalDigest: Digest256,
        receipt: Digest256? = nil
    ) {
        self.form = form
        self.trust = trust
        self.canonicalDigest = canonicalDigest
        self.receipt = receipt
    }
}

/// The form of a snapshot. What each form can never contain is in spec 4.1.
package enum EvidenceForm: String, CaseIterable, Hashable, Sendable {
    case jws
    case receipt
    /// verifyReceipt's `latest_receipt_info` and `pending_renewal_info`.
    case latestReceiptInfo = "latest-receipt-info"
    /// verifyReceipt's `in_app`.
    case inApp = "in-app"
}

/// How far a snapshot is trusted. An imported one never overrides a signed one.
package enum EvidenceTrust: String, CaseIterable, Hashable, Sendable {
    case signed
    /// An answer that the engine itself fetched from Apple.
    case appleAnswer = "apple-answer"
    case imported
}
