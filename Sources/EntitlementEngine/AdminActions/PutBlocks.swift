package import EntitlementModel
internal import LedgerStore

extension EntitlementEngine {
    /// Stops an account (spec 1.1).
    ///
    /// - Parameter id: the idempotency key of whoever asks.
    package func block(
        _ account: AccountID, id: BlockID, _ cause: AdminActionCause
    ) async throws(EngineError) -> AdminActionReport<BlockRecord> {
        try await commit(calledAt: clock.now()) { ledger throws(LedgerStoreError) in
            let account = ledger.policy.name(account)
            let key = IdempotencyKey(id: id, actor: cause.actor)
            let (id, known) = try key.look(ledger.blockRecord) { $0.block.value.actor }
            if let known {
                let isSame = ledger.policy.name(known.block.value.account) == account
                return (isSame ? .done(known) : .rejected(.conflict), [])
            }
            let block = Block(
                id: id, account: account, actor: cause.actor, reason: cause.reason)
            let recorded = try ledger.append(block, as: .block(block))
            return (.done(BlockRecord(block: recorded, removal: nil)), [account])
        }
    }

    /// Lifts one block; one that is lifted already stays as it is.
    package func liftBlock(
        _ id: BlockID, _ cause: AdminActionCause
    ) async throws(EngineError) -> AdminActionReport<BlockRecord> {
        try await commit(calledAt: clock.now()) { ledger throws(LedgerStoreError) in
            guard let known = try ledger.blockRecord(id) else {
                return (.rejected(.unknownBlock), [])
            }
            guard known.removal == nil else { return (.done(known), []) }
            let account = known.block.value.account
            let removal = BlockRemoval(
                block: id, account: account, actor: cause.actor, reason: cause.reason)
            let recorded = try ledger.append(removal, as: .blockRemoval(removal))
            return (.done(BlockRecord(block: known.block, removal: recorded)), [account])
        }
    }
}

extension EngineTransaction {
    fileprivate func blockRecord(_ id: BlockID) throws(LedgerStoreError) -> BlockRecord? {
        guard let place = try transaction.sequence(of: id),
            case .block(let block)? = try transaction.entry(place)?.value
        else { return nil }
        let facts = try transaction.facts(forAccount: block.account)
        return facts.blockRecords(of: block.account).first { $0.block.value.id == id }
    }
}
