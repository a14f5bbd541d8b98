/// All three certificates are valid at the evidence's own time, ends included (4-evidence.md).
struct ValidityRule: ChainRule {
    func violation(of chain: CandidateChain) -> Refusal? {
        for (role, certificate) in chain.certificates
        where !certificate.isValid(at: chain.time) {
            return Refusal(.chainTime, .certificate(role))
        }
        return nil
    }
}
