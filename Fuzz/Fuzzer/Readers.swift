internal import EntitlementModel

@testable internal import EvidenceVerification
@testable internal import StrictJSON

/// What was read is written so that it is read again as the same, and looking into a document
/// tells what its tree tells.
func readJSON(_ bytes: [UInt8]) {
    guard let document = try? JSONDocument(bytes) else {
        guard (try? parseJSON(bytes)) == nil else { preconditionFailure("a tree of no document") }
        return
    }
    let value = document.value()
    guard let written = try? JSONDocument(value.serialized()), written.value() == value else {
        preconditionFailure("JSON that was written reads differently")
    }
    let canonical = document.canonical()
    guard let again = try? JSONDocument(canonical), again.canonical() == canonical,
        written.canonical() == canonical
    else { preconditionFailure("the canonical form is not its own canonical form") }
    compare(document, .root, value)
}

/// Asks the document for each value in every way.
private func compare(_ document: JSONDocument, _ place: JSONOffset, _ value: JSONValue) {
    let isSame =
        document.string(at: place) == value.string && document.bool(at: place) == value.bool
        && document.int64(at: place) == value.int64
        && document.flooredInt64(at: place) == value.number?.flooredInt64
        && document.isObject(at: place) == (value.members != nil)
        && document.isArray(at: place) == (value.elements != nil)
    guard isSame else { preconditionFailure("a document and its tree differ") }
    for (element, tree) in zip(document.elements(of: place), value.elements ?? []) {
        compare(document, element, tree)
    }
    for (member, tree) in zip(document.members(of: place), value.members ?? []) {
        guard document.string(at: member.name) == tree.key else {
            preconditionFailure("a document and its tree differ in a name")
        }
        compare(document, member.value, tree.value)
    }
}

/// One value has one spelling.
func readBase64(_ bytes: [UInt8]) {
    for alphabet in [Base64.standard, .url] {
        guard let value = alphabet.decode(bytes[...]) else { continue }
        guard alphabet.spell(value) == bytes else {
            preconditionFailure("base64 with two spellings")
        }
    }
}

extension Base64 {
    fileprivate func spell(_ bytes: [UInt8]) -> [UInt8] {
        let last = self == .url ? "-_" : "+/"
        let digits = Array(
            ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last).utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            text += (0...group.count).map { digits[bits >> (18 - 6 * $0) & 63] }
            guard self == .standard else { continue }
            text += [UInt8](repeating: UInt8(ascii: "="), count: 3 - group.count)
        }
        return text
    }
}

private let now = Instant(milliseconds: 1_780_000_000_000)

/// Apple's fingerprints, for production and local testing alike, so that every path is open.
private let verifier: EvidenceVerifier = {
    var settings = VerificationSettings()
    settings.bundleID = BundleID("com.example.reader")
    settings.appAppleID = 1_234_567_890
    settings.trustedEnvironments = Set(StoreEnvironment.allCases)
    let digests = [
        "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179",
        "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024",
    ]
    let anchors = digests.compactMap { Digest256(hexadecimal: $0) }
        .map { TrustAnchor(root: .fingerprint($0)) }
    let local = anchors.map { TrustAnchor(root: $0.root, environments: [.xcode]) }
    settings.jwsAnchors = anchors + local
    settings.receiptAnchors = anchors + local
    return EvidenceVerifier(settings)
}()

/// Nothing that libFuzzer makes up was signed by Apple.
func verifyEvidence(_ bytes: [UInt8]) {
    guard case .refused = verifier.verify(bytes, at: now) else {
        preconditionFailure("evidence that nobody signed was believed")
    }
    _ = inspect(bytes, verifier: verifier, at: now).json()
}

/// The container, and what is in it, as if it were signed.
func readReceipt(_ bytes: [UInt8]) {
    guard let container = try? ReceiptContainer(bytes, allowsBER: true),
        let payload = try? ReceiptPayload(container.payload),
        let bundleID = BundleID("com.example.reader")
    else { return }
    for purchase in payload.purchases {
        let reader = ReceiptPurchase(
            attributes: purchase, environment: .production, bundleID: bundleID, createdAt: now,
            receipt: sha256(container.payload))
        guard let snapshot = try? reader.snapshot() else { continue }
        _ = snapshot.findImplausibility()
    }
}

/// A payload of each kind, as if it were signed.
func decodePayload(_ bytes: [UInt8]) {
    guard let payload = try? JSONDocument(bytes), payload.isObject(at: .root) else { return }
    _ = PayloadShape.kind(of: payload)
    _ = ChainClaim(payload: payload, now: now)
    for kind in [EvidenceKind.transaction, .renewalInfo, .appTransaction, .notification] {
        let decoder = PayloadDecoder(kind: kind, bytes: bytes, judgedAt: now, payload: payload)
        _ = try? decoder.decode(inner: [])
    }
}

/// An answer of verifyReceipt is believed on the word of whoever brings it, but never more than once
/// differently.
func verifyAnswer(_ bytes: [UInt8]) {
    for origin in AnswerOrigin.allCases {
        let verdict = verifier.verifyAnswer(bytes, origin, at: now)
        guard case .accepted(let evidence) = verdict else { continue }
        guard case .accepted(let again) = verifier.verifyAnswer(bytes, origin, at: now),
            again.transactions == evidence.transactions
        else { preconditionFailure("an answer that reads differently") }
    }
}

func readCertificate(_ bytes: [UInt8]) {
    guard let certificate = try? ChainCertificate(der: bytes) else { return }
    let chain = UnverifiedChain(
        leaf: certificate, intermediate: certificate, root: certificate, time: now)
    let rules: [any ChainRule] = [
        NamesRule(), AuthorityRule(), KeyUsageRule(), ExtensionsRule(), MarkerRule(),
        EllipticCurveRule(), RSARule(), ValidityRule(), IssuerSignatureRule(),
    ]
    for rule in rules { _ = rule.violation(of: chain) }
}
