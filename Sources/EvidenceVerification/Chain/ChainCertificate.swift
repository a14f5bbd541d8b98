package import EntitlementModel
internal import StrictJSON
internal import SwiftASN1
internal import X509

/// A certificate together with what its DER says byte by byte.
struct ChainCertificate: Sendable {
    let certificate: Certificate
    let der: [UInt8]
    /// Encoded names: compared as bytes, since Apple's never differ in spelling.
    let subject: ArraySlice<UInt8>
    let issuer: ArraySlice<UInt8>
    let notBefore: Instant
    let notAfter: Instant
    /// The encoded SubjectPublicKeyInfo.
    let publicKeyInfo: ArraySlice<UInt8>

    /// Reads strict DER of a version 3 certificate without duplicate extensions.
    init(der: [UInt8]) throws(Refusal) {
        let layout = try CertificateLayout(der: der)
        certificate = try Self.read(der, layout)
        guard certificate.version == .v3 else { throw Refusal(.chainMalformed) }
        guard layout.innerAlgorithm == layout.outerAlgorithm else {
            throw Refusal(.chainAlgorithm)
        }
        self.der = der
        subject = layout.subject
        issuer = layout.issuer
        notBefore = layout.notBefore
        notAfter = layout.notAfter
        publicKeyInfo = layout.publicKeyInfo
    }

    /// An algorithm that is too weak to be read is refused as such, unless the certificate is not even
    /// meant for App Store signing: that says more.
    private static func read(
        _ der: [UInt8], _ layout: CertificateLayout
    ) throws(Refusal) -> Certificate {
        do {
            return try Certificate(derEncoded: der)
        } catch is ASN1Error {
            throw Refusal(.chainMalformed)
        } catch let error as CertificateError where !Self.isAboutAlgorithms(error) {
            throw Refusal(.chainMalformed)
        } catch {
            throw Refusal(layout.hasMarker ? .chainAlgorithm : .chainMarker)
        }
    }

    private static func isAboutAlgorithms(_ error: CertificateError) -> Bool {
        error.code == .unsupportedPublicKeyAlgorithm
            || error.code == .unsupportedSignatureAlgorithm
    }

    var fingerprint: Digest256 { sha256(der) }

    func isValid(at time: Instant) -> Bool {
        notBefore <= time && time <= notAfter
    }
}

/// The statements of an unverified payload that decide how to verify it: its signing time and its
/// environment. Both are signed too, so believing them before the signature is checked can only
/// make the check fail.
struct ChainClaim {
    let time: Instant
    let environment: StoreEnvironment?

    init(time: Instant, environment: StoreEnvironment?) {
        self.time = time
        self.environment = environment
    }

    /// Without a readable signing time, evidence is judged now (spec 4.0).
    init(payload: JSONDocument?, now: Instant) {
        self =
            payload.flatMap(ChainClaim.init(statedIn:))
            ?? ChainClaim(time: now, environment: payload.flatMap(Self.environment))
    }

    /// Nil where the payload says no signing time.
    init?(statedIn payload: JSONDocument) {
        let signedDate =
            payload.stated("signedDate", of: .root)
            ?? payload.stated("receiptCreationDate", of: .root)
        guard let milliseconds = signedDate.flatMap(payload.flooredInt64) else { return nil }
        time = Instant(milliseconds: milliseconds)
        environment = Self.environment(of: payload)
    }

    private static func environment(of payload: JSONDocument) -> StoreEnvironment? {
        PayloadShape.environmentName(of: payload).flatMap { StoreEnvironment(signedName: $0) }
    }
}

/// When evidence may have been signed, seen from now (spec 4.0).
struct SigningTimes: Sendable {
    /// Milliseconds that it may lie in the future: clocks differ.
    let clockSkew: Int64
    /// Nil for no limit.
    let maximumAge: Period?

    func check(_ time: Instant, now: Instant) throws(Refusal) {
        let isFuture = now.milliseconds(since: time) < -clockSkew
        let isOld = maximumAge.map { $0.end(from: time) < now } ?? false
        if isFuture || isOld { throw Refusal(.chainTime, .found(time.rfc3339)) }
    }
}

/// A trust anchor as chains are compared with it.
struct TrustedRoot: Sendable {
    private enum Identity: Sendable {
        case fingerprint(Digest256)
        case certificate(ChainCertificate)
    }

    private let identity: Identity
    /// The environments that it is good for; nil for all.
    let environments: Set<StoreEnvironment>?

    /// Nil if the anchor's certificate cannot be read; nothing is trusted through it then.
    init?(_ anchor: TrustAnchor) {
        environments = anchor.environments
        switch anchor.root {
        case .fingerprint(let digest): identity = .fingerprint(digest)
        case .certificate(let der):
            guard let certificate = try? ChainCertificate(der: der) else { return nil }
            identity = .certificate(certificate)
        }
    }

    /// For local testing only, so that a single self-signed certificate is accepted.
    var isLocal: Bool {
        guard let environments, !environments.isEmpty else { return false }
        return environments.isSubset(of: [.xcode, .localTesting])
    }

    func isGood(for environment: StoreEnvironment?) -> Bool {
        guard let environments else { return true }
        return environment.map(environments.contains) ?? false
    }

    /// The certificate that the path ends in if this root is meant: with a fingerprint the one
    /// that the evidence brings along, if it hashes to it; else its own, if it is the issuer by
    /// name.
    func end(brought: [UInt8], issuer: ArraySlice<UInt8>) throws(Refusal) -> ChainCertificate? {
        switch identity {
        case .fingerprint(let digest):
            return sha256(brought) == digest ? try ChainCertificate(der: brought) : nil
        case .certificate(let certificate):
            return certificate.subject == issuer ? certificate : nil
        }
    }

    /// Whether these bytes are this very root.
    func isIdentical(to der: [UInt8]) -> Bool {
        switch identity {
        case .fingerprint(let digest): sha256(der) == digest
        case .certificate(let certificate): certificate.der == der
        }
    }
}

extension TrustAnchor.Root {
    /// Whether a chain can end in it at all: not where it is a certificate that cannot be read.
    ///
    /// Asked before a policy comes into force (THREATS.md B23).
    package var isReadable: Bool { TrustedRoot(TrustAnchor(root: self)) != nil }
}
