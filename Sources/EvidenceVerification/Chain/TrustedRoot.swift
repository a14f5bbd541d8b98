package import EntitlementModel

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

    /// Good for local testing only, so that a single self-signed certificate may stand for it.
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
