internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import Testing

/// Attacks on the certificate path (THREATS.md B1 to B24): chains that differ from Apple's in
/// one thing each.
@Suite(.timeLimit(.minutes(20)))
struct ChainAttackTests {
    struct Shape: CustomTestStringConvertible, Sendable {
        let name: String
        let verdict: String
        let change: @Sendable (inout ChainShape) -> Void

        init(
            _ name: String, _ verdict: String,
            _ change: @escaping @Sendable (inout ChainShape) -> Void
        ) {
            self.name = name
            self.verdict = verdict
            self.change = change
        }

        var testDescription: String { "\(name): \(verdict)" }
    }

    static let markers = [
        Shape("leaf without its marker", "chain.oid") { $0.leaf.markers = [] },
        Shape("intermediate without its marker", "chain.oid") { $0.intermediate.markers = [] },
        Shape("markers swapped", "chain.oid") {
            $0.leaf.markers = [Marker.intermediate]
            $0.intermediate.markers = [Marker.leaf]
        },
        Shape("marker in the leaf's name", "chain.oid") {
            $0.leaf.markers = []
            $0.leaf.commonName = Marker.leaf
        },
        Shape("marker's bytes in another extension", "chain.oid") {
            $0.leaf.markers = []
            $0.leaf.otherExtension = [
                0x06, 0x0A, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x0B, 0x01,
            ]
        },
        Shape("marker with one arc more", "chain.oid") {
            $0.leaf.markers = [Marker.leaf + ".1"]
        },
    ]

    static let constraints = [
        Shape("intermediate is no authority", "chain.constraint") {
            $0.intermediate.isAuthority = false
        },
        Shape("intermediate does not say that it is one", "chain.constraint") {
            $0.intermediate.isAuthority = nil
        },
        Shape("root is no authority", "chain.constraint") { $0.root.isAuthority = false },
        Shape("root has no room below", "chain.constraint") { $0.root.pathLength = 0 },
        Shape("leaf is an authority", "chain.constraint") { $0.leaf.isAuthority = true },
        Shape("intermediate may not sign certificates", "chain.constraint") {
            $0.intermediate.usage = .signsData
        },
        Shape("root may not sign certificates", "chain.constraint") {
            $0.root.usage = .signsData
        },
        Shape("leaf may not sign data", "chain.constraint") { $0.leaf.usage = .encrypts },
        Shape("leaf may sign certificates too", "chain.constraint") { $0.leaf.usage = .both },
        Shape("leaf with an unknown critical extension", "chain.constraint") {
            $0.leaf.criticalExtensions = ["1.3.6.1.4.1.99999.2"]
        },
        Shape("intermediate with an unknown critical extension", "chain.constraint") {
            $0.intermediate.criticalExtensions = ["1.3.6.1.4.1.99999.2"]
        },
        Shape("intermediate with name constraints", "chain.constraint") {
            $0.intermediate.permittedNames = ["example.com"]
        },
        Shape("root with name constraints", "chain.constraint") {
            $0.root.permittedNames = ["example.com"]
        },
        Shape("leaf with name constraints", "chain.constraint") {
            $0.leaf.permittedNames = ["example.com"]
        },
        Shape("intermediate with a thousand name constraints", "input.too-complex") {
            $0.intermediate.permittedNames = (0..<1_000).map { "\($0).example.com" }
        },
        Shape("leaf with a thousand name constraints", "input.too-complex") {
            $0.leaf.permittedNames = (0..<1_000).map { "\($0).example.com" }
        },
        Shape("leaf names another issuer", "chain.constraint") {
            $0.leaf.issuerName = "Somebody Else"
        },
        Shape("intermediate names another issuer", "chain.root") {
            $0.intermediate.issuerName = "Somebody Else"
        },
    ]

    static let algorithms = [
        Shape("leaf with a P-384 key", "chain.algorithm") { $0.leaf.key = .p384 },
        Shape("leaf with an RSA key", "chain.algorithm") { $0.leaf.key = .rsa2048 },
        Shape("leaf with an Ed25519 key", "chain.algorithm") { $0.leaf.key = .ed25519 },
        Shape("intermediate with an RSA key", "chain.algorithm") {
            $0.intermediate.key = .rsa2048
        },
        Shape("intermediate with a P-521 key", "chain.algorithm") {
            $0.intermediate.key = .p521
        },
        Shape("root with an Ed25519 key", "chain.algorithm") { $0.root.key = .ed25519 },
    ]

    static let signatures = [
        Shape("leaf signed by a stranger", "chain.signature") { $0.leaf.signer = .stranger },
        Shape("intermediate signed by a stranger", "chain.signature") {
            $0.intermediate.signer = .stranger
        },
    ]

    static let accepted = [
        Shape("Apple's shape", "accepted") { _ in },
        Shape("P-256 throughout, as Apple's libraries test with", "accepted") {
            $0.root.key = .p256
            $0.intermediate.key = .p256
        },
        Shape("no key usages, as Apple's libraries test with", "accepted") {
            $0.intermediate.usage = nil
            $0.leaf.usage = nil
        },
        Shape("critical markers", "accepted") {
            $0.leaf.markers = []
            $0.leaf.criticalExtensions = [Marker.leaf]
        },
    ]

    @Test(arguments: markers + constraints + algorithms + signatures + accepted)
    func judges(_ shape: Shape) {
        #expect(TestBench.changing(shape.change).verdictOnTransaction() == shape.verdict)
    }

    enum Role: CaseIterable, Sendable {
        case root
        case intermediate
        case leaf
    }

    /// Each certificate in turn becomes valid one second late, or ends one second early, or just
    /// in time.
    @Test(arguments: Role.allCases)
    func keepsToTheValidityOf(_ role: Role) {
        let second: Int64 = 1_000
        let signed = TestBench.transaction.signedDate
        let start = signed.advanced(byMilliseconds: -86_400_000)
        let end = signed.advanced(byMilliseconds: 86_400_000)
        let spans: [(from: Instant, to: Instant, verdict: String)] = [
            (signed, end, "accepted"), (start, signed, "accepted"),
            (signed.advanced(byMilliseconds: second), end, "chain.time"),
            (start, signed.advanced(byMilliseconds: -second), "chain.time"),
        ]
        for span in spans {
            let bench = TestBench.changing { shape in
                switch role {
                case .root: shape.root.valid = (span.from, span.to)
                case .intermediate: shape.intermediate.valid = (span.from, span.to)
                case .leaf: shape.leaf.valid = (span.from, span.to)
                }
            }
            #expect(bench.verdictOnTransaction() == span.verdict)
        }
    }

    /// A millisecond after the last second of the leaf's validity.
    @Test func countsMilliseconds() {
        let signed = TestBench.transaction.signedDate
        let bench = TestBench.changing {
            $0.leaf.valid = (signed.advanced(byMilliseconds: -86_400_000), signed)
        }
        let late = TestBench.transaction.with {
            $0.signedDate = signed.advanced(byMilliseconds: 1)
        }
        #expect(bench.verdict(bench.store.sign(late.payload)) == "chain.time")
    }
}
