internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

/// An attack, how its bytes are made, and the code that it must get.
struct Attack: CustomTestStringConvertible, Sendable {
    let name: String
    let verdict: String
    let bytes: @Sendable (StoreSimulator) -> [UInt8]

    init(
        _ name: String, _ verdict: String, _ bytes: @escaping @Sendable (StoreSimulator) -> [UInt8]
    ) {
        self.name = name
        self.verdict = verdict
        self.bytes = bytes
    }

    var testDescription: String { "\(name): \(verdict)" }
}

/// Attacks on the form of a JWS (THREATS.md A1 to A20).
@Suite(.timeLimit(.minutes(20)))
struct JWSAttackTests {
    /// A good transaction under a header that is changed.
    private static func header(
        _ name: String, _ verdict: String, _ change: @escaping @Sendable (inout JSONValue) -> Void
    ) -> Attack {
        Attack(name, verdict) { store in
            var header = store.header
            change(&header)
            return store.sign(
                payloadBytes: TestBench.transaction.payload.serialized(), header: header)
        }
    }

    /// A good JWS whose segments are changed afterwards.
    private static func segments(
        _ name: String, _ verdict: String, _ change: @escaping @Sendable ([String]) -> String
    ) -> Attack {
        Attack(name, verdict) { store in
            [UInt8](change(store.sign(TestBench.transaction.payload).segments))
        }
    }

    /// A good JWS whose header is these very bytes.
    private static func rawHeader(_ name: String, _ verdict: String, _ text: String) -> Attack {
        segments(name, verdict) { "\(Base64.url.encode(Array(text.utf8))).\($0[1]).\($0[2])" }
    }

    private static let badAlgorithms = [
        "none", "None", "NONE", "nOnE", "HS256", "RS256", "ES384", "ES512", "EdDSA", "es256",
        "ES256 ", "", "ES256\u{0}", "ES\u{200B}256",
    ]

    static let algorithms: [Attack] = badAlgorithms.map { name in
        header("alg \(name.debugDescription)", "jws.alg") { $0["alg"] = .string(name) }
    }

    static let algorithmMembers: [Attack] = [
        segments("alg none without a signature", "jws.alg") { segments in
            "\(Base64.url.encode(Array(#"{"alg":"none"}"#.utf8))).\(segments[1])."
        },
        header("alg missing", "jws.malformed") { $0["alg"] = .none },
        header("alg null", "jws.malformed") { $0["alg"] = JSONValue.null },
        header("alg an array", "jws.malformed") { $0["alg"] = ["ES256"] },
        rawHeader("alg twice", "jws.malformed", #"{"alg":"ES256","alg":"none"}"#),
        rawHeader(
            "alg twice, once escaped", "jws.malformed", #"{"alg":"ES256","\u0061lg":"none"}"#),
    ]

    static let headers: [Attack] = [
        header("key in the header", "jws.x5c") {
            $0["x5c"] = .none
            $0["jwk"] = ["kty": "EC"]
        },
        header("address in the header", "jws.x5c") {
            $0["x5c"] = .none
            $0["x5u"] = "https://example.com/chain.pem"
        },
        header("no certificate", "jws.x5c") { $0["x5c"] = [] },
        header("x5c null", "jws.x5c") { $0["x5c"] = JSONValue.null },
        header("one certificate", "jws.x5c") { $0.keepCertificates(1) },
        header("two certificates", "jws.x5c") { $0.keepCertificates(2) },
        header("four certificates", "jws.x5c") { $0.repeatCertificates(to: 4) },
        header("a hundred certificates", "jws.x5c") { $0.repeatCertificates(to: 100) },
        header("a thousand certificates", "input.too-large") { $0.repeatCertificates(to: 1_000) },
        header("certificate with a line end", "input.encoding") { $0.changeLeaf { $0 + "\n" } },
        header("certificate with a blank", "input.encoding") { $0.changeLeaf { " " + $0 } },
        header("certificate with padding too much", "input.encoding") {
            $0.changeLeaf { $0 + "=" }
        },
        header("certificate in armour", "input.encoding") {
            $0.changeLeaf { "-----BEGIN CERTIFICATE-----" + $0 }
        },
        header("certificate in the other alphabet", "input.encoding") {
            $0.changeLeaf { $0.replacing("/", with: "_").replacing("+", with: "-") + "____" }
        },
        header("certificate that is no text", "input.encoding") { $0["x5c"] = [1, 2, 3] },
        header("unknown critical extension", "jws.crit") { $0["crit"] = ["exp"] },
        header("empty list of critical extensions", "jws.crit") { $0["crit"] = [] },
        header("payload that is not encoded", "jws.crit") {
            $0["b64"] = false
            $0["crit"] = ["b64"]
        },
        header("payload that is not encoded, not critical", "jws.crit") { $0["b64"] = false },
        rawHeader("header with a byte order mark", "input.encoding", "\u{FEFF}{\"alg\":\"ES256\"}"),
        rawHeader("header with a trailing comma", "jws.malformed", #"{"alg":"ES256",}"#),
        rawHeader("header that is no object", "jws.malformed", #"["ES256"]"#),
        rawHeader("header that is empty", "jws.malformed", " "),
    ]

    /// Foundation's decoder would take all of these (THREATS.md A19).
    private static let encodings: [(name: String, encode: @Sendable (String) -> [UInt8])] = [
        ("UTF-16, little end first", { $0.utf16.flatMap { [UInt8($0), 0] } }),
        ("UTF-16, big end first", { $0.utf16.flatMap { [0, UInt8($0)] } }),
        ("UTF-16 with its mark", { [0xFF, 0xFE] + $0.utf16.flatMap { [UInt8($0), 0] } }),
        ("UTF-32", { $0.unicodeScalars.flatMap { [UInt8($0.value), 0, 0, 0] } }),
        ("UTF-8 with a mark", { [0xEF, 0xBB, 0xBF] + Array($0.utf8) }),
    ]

    static let otherEncodings: [Attack] = encodings.flatMap { encoding in
        [
            segments("header in \(encoding.name)", "input.encoding") {
                let header = encoding.encode(#"{"alg":"ES256"}"#)
                return "\(Base64.url.encode(header)).\($0[1]).\($0[2])"
            },
            Attack("payload in \(encoding.name)", "payload.json") { store in
                store.sign(payloadBytes: encoding.encode(TestBench.transaction.payload.text))
            },
        ]
    }

    static let forms: [Attack] = [
        Attack("JSON serialization", "jws.malformed") { store in
            let parts = store.sign(TestBench.transaction.payload).segments
            let body: JSONValue = [
                "payload": .string(parts[1]), "protected": .string(parts[0]),
                "signature": .string(parts[2]),
            ]
            return body.serialized()
        },
        segments("one segment", "jws.malformed") { $0[0] },
        segments("two segments", "jws.malformed") { "\($0[0]).\($0[1])" },
        segments("four segments", "jws.malformed") { $0.joined(separator: ".") + ".AAAA" },
        segments("five segments", "jws.malformed") { $0.joined(separator: ".") + ".AAAA.AAAA" },
        segments("trailing dot", "jws.malformed") { $0.joined(separator: ".") + "." },
        segments("empty header", "jws.malformed") { ".\($0[1]).\($0[2])" },
        segments("empty payload", "jws.malformed") { "\($0[0])..\($0[2])" },
        segments("full-width dots", "jws.malformed") { $0.joined(separator: "\u{FF0E}") },
        segments("dots with a combining mark", "jws.malformed") {
            $0.joined(separator: ".\u{301}")
        },
        segments("dots with a joiner before", "jws.malformed") {
            $0.joined(separator: "\u{200D}.")
        },
        segments("one dot leaders", "jws.malformed") { $0.joined(separator: "\u{2024}") },
        segments("ideographic full stops", "jws.malformed") { $0.joined(separator: "\u{3002}") },
        segments("dots of two bytes", "jws.malformed") { $0.joined(separator: "\u{AE}") },
        segments("padded payload", "input.encoding") { "\($0[0]).\($0[1])=.\($0[2])" },
        segments("payload with a blank", "input.encoding") { "\($0[0]). \($0[1]).\($0[2])" },
        segments("signature in the other alphabet", "input.encoding") {
            "\($0[0]).\($0[1]).+/\($0[2].dropFirst(2))"
        },
        segments("nothing but dots", "jws.malformed") { _ in ".." },
        segments("larger than any JWS", "input.too-large") {
            $0[0] + String(repeating: "A", count: 262_144) + ".\($0[1]).\($0[2])"
        },
        segments("larger than any evidence", "input.too-large") {
            $0[0] + String(repeating: "A", count: 2_097_152) + ".\($0[1]).\($0[2])"
        },
    ]

    static let lengths: [Attack] = [0, 1, 63, 65, 66, 72, 132].map { count in
        segments("signature of \(count) bytes", "jws.signature") {
            "\($0[0]).\($0[1]).\(Base64.url.encode([UInt8](repeating: 7, count: count)))"
        }
    }

    private static let badScalars: [(name: String, scalar: [UInt8])] = [
        ("zero", zero), ("one", one), ("the order", order), ("the order less one", orderLessOne),
        ("the order and one", orderAndOne), ("the largest", largest),
    ]

    static let scalars: [Attack] = badScalars.flatMap { name, scalar in
        [
            replacing("r is \(name)", at: 0, by: scalar),
            replacing("s is \(name)", at: 32, by: scalar),
        ]
    }

    private static func replacing(_ name: String, at offset: Int, by scalar: [UInt8]) -> Attack {
        segments(name, "jws.signature") { segments in
            var bytes = Base64Reader.url(segments[2])
            bytes.replaceSubrange(offset..<(offset + 32), with: scalar)
            return "\(segments[0]).\(segments[1]).\(Base64.url.encode(bytes))"
        }
    }

    static let foreignSignatures: [Attack] = [
        segments("signature of nothing at all", "jws.signature") {
            "\($0[0]).\($0[1]).\(Base64.url.encode([UInt8](repeating: 0, count: 64)))"
        },
        Attack("header and payload of two evidences", "jws.signature") { store in
            let a = store.sign(TestBench.transaction.payload).segments
            let b = store.sign(TestBench.renewal.payload).segments
            return [UInt8]("\(a[0]).\(a[1]).\(b[2])")
        },
        Attack("key of another simulator under this one's chain", "jws.signature") { store in
            let other = StoreSimulator(seed: 2, now: TestBench.now)
            return other.sign(
                payloadBytes: TestBench.transaction.payload.serialized(), header: store.header)
        },
    ]

    private static let zero = [UInt8](repeating: 0, count: 32)
    private static let one = [UInt8](repeating: 0, count: 31) + [1]
    private static let largest = [UInt8](repeating: 0xFF, count: 32)
    /// The order of P-256.
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63,
        0x25, 0x51,
    ]
    private static let orderLessOne: [UInt8] = order.dropLast() + [0x50]
    private static let orderAndOne: [UInt8] = order.dropLast() + [0x52]

    static let attacks: [Attack] = [
        algorithms, algorithmMembers, headers, otherEncodings, forms, lengths, scalars,
        foreignSignatures,
    ].flatMap { $0 }

    @Test(arguments: attacks)
    func refuses(_ attack: Attack) {
        #expect(TestBench.apple.verdict(attack.bytes(TestBench.apple.store)) == attack.verdict)
    }

    @Test func acceptsWhatTheAttacksAreMadeOf() {
        #expect(TestBench.apple.verdictOnTransaction() == "accepted")
    }

    /// The other signature that every ECDSA signature has, (r, n − s), is as good: so bytes are
    /// never an idempotency key, and the snapshot is the same.
    @Test func takesAMalleatedTwinForTheSame() throws {
        let bytes = TestBench.apple.store.sign(TestBench.transaction.payload)
        var signature = Base64Reader.url(bytes.segments[2])
        signature.replaceSubrange(32..., with: Self.order.minus(Array(signature[32...])))
        let twin = [UInt8](
            "\(bytes.segments[0]).\(bytes.segments[1]).\(Base64.url.encode(signature))")
        let original = TestBench.apple.verifier.verify(bytes, at: TestBench.now).accepted
        let copy = TestBench.apple.verifier.verify(twin, at: TestBench.now).accepted
        #expect(twin != bytes)
        #expect(try #require(copy).transactions == (try #require(original).transactions))
    }

    /// Every spelling of the last base64 digit but the canonical one.
    @Test func refusesUnusedBitsInBase64() {
        let bytes = TestBench.apple.store.sign(TestBench.transaction.payload)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        let verdicts = alphabet.utf8.map { TestBench.apple.verdict(bytes.dropLast() + [$0]) }
        #expect(verdicts.count { $0 == "accepted" } == 1)
        #expect(verdicts.count { $0 == "input.encoding" } == 60)
        #expect(verdicts.count { $0 == "jws.signature" } == 3)
    }
}

extension JSONValue {
    fileprivate mutating func keepCertificates(_ count: Int) {
        self["x5c"] = .array(Array((self["x5c"]?.elements ?? []).prefix(count)))
    }

    fileprivate mutating func repeatCertificates(to count: Int) {
        let chain = self["x5c"]?.elements ?? []
        self["x5c"] = .array((0..<count).map { chain[$0 % chain.count] })
    }

    fileprivate mutating func changeLeaf(_ change: (String) -> String) {
        var chain = self["x5c"]?.elements ?? []
        chain[0] = .string(change(chain[0].string ?? ""))
        self["x5c"] = .array(chain)
    }
}

extension [UInt8] {
    /// The difference of two numbers of one length, written big-endian.
    fileprivate func minus(_ other: [UInt8]) -> [UInt8] {
        var difference = self
        var borrow = 0
        for index in indices.reversed() {
            let value = Int(self[index]) - Int(other[index]) - borrow
            borrow = value < 0 ? 1 : 0
            difference[index] = UInt8(truncatingIfNeeded: value)
        }
        return difference
    }
}
