internal import LedgerStore
internal import PolicyLoading

extension EntitlementEngine {
    /// Writes a complete, checked copy of the ledger; it is on the disk when this returns.
    /// Blocks.
    package func backUp(to path: String) throws(EngineError) {
        do {
            try ledger.reader.backup(to: path)
        } catch {
            throw .ledger(error)
        }
    }

    /// Removes what backups into the folder have left that were interrupted; `isOwn` knows the
    /// names that those would have got. Not while any is under way.
    package static func removeInterruptedBackups(
        in folder: String, named isOwn: (Substring) -> Bool
    ) {
        InterruptedCopies.remove(in: folder, where: isOwn)
    }

    /// Reads the policy folder and puts what it says into force; a folder with errors changes
    /// nothing (spec 2.6).
    package func reloadPolicy(
        from folder: String
    ) async throws(EngineError) -> PolicyActivationReport {
        let texts: [PolicyText]
        do throws(PolicyFolderError) {
            texts = try readPolicyFolder(folder)
        } catch {
            active.refuse(error.diagnostics)
            return .refused(error.diagnostics)
        }
        let report = try await activate(texts)
        switch report {
        case .refused(let diagnostics): active.refuse(diagnostics)
        case .activated, .unchanged: active.accept()
        }
        return report
    }
}
