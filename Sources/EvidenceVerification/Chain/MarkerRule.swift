internal import SwiftASN1
internal import X509

/// Apple issued leaf and intermediate for App Store signing, and says so by an extension in
/// each: the object identifier itself, wherever else its bytes may occur.
struct MarkerRule: ChainRule {
    static let leafMarker: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
    static let intermediateMarker: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]

    func violation(of chain: UnverifiedChain) -> Refusal? {
        if chain.leaf.certificate.extensions[oid: Self.leafMarker] == nil {
            return Refusal(.chainMarker, .certificate(.leaf))
        }
        if chain.intermediate.certificate.extensions[oid: Self.intermediateMarker] == nil {
            return Refusal(.chainMarker, .certificate(.intermediate))
        }
        return nil
    }
}
