internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

/// Bytes that are broken rather than forged: flipped bits, certificates that are no DER, members
/// that nobody knows (THREATS.md A16, A22, B13, B18, B19).
@Suite(.timeLimit(.minutes(20)))
struct MutilationTests {
    private static let bench = TestBench.apple

    /// Every ninety-seventh bit of a transaction, a renewal info and a notification; all places
    /// within a byte in turn.
    @Test func refusesEveryFlippedBit() {
        let evidence = [
            Self.bench.store.sign(TestBench.transaction.payload),
            Self.bench.store.sign(TestBench.renewal.payload),
            Self.bench.store.sign(Self.bench.fullNotification().payload),
        ]
        for bytes in evidence {
            var accepted: [Int] = []
            for bit in stride(from: 0, to: bytes.count * 8, by: 97) {
                var flipped = bytes
                flipped[bit / 8] ^= 1 << (bit % 8)
                if Self.bench.verdict(flipped) == "accepted" { accepted.append(bit) }
            }
            #expect(accepted == [])
        }
    }

    private static let leaf = bench.store.leaf.der

    static let certificates: [(name: String, der: [UInt8])] = [
        ("nothing", []),
        ("a byte", [0x30]),
        ("an empty sequence", [0x30, 0x00]),
        ("a byte too much", leaf + [0]),
        ("a byte too few", leaf.dropLast()),
        ("half", Array(leaf.prefix(leaf.count / 2))),
        ("indefinite length", [0x30, 0x80] + leaf.dropFirst(4) + [0, 0]),
        ("a length in more bytes than it needs", [0x30, 0x83, 0x00] + leaf.dropFirst(2)),
        ("a length of 2^31", [0x30, 0x84, 0x80, 0x00, 0x00, 0x00]),
        ("a length of 2^63", [0x30, 0x88, 0x80, 0, 0, 0, 0, 0, 0, 0]),
        ("a long tag", [0x3F, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0x00]),
        (
            "an object identifier with giant arcs",
            [0x30, 0x14, 0x06, 0x12] + [UInt8](repeating: 0xFF, count: 17) + [0x7F]
        ),
        ("text", Array("-----BEGIN CERTIFICATE-----".utf8)),
        // Key usage becomes a second one of basic constraints.
        ("an extension twice", replacing([0x55, 0x1D, 0x0F], by: [0x55, 0x1D, 0x13])),
        (
            "version 2",
            replacing([0xA0, 0x03, 0x02, 0x01, 0x02], by: [0xA0, 0x03, 0x02, 0x01, 0x01])
        ),
        ("a negative serial number", replacing([0x02, 0x01, 0x03], by: [0x02, 0x01, 0x83])),
    ]

    /// Readable, and beyond what anybody reads before a signature (THREATS.md B19, B21).
    static let costly: [(name: String, der: [UInt8])] = [
        ("sequences in sequences", nest(10_000)),
        ("seventeen sequences in one another", nest(17)),
        ("a thousand values", DERText.item(0x30, nulls(1_024))),
        ("a number of 4,097 bytes", DERText.item(0x30, DERText.item(0x02, zeros(4_097)))),
        ("16,385 bytes", DERText.item(0x30, DERText.octets(zeros(16_385)))),
        ("names of 65 parts", DERText.item(0x30, (0..<65).flatMap { _ in DERText.set([[]]) })),
    ]

    private static func nulls(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { _ in [0x05, 0x00] }
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 1, count: count) }

    @Test(arguments: costly.indices)
    func refusesCertificatesThatAreTooComplex(_ index: Int) {
        let certificate = Self.costly[index]
        #expect(
            Self.verdict(bringing: certificate.der) == "input.too-complex", "\(certificate.name)")
    }

    /// A sequence that holds nothing but another one, many times over.
    private static func nest(_ depth: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<depth {
            let count = bytes.count
            let length: [UInt8] =
                count < 128
                ? [UInt8(count)]
                : count < 65_536
                    ? [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
                    : [0x83, UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
            bytes.insert(contentsOf: [0x30] + length, at: 0)
        }
        return bytes
    }

    /// The leaf with the first of some bytes replaced by others.
    private static func replacing(_ old: [UInt8], by new: [UInt8]) -> [UInt8] {
        guard let start = leaf.indices.first(where: { leaf[$0...].starts(with: old) }) else {
            return leaf
        }
        return Array(leaf[..<start]) + new + Array(leaf[(start + old.count)...])
    }

    @Test(arguments: certificates.indices)
    func refusesCertificatesThatCannotBeRead(_ index: Int) {
        let certificate = Self.certificates[index]
        #expect(Self.verdict(bringing: certificate.der) == "chain.malformed", "\(certificate.name)")
    }

    private static func verdict(bringing leaf: [UInt8]) -> String {
        var header = bench.store.header
        var chain = header["x5c"]?.elements ?? []
        chain[0] = .string(Base64.standard.encode(leaf))
        header["x5c"] = .array(chain)
        return bench.verdict(
            bench.store.sign(
                payloadBytes: TestBench.transaction.payload.serialized(), header: header))
    }

    /// Where ecdsa-with-SHA384 stands in the leaf: first inside, then outside.
    private static let algorithms: [Int] = leaf.indices.filter {
        leaf[$0...].starts(with: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03])
    }

    /// The outer algorithm of a certificate differs from the one inside (THREATS.md B14).
    @Test func refusesTwoAlgorithmsInOneCertificate() throws {
        try #require(Self.algorithms.count == 2)
        var changed = Self.leaf
        changed[Self.algorithms[1] + 7] = 0x02
        #expect(Self.verdict(bringing: changed) == "chain.algorithm")
    }

    /// ECDSA with SHA-224, inside and outside.
    @Test func refusesOtherHashes() throws {
        try #require(Self.algorithms.count == 2)
        var changed = Self.leaf
        for start in Self.algorithms { changed[start + 7] = 0x01 }
        #expect(Self.verdict(bringing: changed) == "chain.algorithm")
    }

    /// New members of any type and new values of every open word, from a fixed sequence.
    @Test func takesWhatAppleAddsOneDay() {
        let values: [JSONValue] = [nil, true, -1, "new", [1, [2]], ["a": ["b": nil]]]
        let words = [
            "type", "inAppOwnershipType", "transactionReason", "revocationType",
            "offerDiscountType", "billingPlanType",
        ]
        var state: UInt64 = 1
        for round in 0..<200 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = values[Int(state >> 33) % values.count]
            var payload = TestBench.transaction.with("new\(state % 1_000)", value)
            payload[words[round % words.count]] = .string("NEW_\(round)")
            #expect(Self.bench.verdict(Self.bench.store.sign(payload)) == "accepted")
        }
    }
}
