internal import EntitlementDerivation
package import EntitlementModel
package import EvidenceVerification

/// The policy in force with everything that is made from it, so that whoever holds one answers
/// by one policy only.
package struct ActivePolicy: Sendable {
    package let history: PolicyHistory
    package let verifier: EvidenceVerifier

    package init(_ history: PolicyHistory) {
        self.history = history
        verifier = EvidenceVerifier(VerificationSettings(policy: history.current))
    }

    package var digest: Digest256 { history.current.digest }

    func view(of account: AccountID, facts: FactSet) -> AccountView {
        AccountView(
            timeline: deriveAccount(account, policies: history, facts: facts),
            policy: history.current)
    }

    func view(ofAppleIDHolding lineage: LineageKey, facts: FactSet) -> AppleIDView? {
        deriveAppleID(holding: lineage, policies: history, facts: facts)
            .map { AppleIDView(timeline: $0, policy: history.current) }
    }
}
