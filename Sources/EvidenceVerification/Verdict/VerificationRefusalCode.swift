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

    package func facts(in language: Language) -> [String] {
        switch self {
        case .mismatch(let expected, let found): [expected, found]
        case .certificate: []
        }
    }
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

    init(_ code: VerificationRefusalCode, _ detail: VerificationRefusalDetail? = nil) {
        self.code = code
        self.detail = detail
    }
}
