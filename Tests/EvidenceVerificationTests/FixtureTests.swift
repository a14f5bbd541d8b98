internal import Crypto
internal import EntitlementModel
internal import EvidenceVerification
internal import Foundation
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

/// The files in fixtures/evidence are what the simulator makes today, signatures apart, and the
/// verifier takes every one of them.
///
/// With RECORD_SNAPSHOTS=1 those that say something else are written anew, and the run fails so
/// that somebody looks.
@Suite(.timeLimit(.minutes(20)))
struct FixtureTests {
    private static let seed: UInt64 = 2_026
    private static let folder = Repository.url("fixtures/evidence")

    private static func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: path)))
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    /// Writes what is missing or says something else, with all that is signed below the same root,
    /// which has another fingerprint from run to run; what still says the same keeps its bytes.
    private static func record(_ set: FixtureSet) throws {
        let signed = set.fixtures.filter { $0.kind != .receipt }
        let areTheSame = try signed.allSatisfy { fixture in
            try (try? contents(read(fixture.path))) == contents(fixture.bytes)
        }
        if !areTheSame || (try? certificate(FixtureSet.rootPath)) == nil {
            for fixture in signed { try write(fixture.bytes, to: fixture.path) }
            try write(Array(set.root.pem.utf8), to: FixtureSet.rootPath)
        }
        try write(Array(set.manifest.utf8), to: "manifest.yaml")
        try write(Array(set.purchases.utf8), to: FixtureSet.purchasesPath)
        guard (try? keptReceipts(set) == madeReceipts(set)) != true else { return }
        try write(Array(set.receiptRoot.pem.utf8), to: FixtureSet.receiptRootPath)
        try write(Array(set.xcodeCertificate.pem.utf8), to: FixtureSet.xcodeCertificatePath)
        for fixture in set.fixtures where fixture.kind == .receipt {
            try write(fixture.bytes, to: fixture.path)
        }
    }

    @Test(.enabled(if: Snapshot.isRecording, "only on request")) func recordsAnew() throws {
        try Self.record(makeFixtures(seed: Self.seed))
        Issue.record("the fixtures were written anew: read the difference")
    }

    /// The parts of evidence that do not change from run to run: every payload, inner ones
    /// included.
    private static func contents(_ bytes: [UInt8]) throws -> JSONValue {
        var text = String(decoding: bytes, as: UTF8.self)
        if text.first == "{" {
            text = try #require(try parseJSON(bytes)["signedPayload"]?.string)
        }
        var payload = try parseJSON(Base64Reader.url([UInt8](text).segments[1]))
        for name in ["signedTransactionInfo", "signedRenewalInfo"] {
            guard let inner = payload["data"]?[name]?.string else { continue }
            var data = payload["data"]
            data?[name] = try contents([UInt8](inner))
            payload["data"] = data
        }
        return payload
    }

    @Test(.disabled(if: Snapshot.isRecording, "they are being written")) func areWhatIsMadeToday()
        throws
    {
        let set = makeFixtures(seed: Self.seed)
        #expect(try Self.read("manifest.yaml") == Array(set.manifest.utf8))
        #expect(try Self.read(FixtureSet.purchasesPath) == Array(set.purchases.utf8))
        for fixture in set.fixtures where fixture.kind != .receipt {
            #expect(
                try Self.contents(Self.read(fixture.path)) == Self.contents(fixture.bytes),
                "\(fixture.path)")
        }
    }

    @Test(.disabled(if: Snapshot.isRecording, "they are being written")) func areAllAccepted()
        throws
    {
        let verifier = try Self.keptVerifier()
        for fixture in makeFixtures(seed: Self.seed).fixtures {
            let verdict = verifier.verify(
                try Self.read(fixture.path), as: fixture.kind, at: Samples.now)
            #expect(verdict.summary == "accepted", "\(fixture.path)")
            #expect(verdict.accepted?.environment == fixture.environment, "\(fixture.path)")
        }
    }

    /// Every bit of every seventh byte of a JWS and of a receipt (THREATS.md A16, C1). The roots
    /// are known by their fingerprints: beside a certificate it would not matter which one came.
    @Test(
        .disabled(if: Snapshot.isRecording, "they are being written"),
        arguments: ["production/non-consumable-1-purchase.jws", "production/receipt-sha256.der"])
    func everyBitCounts(_ path: String) throws {
        var settings = TestBench.apple.settings
        settings.jwsAnchors = [try Self.fingerprintAnchor(FixtureSet.rootPath)]
        settings.receiptAnchors = [try Self.fingerprintAnchor(FixtureSet.receiptRootPath)]
        let verifier = EvidenceVerifier(settings)
        let bytes = try Self.read(path)
        #expect(verifier.verify(bytes, at: Samples.now).summary == "accepted")
        var accepted: [Int] = []
        for bit in stride(from: 0, to: bytes.count, by: 7).flatMap({ $0 * 8..<$0 * 8 + 8 }) {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << (bit % 8)
            if verifier.verify(flipped, at: Samples.now).refusal == nil { accepted.append(bit) }
        }
        #expect(accepted == [])
    }

    /// Receipts have other roots from run to run, and say the same.
    @Test(.disabled(if: Snapshot.isRecording, "they are being written")) func receiptsSayTheSame()
        throws
    {
        let set = makeFixtures(seed: Self.seed)
        let kept = try Self.keptReceipts(set)
        #expect(try kept == Self.madeReceipts(set))
        #expect(kept.map(\.count) == [4, 4, 4, 4, 4])
    }

    private static func keptReceipts(_ set: FixtureSet) throws -> [[TransactionSnapshot]] {
        let verifier = try keptVerifier()
        return try set.fixtures.filter { $0.kind == .receipt }.map { fixture in
            let verdict = verifier.verify(try read(fixture.path), at: Samples.now)
            return try #require(verdict.accepted).transactions
        }
    }

    private static func madeReceipts(_ set: FixtureSet) throws -> [[TransactionSnapshot]] {
        let verifier = verifier(
            set.root.der, set.receiptRoot.der, xcode: set.xcodeCertificate.der)
        return try set.fixtures.filter { $0.kind == .receipt }.map { fixture in
            try #require(verifier.verify(fixture.bytes, at: Samples.now).accepted).transactions
        }
    }

    private static func certificate(_ path: String) throws -> [UInt8] {
        let pem = String(decoding: try read(path), as: UTF8.self)
        let lines = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }
        return Array(try #require(Data(base64Encoded: lines.joined())))
    }

    private static func fingerprintAnchor(_ path: String) throws -> TrustAnchor {
        let digest = Digest256(SHA256.hash(data: try certificate(path)))
        return TrustAnchor(root: .fingerprint(try #require(digest)))
    }

    private static func keptVerifier() throws -> EvidenceVerifier {
        try verifier(
            certificate(FixtureSet.rootPath), certificate(FixtureSet.receiptRootPath),
            xcode: certificate(FixtureSet.xcodeCertificatePath))
    }

    private static func verifier(
        _ root: [UInt8], _ receiptRoot: [UInt8], xcode: [UInt8]
    ) -> EvidenceVerifier {
        var settings = TestBench.apple.settings
        settings.trustedEnvironments.insert(.xcode)
        settings.jwsAnchors = [TrustAnchor(root: .certificate(root))]
        settings.receiptAnchors = [
            TrustAnchor(root: .certificate(receiptRoot)),
            TrustAnchor(root: .certificate(xcode), environments: [.xcode]),
        ]
        return EvidenceVerifier(settings)
    }

    /// Keys follow from the seed: whoever trusts a root as a certificate trusts what the same
    /// seed signs another day.
    @Test func sameSeedSameKeys() {
        let first = StoreSimulator(seed: 7, now: TestBench.now)
        let second = StoreSimulator(seed: 7, now: TestBench.now)
        let bench = TestBench { settings, _ in
            settings.jwsAnchors = [TrustAnchor(root: .certificate(first.root.der))]
        }
        #expect(bench.verdict(second.sign(TestBench.transaction.payload)) == "accepted")
        #expect(bench.verdictOnTransaction() == "chain.root")
    }
}
