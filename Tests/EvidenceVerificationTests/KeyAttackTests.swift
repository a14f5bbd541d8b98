internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

/// Public keys that are no point of P-256, or say their curve themselves (THREATS.md B16).
@Suite(.timeLimit(.minutes(20)))
struct KeyAttackTests {
    private static let leaf = TestBench.apple.store.leaf.der
    private static let curve: [UInt8] = [
        0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,
    ]
    private static let keyType: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]

    /// The point as the leaf has it: 0x04, x, y.
    private static let point: [UInt8] = {
        let start = (leaf.indices.first { leaf[$0...].starts(with: curve) } ?? 0) + curve.count
        return Array(leaf[(start + 3)..<(start + 3 + 65)])
    }()

    /// A P-256 that names its numbers, with another base point: CVE-2020-0601.
    private static let ownCurve: [UInt8] = {
        let prime =
            [0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x01]
            + [UInt8](repeating: 0, count: 12)
            + [UInt8](repeating: 0xFF, count: 12)
        let field = DERText.sequence(
            [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x01, 0x01], DERText.item(0x02, prime))
        let numbers = DERText.sequence(
            DERText.octets([UInt8](repeating: 1, count: 32)),
            DERText.octets([UInt8](repeating: 2, count: 32)))
        return DERText.sequence(
            DERText.integer(1), field, numbers, DERText.octets(point), DERText.item(0x02, prime),
            DERText.integer(1))
    }()

    static let keys: [(name: String, info: [UInt8])] = [
        ("the leaf's own, encoded anew", info(curve, point)),
        ("not on the curve", info(curve, point.dropLast() + [point[64] ^ 1])),
        ("compressed", info(curve, [0x02 | point[64] & 1] + point[1..<33])),
        ("infinity", info(curve, [0x00])),
        ("all zero", info(curve, [0x04] + [UInt8](repeating: 0, count: 64))),
        ("no point at all", info(curve, [])),
        ("a curve of its own", info(ownCurve, point)),
        ("no curve", info([], point)),
        ("no curve but NULL", info([0x05, 0x00], point)),
    ]

    private static func info(_ curve: [UInt8], _ point: [UInt8]) -> [UInt8] {
        DERText.sequence(DERText.sequence(keyType, curve), DERText.item(0x03, [0] + point))
    }

    @Test(arguments: keys.indices)
    func refusesKeysThatAreNone(_ index: Int) {
        let key = Self.keys[index]
        let expected = index == 0 ? ["accepted"] : ["chain.malformed", "chain.algorithm"]
        #expect(expected.contains(Self.verdict(on: key.info)), "\(key.name)")
    }

    /// RSA keys of another length in the intermediate of a receipt. The certificate's signature
    /// does not hold either, but that is looked at later (THREATS.md B15).
    @Test(arguments: [(1_024, "chain.algorithm"), (2_048, "chain.signature")])
    func refusesShortKeysBehindReceipts(_ bits: Int, _ expected: String) throws {
        let signer = ReceiptSimulator(now: TestBench.now)
        let bench = TestBench { settings, _ in
            settings.receiptAnchors = [TrustAnchor(root: .fingerprint(signer.root.fingerprint))]
        }
        let rsa: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
        let prefix = [0x30, 0x82, 0x01, 0x22, 0x30, 0x0D] + rsa
        var changed = signer.intermediate.der
        let start = try #require(changed.indices.first { changed[$0...].starts(with: prefix) })
        let modulus = [0x00, 0xC1] + [UInt8](repeating: 0xA5, count: bits / 8 - 1)
        let numbers = DERText.sequence(DERText.item(0x02, modulus), DERText.integer(65_537))
        let info = DERText.sequence(
            DERText.sequence(rsa, [0x05, 0x00]), DERText.item(0x03, [0] + numbers))
        changed.replaceSubrange(start..<(start + 294), with: info)
        changed.grow(at: 2, by: info.count - 294)
        changed.grow(at: 6, by: info.count - 294)
        var shape = ReceiptShape()
        shape.certificates = []
        shape.otherCertificates = [signer.leaf.der, changed, signer.root.der]
        let receipt = SimulatedReceipt(
            bundleID: TestBench.bundle, createdAt: TestBench.now, purchases: [])
        #expect(bench.verdict(signer.sign(receipt, as: shape)) == expected)
    }

    /// A leaf that says that an RSA key signed it, inside and outside.
    @Test func refusesRSASignaturesBehindAJWS() throws {
        let ecdsa: [UInt8] = [
            0x30, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03,
        ]
        let rsa: [UInt8] = [
            0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B, 0x05,
            0x00,
        ]
        var changed = Self.leaf
        let places = changed.indices.filter { changed[$0...].starts(with: ecdsa) }
        try #require(places.count == 2)
        for place in places.reversed() {
            changed.replaceSubrange(place..<(place + ecdsa.count), with: rsa)
        }
        changed.grow(at: 2, by: 2 * (rsa.count - ecdsa.count))
        changed.grow(at: 6, by: rsa.count - ecdsa.count)
        #expect(Self.verdict(bringing: changed) == "chain.algorithm")
    }

    /// What becomes of a good transaction whose leaf has another SubjectPublicKeyInfo.
    private static func verdict(on info: [UInt8]) -> String {
        let old = Self.info(curve, point)
        guard let start = leaf.indices.first(where: { leaf[$0...].starts(with: old) }) else {
            return "the leaf's key was not found"
        }
        var changed = leaf
        changed.replaceSubrange(start..<(start + old.count), with: info)
        changed.grow(at: 2, by: info.count - old.count)
        changed.grow(at: 6, by: info.count - old.count)
        return verdict(bringing: changed)
    }

    private static func verdict(bringing changed: [UInt8]) -> String {
        let store = TestBench.apple.store
        var header = store.header
        var chain = header["x5c"]?.elements ?? []
        chain[0] = .string(Base64.standard.encode(changed))
        header["x5c"] = .array(chain)
        return TestBench.apple.verdict(
            store.sign(
                payloadBytes: TestBench.transaction.payload.serialized(), header: header))
    }
}

extension [UInt8] {
    /// Adds to a length that is written in two bytes.
    fileprivate mutating func grow(at index: Int, by count: Int) {
        let length = Int(self[index]) << 8 | Int(self[index + 1]) + count
        self[index] = UInt8(length >> 8)
        self[index + 1] = UInt8(length & 0xFF)
    }
}
