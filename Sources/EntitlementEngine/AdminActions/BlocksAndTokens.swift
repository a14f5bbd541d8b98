package import EntitlementModel
internal import LedgerModel

extension EntitlementEngine {
    /// Blocks an account, or parts of it (spec 1.1).
    ///
    /// - Parameter id: the idempotency key of the caller.
    package func block(
        _ account: AccountID, scope: BlockScope = .everything, id: BlockID,
        _ cause: AdminActionCause
    ) async throws(EngineError) -> AdminActionReport<BlockRecord> {
        try await commit(calledAt: clock.now(), meant: cause.intent) {
            ledger throws(LedgerError) in
            try ledger.block(account, scope: scope, id: id, cause)
        }
    }

    /// Lifts one block; a lifted one stays as it is. If nothing blocks everything any more, the
    /// account gets what Apple has reported meanwhile (spec 1.6).
    package func liftBlock(
        _ id: BlockID, _ cause: AdminActionCause
    ) async throws(EngineError) -> AdminActionReport<BlockRecord> {
        try await commit(calledAt: clock.now(), meant: cause.intent) {
            ledger throws(LedgerError) in
            guard let known = try ledger.blockRecord(id) else {
                return (.rejected(.unknownBlock), [])
            }
            guard known.removal == nil else { return (.done(known), []) }
            return try ledger.lift(known.block, cause)
        }
    }

    /// Closes an account until it is reopened (spec 1.1); a closed one stays as it is.
    package func close(
        _ account: AccountID, id: BlockID, _ cause: AdminActionCause
    ) async throws(EngineError) -> AdminActionReport<BlockRecord> {
        try await commit(calledAt: clock.now(), meant: cause.intent) {
            ledger throws(LedgerError) in
            let account = ledger.policy.name(account)
            if let standing = try ledger.closures(of: account).first {
                return (.done(BlockRecord(block: standing, removal: nil)), [])
            }
            return try ledger.block(account, purpose: .closure, id: id, cause)
        }
    }

    /// Reopens a closed account, which then gets what Apple has reported meanwhile; one that waits
    /// to be erased is not erased then.
    package func reopen(
        _ account: AccountID, _ cause: AdminActionCause
    ) async throws(EngineError) -> AdminActionReport<BlockRecord> {
        try await commit(calledAt: clock.now(), meant: cause.intent) {
            ledger throws(LedgerError) in
            let closures = try ledger.closures(of: ledger.policy.name(account))
            guard let last = closures.last else { return (.rejected(.notClosed), []) }
            for closure in closures.dropLast() { _ = try ledger.lift(closure, cause) }
            return try ledger.lift(last, cause)
        }
    }
}

extension ActivePolicy {
    /// The first name that the policy in force lacks: a block on a misspelt right would have no
    /// effect.
    fileprivate func unknownName(in scope: BlockScope) -> AdminActionRejection? {
        scope.entitlements.lazy.compactMap(unknownEntitlement).first
            ?? scope.credits.lazy.compactMap(unknownCredit).first
    }

    /// Nil for one of the policy in force.
    func unknownEntitlement(_ name: EntitlementName) -> AdminActionRejection? {
        let known = history.current.entitlements
        guard known[name] == nil else { return nil }
        return .unknownGift(
            name: name.text,
            nearest: suggestion(for: name.text, among: known.keys.map(\.text).sorted()))
    }

    /// Nil for one of the policy in force.
    func unknownCredit(_ name: CreditName) -> AdminActionRejection? {
        let known = history.current.credits
        guard known[name] == nil else { return nil }
        return .unknownGift(
            name: name.text,
            nearest: suggestion(for: name.text, among: known.keys.map(\.text).sorted()))
    }
}

extension EngineTransaction {
    func block(
        _ account: AccountID, scope: BlockScope = .everything, purpose: Block.Purpose = .stop,
        id: BlockID, _ cause: AdminActionCause
    ) throws(LedgerError) -> (value: AdminActionReport<BlockRecord>, touched: Set<AccountID>) {
        let account = policy.name(account)
        let key = IdempotencyKey(id: id, cause: cause)
        let (id, known) = try key.look(blockRecord) { $0.block.value.actor }
        if let known {
            let isSame =
                policy.name(known.block.value.account) == account
                && known.block.value.scope == scope && known.block.value.purpose == purpose
            return (isSame ? .done(known) : .rejected(.conflict), [])
        }
        if let into = try mergedInto(account) {
            return (.rejected(.merged(into: into)), [])
        }
        if let unknown = policy.unknownName(in: scope) {
            return (.rejected(unknown), [])
        }
        let block = Block(
            id: id, account: account, scope: scope, purpose: purpose, actor: cause.actor,
            reason: cause.reason)
        let recorded = try append(block, as: .block(block))
        return (.done(BlockRecord(block: recorded, removal: nil)), [account])
    }

    /// Ends a block that stands.
    fileprivate func lift(
        _ block: Recorded<Block>, _ cause: AdminActionCause
    ) throws(LedgerError) -> (value: AdminActionReport<BlockRecord>, touched: Set<AccountID>) {
        let account = block.value.account
        let removal = BlockRemoval(
            block: block.value.id, account: account, actor: cause.actor, reason: cause.reason)
        let recorded = try append(removal, as: .blockRemoval(removal))
        var touched: Set<AccountID> = [account]
        if block.value.scope.isEverything {
            touched.formUnion(try claimWhatWaits(for: account, by: cause.actor))
        }
        return (.done(BlockRecord(block: block, removal: recorded)), touched)
    }

    /// The blocks by which an account is closed.
    func closures(of account: AccountID) throws(LedgerError) -> [Recorded<Block>] {
        let facts = try transaction.facts(
            naming: account, of: [.block, .blockRemoval], after: .zero)
        return facts.blocks.filter { block in
            block.value.purpose.closes
                && !facts.blockRemovals.contains { $0.value.block == block.value.id }
        }
    }

    fileprivate func blockRecord(_ id: BlockID) throws(LedgerError) -> BlockRecord? {
        guard let place = try transaction.sequence(of: id),
            let entry = try transaction.entry(place), case .block(let block) = entry.value
        else { return nil }
        let removals = try transaction.facts(
            naming: block.account, of: [.blockRemoval], after: place
        ).blockRemovals
        return BlockRecord(
            block: entry.with(block), removal: removals.first { $0.value.block == id })
    }
}

extension EntitlementEngine {
    /// Says which account an appAccountToken means (spec 1.6), and judges what waited for that. A
    /// token means one account: naming another one for it is rejected, also where the token is the
    /// id of an account.
    package func register(
        _ token: AppAccountToken, for account: AccountID, _ cause: AdminActionCause
    ) async throws(EngineError) -> AdminActionReport<Recorded<AccountTokenRegistration>> {
        try await commit(calledAt: clock.now(), meant: cause.intent) {
            ledger throws(LedgerError) in
            let account = ledger.policy.name(account)
            if let known = try ledger.transaction.accountTokens(token).last {
                let registered = ledger.policy.name(known.value.account)
                let isSame = try [registered, ledger.standing(for: registered)].contains(account)
                return (isSame ? .done(known) : .rejected(.tokenTaken), [])
            }
            guard try !ledger.isOfAnother(token, than: account) else {
                return (.rejected(.tokenTaken), [])
            }
            if let into = try ledger.mergedInto(account) {
                return (.rejected(.merged(into: into)), [])
            }
            let registration = AccountTokenRegistration(
                token: token, account: account, actor: cause.actor, reason: cause.reason)
            let recorded = try ledger.append(registration, as: .accountToken(registration))
            let lineages = try ledger.transaction.lineages(withToken: token)
            let touched = try ledger.claimWhatWaits(for: account, by: cause.actor)
                .union(ledger.transaction.accountsConcerned(byLineages: lineages))
            return (.done(recorded), touched.union([account]))
        }
    }
}

extension EngineTransaction {
    /// Whether the token is the id of an account that exists, and is not this one.
    fileprivate func isOfAnother(
        _ token: AppAccountToken, than account: AccountID
    ) throws(LedgerError) -> Bool {
        guard AppAccountToken(account.text) != token else { return false }
        for other in token.accounts where try transaction.knows(other) { return true }
        return false
    }
}
