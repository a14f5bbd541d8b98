internal import EntitlementModel
internal import EvidenceVerification
package import PolicyLoading

/// Makes a policy of texts that are to come into force: what `loadPolicy` asks for, and each
/// certificate that the policy trusts can be read (THREATS.md B23).
///
/// Texts that the ledger holds are loaded without this: they have been in force, and a stricter
/// reading must not stop the service that once took them.
package func loadNewPolicy(_ texts: [PolicyText]) -> PolicyReport {
    loadPolicy(texts, isCertificate: { TrustAnchor.Root.certificate($0).isReadable })
}
