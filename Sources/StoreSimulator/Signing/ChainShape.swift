package import EntitlementModel

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
        /// A key that nobody trusts; the issuer's name stays.
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
    /// Extensions that are marked critical; nobody knows them.
    package var criticalExtensions: [String] = []
    /// Content of an extension that is none of the markers.
    package var otherExtension: [UInt8]?
    /// Names that a name constraint permits; none leaves the constraint out.
    package var permittedNames: [String] = []
    /// Says by their hashes which key it is for and which key signed it, as Apple's do and strict
    /// readers want it (RFC 5280, 4.2.1.1 and 4.2.1.2).
    package var hasKeyIdentifiers = true
    package var valid: (from: Instant, to: Instant)
    package var signer = Signer.issuer
    /// Signed over SHA-1, as Apple's receipt chain was before 2023; the signer's key is RSA.
    package var usesSHA1 = false

    package init(
        commonName: String, key: KeyType, isAuthority: Bool?, pathLength: Int? = nil,
        usage: Usage?, markers: [String], valid: (from: Instant, to: Instant)
    ) {
        self.commonName = commonName
        self.key = key
        self.isAuthority = isAuthority
        self.pathLength = pathLength
        self.usage = usage
        self.markers = markers
        self.valid = valid
    }
}

extension Instant {
    fileprivate func wholeSeconds(later seconds: Int64) -> Instant {
        Instant(milliseconds: (milliseconds.flooredQuotient(by: 1_000) + seconds) * 1_000)
    }

    /// A validity in whole seconds, since certificates know no less.
    fileprivate func span(years before: Int64, _ after: Int64) -> (from: Instant, to: Instant) {
        let year: Int64 = 31_557_600_000
        let second = milliseconds.flooredQuotient(by: 1_000) * 1_000
        return (
            Instant(milliseconds: second + before * year),
            Instant(milliseconds: second + after * year)
        )
    }
}
