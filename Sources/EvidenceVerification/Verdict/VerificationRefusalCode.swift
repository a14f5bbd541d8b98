package import EntitlementModel

/// Why evidence is refused. The raw values are the contract (spec 4.2).
package enum VerificationRefusalCode: String, CaseIterable, EvidenceText, Hashable, Sendable {
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

    package var english: String {
        switch self {
        case .inputEncoding: "non-canonical encoding"
        case .inputTooLarge: "the evidence is too large"
        case .inputTooComplex: "the evidence is too complex to verify"
        case .inputKind: "unrecognised evidence format"
        case .inputID: "an id must be printable ASCII without spaces"
        case .inputNumber: "a number must be an integer"
        case .inputDuplicateKey: "duplicate key in an object"
        case .evidenceUnsigned: "the evidence is not signed by Apple"
        case .jwsMalformed: "malformed JWS"
        case .jwsAlgorithm: "the algorithm of a JWS must be ES256"
        case .jwsChain: "x5c must contain exactly three certificates"
        case .jwsCritical: "a JWS must not have critical extensions"
        case .jwsSignature: "invalid signature"
        case .chainMalformed: "malformed certificate"
        case .chainRoot: "the chain does not end in a trusted root"
        case .chainMarker: "certificate not issued for App Store signing"
        case .chainConstraint: "certificate used outside its constraints"
        case .chainAlgorithm: "certificate algorithm not allowed"
        case .chainTime: "the chain was not valid at the signing time"
        case .chainSignature: "certificate not signed by its issuer"
        case .chainDenied: "the signing key is denied"
        case .bindBundle: "the evidence belongs to another app"
        case .bindApp: "the evidence belongs to another app id"
        case .bindEnvironment: "evidence from this environment is not trusted"
        case .bindKind: "the evidence is of the wrong kind"
        case .receiptMalformed: "malformed receipt"
        case .receiptAttributes: "a receipt must not have signed attributes"
        case .receiptAlgorithm: "receipt algorithm not allowed"
        case .receiptSignature: "invalid receipt signature"
        case .receiptPayload: "unreadable receipt content"
        case .answerMalformed: "malformed answer of verifyReceipt"
        case .answerStatus: "the status of an answer must be 0 or 21006"
        }
    }
}

/// The facts of a refusal that its sentence quotes.
package enum VerificationRefusalDetail: EvidenceText, Hashable, Sendable {
    /// The verifier's configuration, and the value in the evidence.
    case mismatch(expected: String, found: String)
    /// Which certificate breaks the rule.
    case certificate(CertificateRole)
    /// The name of the member that is not there.
    case missing(String)
    /// What something is that cannot be, in the evidence's own words.
    case found(String)
    /// The JSON type of a member.
    case type(expected: MemberType, found: MemberType)
    /// The kind, if another one is expected.
    case kind(EvidenceKind, expected: EvidenceKind)
    /// The kind, at the address for notifications.
    case notNotification(EvidenceKind)
    /// Signed, but without the members by which evidence is recognised.
    case noEvidence
    /// The input is not evidence in this form.
    case mistaken(MistakenInput)

    package func facts(in language: Language) -> [String] {
        switch self {
        case .mismatch(let expected, let found): [expected, found]
        case .certificate(let role): [role.text(language)]
        case .noEvidence: []
        case .missing(let text), .found(let text): [text]
        case .type(let expected, let found): [expected.text(language), found.text(language)]
        case .kind(let kind, let expected): [expected.text(language), kind.text(language)]
        case .notNotification(let kind): [kind.text(language)]
        case .mistaken(let input): [input.text(language)]
        }
    }

    package var english: String {
        switch self {
        case .mismatch: "expected '{0}', found '{1}'"
        case .certificate: "{0}"
        case .missing: "'{0}'"
        case .found: "found '{0}'"
        case .type: "expected {0}, found {1}"
        case .kind: "expected a piece of evidence of the kind '{0}', found '{1}'"
        case .notNotification:
            "this is a piece of evidence of the kind '{0}'; submit it to /v1/evidence, with the "
                + "account that presents it"
        case .noEvidence:
            "the signature is valid, but none of the members is there by which notifications, "
                + "transactions, renewal infos and app transactions are told"
        case .mistaken: "{0}"
        }
    }
}

/// A JSON type, as far as Apple's members distinguish them.
package enum MemberType: String, CaseIterable, EvidenceText, Hashable, Sendable {
    case string
    case integer
    case number
    /// Milliseconds; Xcode's have fractions.
    case date
    case bool
    case array
    case object

    package var english: String {
        switch self {
        case .string: "a string"
        case .integer: "an integer"
        case .number: "a number"
        case .date: "an instant in milliseconds"
        case .bool: "true or false"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

/// The place of a certificate in a chain of three.
package enum CertificateRole: String, CaseIterable, EvidenceText, Hashable, Sendable {
    case leaf
    case intermediate
    case root

    package var english: String {
        switch self {
        case .leaf: "the leaf certificate"
        case .intermediate: "the intermediate certificate"
        case .root: "the root certificate"
        }
    }
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

    /// The same for evidence whose signature is valid.
    var ofSigned: Refusal {
        var refusal = self
        refusal.isSigned = true
        return refusal
    }
}
