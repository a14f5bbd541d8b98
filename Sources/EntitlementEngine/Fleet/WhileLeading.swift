package import LedgerModel

/// What time drives, on the node that leads only (docs/FLEET.md).
extension EntitlementEngine {
    /// Which lead of this node it is; nil while another node leads. On a ledger of its own it is
    /// always the same.
    private var lead: Int64? {
        guard let fleet else { return 0 }
        return fleet.leads ? fleet.epoch : nil
    }

    /// Does `work` whenever this node begins to lead, and `rest` whenever it does not any more, until
    /// the task is cancelled. Each is cancelled when the other's time has come, and ends before that
    /// begins.
    package func whileLeading(
        _ work: @escaping @Sendable () async -> Void,
        elsewhere rest: @escaping @Sendable () async -> Void = {}
    ) async {
        while !Task.isCancelled {
            let begun = lead
            await withTaskGroup(of: Void.self) { tasks in
                tasks.addTask { await begun == nil ? rest() : work() }
                while !Task.isCancelled, lead == begun {
                    try? await Task.sleep(for: fleet == nil ? .seconds(3_600) : .milliseconds(50))
                }
                tasks.cancelAll()
            }
        }
    }

    /// What the nodes of a fleet share beside the ledger; nil where it is this node's alone.
    ///
    /// - Parameter before: as `FleetLedger.journal` has it.
    package func sharedJournal(
        _ journal: SharedJournal, before: (any JournalStore)? = nil
    ) -> (any ReconciliationStore)? {
        sharedLedger?.journal(journal, before: before)
    }
}
