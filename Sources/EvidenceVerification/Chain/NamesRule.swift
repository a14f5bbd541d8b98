/// Each certificate names the next as its issuer (RFC 5280, 6.1.3).
struct NamesRule: ChainRule {
    func violation(of chain: UnverifiedChain) -> Refusal? {
        if chain.leaf.issuer != chain.intermediate.subject {
            return Refusal(.chainConstraint, .certificate(.leaf))
        }
        if chain.intermediate.issuer != chain.root.subject {
            return Refusal(.chainConstraint, .certificate(.intermediate))
        }
        return nil
    }
}
