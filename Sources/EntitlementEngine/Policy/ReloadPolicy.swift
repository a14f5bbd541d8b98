internal import EntitlementModel
internal import PolicyLoading

extension EntitlementEngine {
    /// Reads the policy folder now and puts what it says into force; a folder with errors changes
    /// nothing, and one by which somebody may lose something waits (spec 2.6).
    ///
    /// - Parameter consent: of a person; nil to look again as the watch of the folder does.
    package func reloadPolicy(
        from folder: String, consent: PolicyConsent? = nil
    ) async throws(EngineError) -> PolicyActivationReport {
        let texts: [PolicyText]
        do throws(PolicyFolderError) {
            texts = try readPolicyFolder(folder)
        } catch {
            active.refuse(error.diagnostics)
            return .rejected(error.diagnostics)
        }
        let report = try await activate(texts, consent: consent ?? PolicyConsent(policyGuard))
        switch report {
        case .rejected(let diagnostics): active.refuse(diagnostics)
        case .waiting(let waiting): active.wait(waiting)
        case .unchanged: active.accept()
        case .activated: break
        }
        return report
    }
}
