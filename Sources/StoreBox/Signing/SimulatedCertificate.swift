internal import Crypto
package import EntitlementModel
internal import FoundationEssentials
internal import SwiftASN1
internal import X509

/// A certificate that a simulator made. It carries no private key.
package struct SimulatedCertificate: Sendable {
    package let der: [UInt8]

    /// The certificate as a text file.
    package var pem: String {
        PEMDocument(type: "CERTIFICATE", derBytes: der).pemString + "\n"
    }

    init(der: [UInt8]) { self.der = der }

    /// One from PEM text; nil if it is not a certificate.
    package init?(pem: String) {
        guard let document = try? PEMDocument(pemString: pem),
            (try? Certificate(pemDocument: document)) != nil
        else { return nil }
        self.init(der: document.derBytes)
    }

    /// SHA-256 of the DER bytes.
    package var fingerprint: Digest256 { Digest256(hash: SHA256.hash(data: der)) }
}

/// A certificate, its key and its name, ready to sign others.
struct CertificateAuthority {
    let certificate: SimulatedCertificate
    let key: SimulatedKey
    let name: DistinguishedName

    /// Makes the certificate of `shape`, unless one is kept; without an issuer it signs itself.
    init(
        _ shape: CertificateShape, key: SimulatedKey, issuer: CertificateAuthority?,
        stranger: SimulatedKey, serial: Int, kept: SimulatedCertificate? = nil
    ) throws {
        let name = try Self.distinguishedName(shape.commonName)
        self.key = key
        self.name = name
        if let kept {
            certificate = kept
            return
        }
        let issuerName = try shape.issuerName.map(Self.distinguishedName)
        let signer = shape.signer == .stranger ? stranger : issuer?.key ?? key
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(serial),
            publicKey: key.certificateKey.publicKey,
            notValidBefore: Date(shape.valid.from), notValidAfter: Date(shape.valid.to),
            issuer: issuerName ?? issuer?.name ?? name, subject: name,
            signatureAlgorithm: shape.usesSHA1
                ? .sha1WithRSAEncryption : signer.certificateAlgorithm,
            extensions: try Certificate.Extensions(
                Self.extensions(of: shape)
                    + Self.keyIdentifiers(of: shape, key: key, issuer: issuer?.key)),
            issuerPrivateKey: signer.certificateKey)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        self.certificate = SimulatedCertificate(der: serializer.serializedBytes)
    }

    /// The identifier of this certificate in a PKCS#7 signer, encoded.
    func issuerAndSerial() throws -> [UInt8] {
        let certificate = try Certificate(derEncoded: self.certificate.der)
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(certificate.issuer)
            try coder.serialize(certificate.serialNumber.bytes)
        }
        return serializer.serializedBytes
    }

    private static func distinguishedName(_ commonName: String) throws -> DistinguishedName {
        try DistinguishedName {
            CommonName(commonName)
            OrganizationName("Usher Simulator")
            CountryName("US")
        }
    }

    private static func keyIdentifiers(
        of shape: CertificateShape, key: SimulatedKey, issuer: SimulatedKey?
    ) throws -> [Certificate.Extension] {
        guard shape.hasKeyIdentifiers else { return [] }
        let own = SubjectKeyIdentifier(hash: key.certificateKey.publicKey)
        let subject = try Certificate.Extension(own, critical: false)
        guard let issuer else { return [subject] }
        let signer = SubjectKeyIdentifier(hash: issuer.certificateKey.publicKey)
        let authority = AuthorityKeyIdentifier(keyIdentifier: signer.keyIdentifier)
        return [subject, try Certificate.Extension(authority, critical: false)]
    }

    private static func extensions(
        of shape: CertificateShape
    ) throws -> [Certificate.Extension] {
        var extensions: [Certificate.Extension] = []
        if let isAuthority = shape.isAuthority {
            let constraints: BasicConstraints =
                isAuthority
                ? .isCertificateAuthority(maxPathLength: shape.pathLength)
                : .notCertificateAuthority
            extensions.append(try Certificate.Extension(constraints, critical: true))
        }
        if let usage = shape.usage {
            extensions.append(try Certificate.Extension(usage.keyUsage, critical: true))
        }
        if !shape.permittedNames.isEmpty {
            let constraints = NameConstraints(permittedDNSDomains: shape.permittedNames)
            extensions.append(try Certificate.Extension(constraints, critical: false))
        }
        let null: ArraySlice<UInt8> = [0x05, 0x00]
        for oid in shape.markers + shape.criticalExtensions {
            extensions.append(
                Certificate.Extension(
                    oid: try ASN1ObjectIdentifier(dotRepresentation: oid),
                    critical: shape.criticalExtensions.contains(oid), value: null))
        }
        if let content = shape.otherExtension {
            extensions.append(
                Certificate.Extension(
                    oid: [1, 3, 6, 1, 4, 1, 99_999, 1], critical: false, value: content[...]))
        }
        return extensions
    }
}

extension CertificateShape.Usage {
    fileprivate var keyUsage: KeyUsage {
        switch self {
        case .signsData: KeyUsage(digitalSignature: true)
        case .signsCertificates: KeyUsage(keyCertSign: true, cRLSign: true)
        case .both: KeyUsage(digitalSignature: true, keyCertSign: true)
        case .encrypts: KeyUsage(keyEncipherment: true)
        }
    }
}

extension Date {
    fileprivate init(_ instant: Instant) {
        self.init(timeIntervalSince1970: Double(instant.milliseconds) / 1_000)
    }
}

/// How the certificates of a simulator are made and presented. `apple` is Apple's shape; tests
/// change one thing at a time.
package struct ChainShape: Sendable {
    package var root: CertificateShape
    package var intermediate: CertificateShape
    package var leaf: CertificateShape

    /// Apple's: P-384 root and intermediate, P-256 leaf, both markers, key usages, and
    /// validities around `now` that are as long as Apple's.
    package static func apple(around now: Instant) -> ChainShape {
        ChainShape(
            root: CertificateShape(
                commonName: "Usher Simulator Root CA", key: .p384, isAuthority: true,
                usage: .signsCertificates, markers: [], valid: now.span(years: -10, 15)),
            intermediate: CertificateShape(
                commonName: "Usher Simulator Developer Relations CA", key: .p384,
                isAuthority: true, pathLength: 0, usage: .signsCertificates,
                markers: [Marker.intermediate], valid: now.span(years: -5, 10)),
            leaf: CertificateShape(
                commonName: "Usher Simulator App Store Receipt Signing", key: .p256,
                isAuthority: false, usage: .signsData, markers: [Marker.leaf],
                valid: now.span(years: -1, 1)))
    }
}

extension ChainShape {
    /// The same, good at least from one instant to another.
    package func good(from first: Instant, to last: Instant) -> ChainShape {
        var shape = self
        for certificate in [\ChainShape.root, \.intermediate, \.leaf] {
            let valid = shape[keyPath: certificate].valid
            shape[keyPath: certificate].valid = (
                min(valid.from, first.wholeSeconds(later: -86_400)),
                max(valid.to, last.wholeSeconds(later: 86_400))
            )
        }
        return shape
    }
}

/// Apple's marker extensions, as dotted object identifiers.
package enum Marker {
    package static let leaf = "1.2.840.113635.100.6.11.1"
    package static let intermediate = "1.2.840.113635.100.6.2.1"
}

/// One certificate of a chain.
package struct CertificateShape: Sendable {
    package enum KeyType: Sendable {
        case p256
        case p384
        case p521
        case rsa2048
        case ed25519
    }

    package enum Usage: Sendable {
        case signsData
        case signsCertificates
        case both
        case encrypts
    }

    /// Who signs this certificate.
    package enum Signer: Sendable {
        case issuer
        /// An untrusted key; the issuer's name stays.
        case stranger
    }

    package var commonName: String
    /// The name that the certificate gives as its issuer; nil for the issuer's own.
    package var issuerName: String?
    package var key: KeyType
    /// The name that the key has under the seed; nil for that of its place in the chain.
    package var keyName: String?
    /// Nil leaves the basic constraints out.
    package var isAuthority: Bool?
    package var pathLength: Int?
    /// Nil leaves the key usage out.
    package var usage: Usage?
    /// Extensions with an ASN.1 NULL inside, as Apple's markers are.
    package var markers: [String]
    /// Unknown extensions that are marked critical.
    package var criticalExtensions: [String] = []
    /// Content of an extension that is not one of the markers.
    package var otherExtension: [UInt8]?
    /// Names that a name constraint permits; none leaves the constraint out.
    package var permittedNames: [String] = []
    /// Has the identifiers of its own and its issuer's key, as Apple's do and strict readers
    /// require (RFC 5280, 4.2.1.1 and 4.2.1.2).
    var hasKeyIdentifiers = true
    package var valid: (from: Instant, to: Instant)
    package var signer = Signer.issuer
    /// Signed over SHA-1, as Apple's receipt chain was before 2023; the signer's key is RSA.
    package var usesSHA1 = false
}

extension Instant {
    fileprivate func wholeSeconds(later seconds: Int64) -> Instant {
        Instant(milliseconds: (milliseconds.flooredQuotient(by: 1_000) + seconds) * 1_000)
    }

    /// A validity in whole seconds, the unit of certificates.
    fileprivate func span(years before: Int64, _ after: Int64) -> (from: Instant, to: Instant) {
        let year: Int64 = 31_557_600_000
        let second = milliseconds.flooredQuotient(by: 1_000) * 1_000
        return (
            Instant(milliseconds: second + before * year),
            Instant(milliseconds: second + after * year)
        )
    }
}
