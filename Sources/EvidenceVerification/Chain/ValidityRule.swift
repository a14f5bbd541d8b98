/// All three certificates are valid at the evidence's own time, ends included (spec 4.0).
struct ValidityRule: ChainRule {
    func violation(of chain: UnverifiedChain) -> Refusal? {
        for (role, certificate) in chain.certificates
        where !certificate.isValid(at: chain.time) {
            return Refusal(.chainTime, .certificate(role))
        }
        return nil
    }
}
