package import EntitlementModel
package import LedgerModel
internal import PolicyLoading

/// An engine whose ledger several nodes share: one writes, all of them answer (docs/FLEET.md).
extension EntitlementEngine {
    /// Whether this engine writes. Only a node of a fleet may not.
    package var leads: Bool { fleet?.leads ?? true }

    /// This node's part in its fleet; nil for a ledger of its own.
    package var fleet: FleetCondition? { sharedLedger?.fleet }

    /// Has the node that leads answer a call, as `answerPassedCalls` does there.
    ///
    /// - Throws: `ledger.not-leader` where none is known, `ledger.outcome-unknown` where it has
    ///   been passed on and no answer has come.
    package func passOn(_ call: [UInt8]) async throws(EngineError) -> [UInt8] {
        guard let sharedLedger else { preconditionFailure("only a fleet has other nodes") }
        try requireAdoption()
        do throws(LedgerError) {
            return try await sharedLedger.passOn(call)
        } catch {
            throw .ledger(error)
        }
    }

    /// Hands the newest entry that the database has to `tell`, once, on any thread; nil where it
    /// does not answer, or the ledger is no fleet's.
    package func askNewestRevision(_ tell: @escaping @Sendable (LedgerSequence?) -> Void) {
        guard let sharedLedger else { return tell(nil) }
        sharedLedger.askNewest(tell)
    }

    /// Lets another node lead, where this one does and its clock is not believed: one whose clock is
    /// right takes what this one has to turn away.
    package func resignForClock() { sharedLedger?.resign() }

    /// From now on answers the calls that other nodes pass on while this one leads.
    package func answerPassedCalls(_ answer: @escaping @Sendable ([UInt8]) async -> [UInt8]) {
        sharedLedger?.answerCalls(answer)
    }

    /// Takes in what other nodes write from now on, and what time drives while this one leads.
    func followFleet() {
        guard let ledger = sharedLedger else { return }
        ledger.watchChanges { [weak self] in self?.pass(on: $0) }
        ledger.watchLead { [weak self] leads in
            guard let self else { return }
            leads ? beginLead() : waitingRoom.empty()
        }
    }

    /// Everything that is in memory of what only the one who writes keeps is read once more.
    private func beginLead() {
        feed.forgetPolicies()
        waitingRoom.empty()
        // What cannot be read now is not asked about before the next lead.
        try? loadTickets()
        feedThread.wake()
        refundDesk.bell.ring()
        // Before anybody's write: one that cannot be recorded is tried again at the next lead.
        Task { try? await recordRules() }
    }

    /// Tells the followers of the feed what another node has told.
    private func pass(on numbers: ClosedRange<Int64>) {
        var last = numbers.lowerBound - 1
        while last < numbers.upperBound {
            let limit = Int(min(numbers.upperBound - last, 1_000))
            let run = try? ledger.reading { [last] reader throws(LedgerError) in
                try reader.changes(after: last, matching: ChangeFilter(), limit: limit)
            }
            guard let run, !run.changes.isEmpty else { return }
            last = run.last
            feed.followers.tell(run.changes)
        }
    }

    /// Takes in the entries that another node has written: the policies among them come into
    /// force, and what they touch is derived again. On the writer's thread, once they are in the
    /// file, so that nothing is judged before.
    ///
    /// Where that fails the revision stays, and nothing is answered or written here until it
    /// succeeds: what this node knows may be in force no more.
    func adoptEntries(through head: LedgerHead) {
        guard let sharedLedger else { return }
        adoption.inTurn {
            let before = revision
            guard before < head.sequence, !adoption.isOver else { return }
            do throws(EngineError) {
                try adopt(after: before, through: head)
                if !adoption.isGoingOn { sharedLedger.abstain(false) }
                adoption.end(with: nil)
            } catch {
                // Before anybody is told: the next thing that a node does may be to lead.
                sharedLedger.abstain(true)
                adoption.end(with: error)
            }
        }
    }

    private func adopt(
        after before: LedgerSequence, through head: LedgerHead
    ) throws(EngineError) {
        let news = try ledger.reading { reader throws(LedgerError) in
            try EntryNews(reader, after: before, through: head.sequence)
        }
        if let schedules = news.schedules { self.schedules.take(schedules) }
        guard news.activations.isEmpty else { return try adopt(news, at: head) }
        publish(touched: news.accounts, head: head.sequence)
    }

    private func adopt(_ news: EntryNews, at head: LedgerHead) throws(EngineError) {
        var history = policy.history
        for activation in news.activations {
            let texts = activation.value.files.map { PolicyText(path: $0.path, bytes: $0.bytes) }
            guard let policy = loadOldPolicy(texts) else {
                throw .policyHistoryUnreadable(activation.sequence)
            }
            history.activate(policy, at: activation.recordedAt)
        }
        active.commit(ActivePolicy(history))
        deriveAgain(cache.publishPolicyChange(head: head.sequence))
    }
}
