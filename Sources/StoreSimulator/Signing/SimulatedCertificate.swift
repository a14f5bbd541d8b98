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

    /// SHA-256 of the DER bytes.
    package var fingerprint: Digest256 { Digest256(hash: SHA256.hash(data: der)) }
}

/// A certificate, its key and its name, ready to sign others.
struct CertificateAuthority {
    let certificate: SimulatedCertificate
    let key: SimulatedKey
    let name: DistinguishedName

    /// Makes the certificate of `shape`; without an issuer it signs itself.
    init(
        _ shape: CertificateShape, key: SimulatedKey, issuer: CertificateAuthority?,
        stranger: SimulatedKey, serial: Int
    ) throws {
        let name = try Self.distinguishedName(shape.commonName)
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
        self.key = key
        self.name = name
    }

    /// What a PKCS#7 signer names this certificate by, encoded.
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
