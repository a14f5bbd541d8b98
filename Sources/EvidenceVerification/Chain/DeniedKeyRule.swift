internal import EntitlementModel

/// The leaf's key is not on the list of keys that leaked.
struct DeniedKeyRule: ChainRule {
    /// SHA-256 of SubjectPublicKeyInfos.
    let denied: Set<Digest256>

    func violation(of chain: UnverifiedChain) -> Refusal? {
        guard !denied.isEmpty, denied.contains(sha256(chain.leaf.publicKeyInfo)) else {
            return nil
        }
        return Refusal(.chainDenied, .certificate(.leaf))
    }
}
