/// What is said of evidence in English.
extension VerificationRefusalCode {
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

extension VerificationRefusalDetail {
    package var english: String {
        switch self {
        case .mismatch: "expected '{0}', found '{1}'"
        case .certificate(.leaf): "the leaf certificate"
        case .certificate(.intermediate): "the intermediate certificate"
        case .certificate(.root): "the root certificate"
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

extension MemberType {
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

extension QuarantineCode {
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

extension InspectionPhrase {
    var english: String {
        switch self {
        case .kind: "kind"
        case .unknown: "unknown"
        case .verdict: "verdict"
        case .accepted: "accepted: genuine and bound to the app"
        case .unbound: "accepted: genuine; app and environment were not checked"
        case .quarantined: "quarantined: genuine, but without effect"
        case .partly: "quarantined: genuine, but a part has no effect"
        case .refused: "refused"
        case .judgedAt: "judged at"
        case .certificate: "certificate"
        case .key: "key"
        case .fields: "fields"
        case .unverifiedFields: "fields (not verified)"
        case .signedFields: "fields (the signature is valid)"
        case .line: "{0}: {1}"
        }
    }
}
