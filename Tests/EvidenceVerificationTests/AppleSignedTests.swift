internal import EntitlementModel
internal import EvidenceVerification
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

/// What Apple's own servers and Apple's libraries' test suites signed gets the verdict that the
/// samples' own table says. The samples lie outside the project; without them nothing runs here.
@Suite(
    .timeLimit(.minutes(20)),
    .enabled("the samples in ../shared/data/apple-signed are not here") { Samples.exist })
struct AppleSignedTests {
    struct Sample: CustomTestStringConvertible {
        let file: String
        let bundle: String
        var environment = StoreEnvironment.sandbox
        var roots = Samples.Roots.apple
        let verdict: String

        var testDescription: String { "\(file): \(verdict)" }
    }

    static let samples = [
        Sample(
            file: "transaction-auto-renewable.jws", bundle: "com.audaos.audarecorder",
            verdict: "accepted"),
        Sample(file: "renewal-info.jws", bundle: "com.audaos.audarecorder", verdict: "accepted"),
        Sample(
            file: "notification-did-renew-without-signed-date.jws",
            bundle: "com.audaos.audarecorder", verdict: "chain.time"),
        Sample(
            file: "transaction-introductory-offer.jws", bundle: "Com.VoiceRecording.Telephone",
            verdict: "accepted"),
        Sample(
            file: "transaction-introductory-offer.jws", bundle: "com.VoiceRecording.Telephone",
            verdict: "bind.bundle"),
        Sample(
            file: "transaction-non-renewing.jws", bundle: "com.psychinsight.psychinsights",
            verdict: "accepted"),
        Sample(
            file: "transaction-non-renewing.jws", bundle: "com.psychinsight.psychinsights",
            environment: .production, verdict: "bind.environment"),
        Sample(
            file: "transaction-2021-without-environment.jws", bundle: "club.omnichess.ios",
            verdict: "bind.environment"),
        Sample(file: "notification-test.jws", bundle: "com.Abilities", verdict: "accepted"),
        Sample(
            file: "notification-test-ca.jws", bundle: "com.example",
            roots: .library, verdict: "accepted"),
        Sample(file: "notification-test-ca.jws", bundle: "com.example", verdict: "chain.root"),
        Sample(file: "notification-without-x5c.jws", bundle: "com.example", verdict: "jws.x5c"),
        Sample(
            file: "transaction-xcode.jws",
            bundle: "com.example.naturelab.backyardbirds.example", environment: .xcode,
            verdict: "jws.x5c"),
        Sample(
            file: "transaction-xcode.jws",
            bundle: "com.example.naturelab.backyardbirds.example", environment: .xcode,
            roots: .xcode, verdict: "accepted"),
        Sample(
            file: "transaction-xcode.jws",
            bundle: "com.example.naturelab.backyardbirds.example", environment: .sandbox,
            roots: .xcode, verdict: "bind.environment"),
        Sample(
            file: "receipt-sandbox-sha256.der", bundle: "dev.bonzer.weeka.app",
            verdict: "accepted"),
        Sample(
            file: "receipt-sandbox-sha256.der", bundle: "dev.bonzer.weeka.app",
            environment: .production, verdict: "bind.environment"),
        Sample(
            file: "receipt-sandbox-sha1.der", bundle: "com.nutcall.alert", verdict: "accepted"),
        Sample(
            file: "receipt-xcode.der", bundle: "net.zachariadis.cyclemaps",
            environment: .xcode, verdict: "receipt.malformed"),
        Sample(
            file: "receipt-xcode.der", bundle: "net.zachariadis.cyclemaps",
            environment: .xcode, roots: .xcodeReceipt, verdict: "accepted"),
        Sample(
            file: "receipt-apple-root-wrong-leaf.der", bundle: "com.example.SampleApp",
            environment: .production, verdict: "chain.oid"),
    ]

    @Test(arguments: samples)
    func getsItsVerdict(_ sample: Sample) throws {
        let verifier = try Samples.verifier(
            sample.bundle, environment: sample.environment, roots: sample.roots)
        let verdict = verifier.verify(try Samples.bytes(sample.file), at: Samples.now)
        #expect(verdict.summary == sample.verdict)
    }

    @Test func decodesARenewalThatIsSignedBeforeItStarts() throws {
        let verifier = try Samples.verifier("com.audaos.audarecorder")
        let bytes = try Samples.bytes("transaction-auto-renewable.jws")
        let evidence = try #require(verifier.verify(bytes, at: Samples.now).accepted)
        let transaction = try #require(evidence.transactions.first)
        #expect(transaction.transactionID.text == "2000000004047119")
        #expect(transaction.originalTransactionID.text == "2000000000842607")
        #expect(transaction.productID.text == "com.audaos.audarecorder.vip.m2")
        #expect(transaction.kind == .known(.autoRenewable))
        #expect(transaction.purchaseDate.milliseconds == 1_646_387_016_000)
        #expect(transaction.expiresDate?.milliseconds == 1_646_387_196_000)
        #expect(transaction.signedDate.milliseconds == 1_646_387_008_254)
        #expect(evidence.judgedAt == transaction.signedDate)
        #expect(evidence.environment == .sandbox)
    }

    @Test func decodesARenewalInfo() throws {
        let verifier = try Samples.verifier("com.audaos.audarecorder")
        let bytes = try Samples.bytes("renewal-info.jws")
        let evidence = try #require(verifier.verify(bytes, at: Samples.now).accepted)
        let renewal = try #require(evidence.renewals.first)
        #expect(renewal.originalTransactionID.text == "2000000000842607")
        #expect(renewal.autoRenewStatus == true)
        #expect(evidence.bundleID == nil)
    }

    @Test func decodesAnOfferAndAToken() throws {
        let verifier = try Samples.verifier("Com.VoiceRecording.Telephone")
        let bytes = try Samples.bytes("transaction-introductory-offer.jws")
        let evidence = try #require(verifier.verify(bytes, at: Samples.now).accepted)
        let transaction = try #require(evidence.transactions.first)
        #expect(transaction.offer?.type == 1)
        #expect(transaction.appAccountToken?.text == "207262da-1ac8-4e0a-a399-5aa62a82800f")
        let original = try #require(transaction.originalPurchaseDate)
        #expect(original > transaction.purchaseDate)
    }

    @Test func decodesAPriceInMilliunits() throws {
        let verifier = try Samples.verifier("com.psychinsight.psychinsights")
        let bytes = try Samples.bytes("transaction-non-renewing.jws")
        let evidence = try #require(verifier.verify(bytes, at: Samples.now).accepted)
        let transaction = try #require(evidence.transactions.first)
        #expect(transaction.kind == .known(.nonRenewing))
        #expect(transaction.price == Price(milliunits: 14_900_000, currency: "NGN"))
        #expect(transaction.expiresDate == nil)
    }

    @Test func readsAReceipt() throws {
        let verifier = try Samples.verifier("dev.bonzer.weeka.app")
        let bytes = try Samples.bytes("receipt-sandbox-sha256.der")
        let evidence = try #require(verifier.verify(bytes, at: Samples.now).accepted)
        #expect(evidence.judgedAt.rfc3339 == "2025-12-26T18:39:47.000Z")
        #expect(evidence.transactions.count == 2)
        #expect(
            Set(evidence.transactions.map(\.originalTransactionID.text)) == ["2000001092134138"])
        #expect(
            Set(evidence.transactions.map(\.productID.text))
                == ["dev.bonzer.weeka.app.subscription.pro.annual"])
        #expect(evidence.transactions.allSatisfy { $0.kind == .known(.autoRenewable) })
    }

    @Test func readsAnOldReceipt() throws {
        let verifier = try Samples.verifier("com.nutcall.alert")
        let bytes = try Samples.bytes("receipt-sandbox-sha1.der")
        let evidence = try #require(verifier.verify(bytes, at: Samples.now).accepted)
        #expect(evidence.judgedAt.rfc3339 == "2020-05-06T18:28:49.000Z")
        #expect(evidence.transactions.count + evidence.implausible.count == 187)
    }

    @Test func judgesTheInnerPartsOfARefusedNotification() throws {
        let verifier = try Samples.verifier("com.audaos.audarecorder")
        let bytes = try Samples.bytes("notification-did-renew-without-signed-date.jws")
        let inspection = inspect(bytes, verifier: verifier, at: Samples.now)
        #expect(inspection.verdict.summary == "chain.time")
        #expect(inspection.inner.map { $0.verdict.summary } == ["accepted", "accepted"])
    }

    @Test func floorsXcodeDates() throws {
        let verifier = try Samples.verifier(
            "com.example.naturelab.backyardbirds.example", environment: .xcode,
            roots: .xcode)
        let bytes = try Samples.bytes("transaction-xcode.jws")
        let evidence = try #require(verifier.verify(bytes, at: Samples.now).accepted)
        #expect(evidence.transactions.first?.purchaseDate.milliseconds == 1_697_679_936_049)
        #expect(evidence.transactions.first?.webOrderLineItemID == nil)
    }
}

/// The folder of samples beside the project.
enum Samples {
    /// What is trusted.
    enum Roots: Sendable {
        /// Apple Root CA - G3 by its fingerprint.
        case apple
        /// The root of Apple's libraries' own tests, as a certificate.
        case library
        /// The certificate that the Xcode sample itself brings, for Xcode only.
        case xcode
        /// The certificate in the Xcode receipt, for Xcode only.
        case xcodeReceipt
    }

    static let folder = Repository.url("../shared/data/apple-signed")

    static var exist: Bool { FileManager.default.fileExists(atPath: folder.path) }

    static func bytes(_ file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: file)))
    }

    /// 2026-11-01, when every leaf in the samples has expired.
    static let now = Instant(milliseconds: 1_793_491_200_000)

    static func verifier(
        _ bundle: String, environment: StoreEnvironment = .sandbox, roots: Roots = .apple
    ) throws -> EvidenceVerifier {
        var settings = VerificationSettings()
        settings.bundleID = BundleID(bundle)
        settings.trustedEnvironments = [environment]
        settings.jwsAnchors = [try anchor(roots)]
        settings.receiptAnchors = settings.jwsAnchors
        if roots == .apple {
            let digest = Digest256(
                hexadecimal: "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024")
            settings.receiptAnchors = [TrustAnchor(root: .fingerprint(try #require(digest)))]
        }
        return EvidenceVerifier(settings)
    }

    private static func anchor(_ roots: Roots) throws -> TrustAnchor {
        switch roots {
        case .apple:
            let digest = Digest256(
                hexadecimal: "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")
            return TrustAnchor(root: .fingerprint(try #require(digest)))
        case .library:
            return TrustAnchor(root: .certificate(try bytes("apple-library-test-ca.der")))
        case .xcode:
            return TrustAnchor(
                root: .certificate(try xcodeCertificate()), environments: [.xcode])
        case .xcodeReceipt:
            let container = try bytes("receipt-xcode.der")
            // The one certificate in the bag, which is its own issuer.
            return TrustAnchor(
                root: .certificate(Array(container[451..<1_339])), environments: [.xcode])
        }
    }

    private static func xcodeCertificate() throws -> [UInt8] {
        let text = String(decoding: try bytes("transaction-xcode.jws"), as: UTF8.self)
        let segment = text.prefix { $0 != "." }
            .replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - segment.count % 4) % 4)
        let header = try parseJSON(Array(try #require(Data(base64Encoded: segment + padding))))
        let certificate = try #require(header["x5c"]?.elements?.first?.string)
        return Array(try #require(Data(base64Encoded: certificate)))
    }
}
