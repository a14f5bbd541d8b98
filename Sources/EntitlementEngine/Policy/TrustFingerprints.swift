internal import Crypto
package import EntitlementModel

extension ActivePolicy {
    /// SHA-256 of every root that evidence may end in, sorted, for the operator's page.
    package var trustFingerprints: [Digest256] {
        let anchors = history.current.trust.jws + history.current.trust.receipt
        let digests = anchors.map { anchor in
            switch anchor.root {
            case .fingerprint(let digest): digest
            case .certificate(let der): Digest256(sha256Of: der)
            }
        }
        return Set(digests).sorted()
    }

    /// Since when it has been in force.
    package var activatedAt: Instant {
        history.activations[history.activations.count - 1].activatedAt
    }
}

extension Digest256 {
    fileprivate init(sha256Of bytes: [UInt8]) {
        guard let digest = Digest256(Array(SHA256.hash(data: bytes))) else {
            preconditionFailure("SHA-256 has 32 bytes")
        }
        self = digest
    }
}
