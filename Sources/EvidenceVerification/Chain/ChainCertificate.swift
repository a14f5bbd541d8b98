internal import EntitlementModel
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
