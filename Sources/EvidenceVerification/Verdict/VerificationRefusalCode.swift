package import EntitlementModel

/// Why evidence is refused. The raw values are the contract (spec 4.2).
package enum VerificationRefusalCode: String, CaseIterable, Hashable, LocalizedText, Sendable {
    case inputEncoding = "input.encoding"
    case inputTooLarge = "input.too-large"
    case inputTooComplex = "input.too-complex"
    case inputKind = "input.kind"
    case inputID = "input.id"
    case inputNumber = "input.number"
    case inputDuplicateKey = "input.duplicate-key"
    case evidenceUnsigned = "evidence.unsigned"
    case jwsMalformed = "jws.malformed"
    case jwsAlgorithm = "jws.alg"
    case jwsChain = "jws.x5c"
    case jwsCritical = "jws.crit"
    case jwsSignature = "jws.signature"
    case chainMalformed = "chain.malformed"
    case chainRoot = "chain.root"
    case chainMarker = "chain.oid"
    case chainConstraint = "chain.constraint"
    case chainAlgorithm = "chain.algorithm"
    case chainTime = "chain.time"
    case chainSignature = "chain.signature"
    case chainDenied = "chain.denied"
    case bindBundle = "bind.bundle"
    case bindApp = "bind.app"
    case bindEnvironment = "bind.environment"
    case bindKind = "bind.kind"
    case receiptMalformed = "receipt.malformed"
    case receiptAttributes = "receipt.attributes"
    case receiptAlgorithm = "receipt.algorithm"
    case receiptSignature = "receipt.signature"
    case receiptPayload = "receipt.payload"
    case answerMalformed = "answer.malformed"
    case answerStatus = "answer.status"
}

/// The facts of a refusal that its sentence quotes.
package enum VerificationRefusalDetail: Hashable, LocalizedText, Sendable {
    /// What the verifier is set up for, and what the evidence says.
    case mismatch(expected: String, found: String)
    /// Which certificate breaks the rule.
    case certificate(CertificateRole)
    /// The name of the member that is not there.
    case missing(String)
    /// What something is that cannot be, in the evidence's own words.
    case found(String)
    /// The JSON type of a member.
    case type(expected: MemberType, found: MemberType)
    /// What it is, where something else is expected.
    case kind(EvidenceKind, expected: EvidenceKind)
    /// What it is, at the address for notifications.
    case notNotification(EvidenceKind)
    /// Signed, but without the members by which evidence is recognised.
    case noEvidence
    /// What was handed in is no evidence as it is.
    case mistaken(MistakenInput)

    package func facts(in language: Language) -> [String] {
        switch self {
        case .mismatch(let expected, let found): [expected, found]
        case .certificate, .noEvidence: []
        case .missing(let text), .found(let text): [text]
        case .type(let expected, let found): [expected.text(language), found.text(language)]
        case .kind(let kind, let expected): [expected.text(language), kind.text(language)]
        case .notNotification(let kind): [kind.text(language)]
        case .mistaken(let input): [input.text(language)]
        }
    }
}

/// A JSON type, as far as Apple's members tell them apart.
package enum MemberType: String, CaseIterable, Hashable, LocalizedText, Sendable {
    case string
    case integer
    case number
    /// Milliseconds; Xcode's have fractions.
    case date
    case bool
    case array
    case object
}

/// The place of a certificate in a chain of three.
package enum CertificateRole: String, CaseIterable, Hashable, Sendable {
    case leaf
    case intermediate
    case root
}

/// A refusal on its way up: thrown within this target, a `VerificationRefusal` at its edge.
struct Refusal: Error, Hashable {
    let code: VerificationRefusalCode
    let detail: VerificationRefusalDetail?
    /// Whether its signature held all the same.
    private(set) var isSigned = false

    init(_ code: VerificationRefusalCode, _ detail: VerificationRefusalDetail? = nil) {
        self.code = code
        self.detail = detail
    }

    /// The same of evidence whose signature held.
    var ofSigned: Refusal {
        var refusal = self
        refusal.isSigned = true
        return refusal
    }
}
