internal import SwiftASN1
internal import X509

/// No certificate has a critical extension that is not understood here, nor name constraints of
/// any kind: Apple's have neither, and what is not checked must not pass.
struct ExtensionsRule: ChainRule {
    private static let understood: Set<ASN1ObjectIdentifier> = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
        MarkerRule.leafMarker, MarkerRule.intermediateMarker,
    ]

    func violation(of chain: UnverifiedChain) -> Refusal? {
        for (role, certificate) in chain.certificates {
            let isUnderstood = certificate.certificate.extensions.allSatisfy {
                $0.oid != .X509ExtensionID.nameConstraints
                    && (!$0.critical || Self.understood.contains($0.oid))
            }
            if !isUnderstood { return Refusal(.chainConstraint, .certificate(role)) }
        }
        return nil
    }
}
