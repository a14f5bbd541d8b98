internal import EntitlementAnswers
internal import EntitlementModel
internal import Glibc
package import LedgerModel
package import PolicyLoading

/// What an engine is opened with.
package struct EngineOptions: Sendable {
    package var ledger: any LedgerLocation
    package var policyTexts: [PolicyText]
    /// Why the policy folder could not be read; empty where it was.
    package var folderErrors: [Diagnostic] = []
    package var policyGuard = PolicyGuard.refuse
    /// Whether the start itself counts the accounts that lose something by the texts, which may
    /// take long; otherwise the texts wait for the folder's job.
    package var countsLossesAtStart = true
    package var clock: any EngineClock
    package var processorClock: any ProcessorClock = ThreadClock()
    /// A JWS signed longer ago than this is looked up at Apple when it brings something new; nil
    /// for never. Milliseconds.
    package var refreshAge: Int64?
    /// Whether the engine answers Apple's refund requests; otherwise a person has to.
    package var sendsRefundAnswers = true
    /// How many accounts are kept in memory at most: about 0.7 kB each where
    /// there are eight transactions (`scripts/bench`).
    package var accountsInMemory: Int
    /// How many lots, holds and future changes of accounts that spend are kept in memory at most:
    /// about 0.3 kB each. With zero, what an account can spend is derived for each spend.
    package var creditsInMemory = 65_536
    /// Apple's servers; nil where they are not to be asked.
    package var appStore: (any AppStoreServers)?
    /// By which what was erased is known again; without one nothing is erased.
    package var privacyKey: PrivacyKey?

    package init(
        ledger: any LedgerLocation, policyTexts: [PolicyText],
        clock: any EngineClock = SystemClock(), accountsInMemory: Int = 2_000_000
    ) {
        self.ledger = ledger
        self.policyTexts = policyTexts
        self.clock = clock
        self.accountsInMemory = accountsInMemory
    }

    /// Sixteen salts for a ledger, of the system's random source, in one call to it.
    @Sendable
    package static func randomSalts() -> [UInt8] {
        // The most bytes that the system returns in one piece.
        [UInt8](unsafeUninitializedCapacity: 256) { room, count in
            guard getentropy(room.baseAddress, room.count) == 0 else {
                preconditionFailure("the system has a random source")
            }
            count = room.count
        }
    }
}

extension EntitlementEngine {
    /// Opens the ledger, creating it if there is none, and puts the policy into force.
    ///
    /// A policy that differs from the one last in force is recorded with its full text before the
    /// first question is answered by it. One with errors, or by which an account may lose something
    /// without consent, leaves the ledger's last policy in force (spec 2.6).
    /// - Throws: `.policyRejected` if the texts have errors and the ledger has no policy; a ledger
    ///   is not made then.
    package static func open(
        _ options: EngineOptions
    ) async throws(EngineError) -> EntitlementEngine {
        let report =
            options.folderErrors.isEmpty
            ? loadNewPolicy(options.policyTexts)
            : PolicyReport(policy: nil, diagnostics: options.folderErrors)
        if report.policy == nil, options.ledger.isVacant {
            throw .policyRejected(report.diagnostics)
        }
        let ledger: any Ledger
        do {
            ledger = try options.ledger.open()
        } catch {
            throw .ledger(error)
        }
        do throws(EngineError) {
            return try await open(ledger, report, options)
        } catch {
            // The first error is reported.
            try? ledger.close()
            throw error
        }
    }

    private static func open(
        _ ledger: any Ledger, _ report: PolicyReport, _ options: EngineOptions
    ) async throws(EngineError) -> EntitlementEngine {
        // One view: entries that other nodes write meanwhile are adopted after it.
        let (activations, schedules, head) = try ledger.reading { reader throws(LedgerError) in
            (
                try reader.policyActivations(), try PolicySchedules(recordedIn: reader),
                try reader.head()
            )
        }
        let known = try PolicyHistory(activations)
        let beginning: Beginning
        if let fleet = (ledger as? any FleetLedger)?.fleet, !fleet.leads {
            // Its policies are those of the one that leads.
            guard let known else { throw .noPolicy }
            beginning = Beginning(history: known)
        } else if let known, report.policy != nil, schedules.isDue(at: options.clock.now()) {
            // A due schedule comes first; then the folder is read (spec 2.6).
            beginning = Beginning(history: known)
        } else if let policy = report.policy {
            beginning = try await record(
                IncomingPolicy(
                    policy: policy, texts: options.policyTexts, acceptance: report.acceptance,
                    consent: PolicyConsent(options.policyGuard),
                    heldBack: try ledger.reading { reader throws(LedgerError) in
                        try reader.policyStack().heldBack(
                            policy.digest, inFleet: ledger is any FleetLedger)
                    }),
                after: known, options, in: ledger)
        } else {
            guard let known else { throw .policyRejected(report.diagnostics) }
            beginning = Beginning(history: known)
        }
        let engine = EntitlementEngine(
            ledger: ledger, policy: ActivePolicy(beginning.history),
            head: beginning.head ?? head, lossesAtStart: beginning.losses, options: options)
        engine.schedules.take(schedules)
        if engine.leads { try await engine.recordRules() }
        if report.policy == nil { engine.active.refuse(report.diagnostics) }
        if let waiting = beginning.waiting { engine.active.wait(waiting) }
        // Of a fleet, what waits is in the queue of the node that leads.
        if engine.leads { try engine.loadTickets() }
        engine.adoptWhatIsThere()
        return engine
    }

    /// The state that a start begins with.
    private struct Beginning {
        var history: PolicyHistory
        var waiting: WaitingPolicy?
        var losses: [PolicyLoss] = []
        /// The head after the policy that the start has recorded, if it has.
        var head: LedgerHead?
    }

    private static func record(
        _ incoming: IncomingPolicy, after known: PolicyHistory?, _ options: EngineOptions,
        in ledger: any Ledger
    ) async throws(EngineError) -> Beginning {
        let now = options.clock.now()
        var entry = PolicyActivation(incoming.policy, texts: incoming.texts)
        var losses: [PolicyLoss] = []
        if let known {
            if known.current.digest == incoming.policy.digest { return Beginning(history: known) }
            var verdict = incoming.verdict(replacing: known.current)
            if case .depends = verdict, options.countsLossesAtStart {
                let impact = try LedgerQuestions(ledger).impact(of: incoming.policy, at: now)
                verdict = incoming.verdict(replacing: known.current, losing: impact?.losingEver)
            }
            switch verdict {
            case .waits(let waiting), .depends(let waiting):
                return Beginning(history: known, waiting: waiting)
            case .allowed(let allowed, let lost): (entry, losses) = (allowed, lost)
            }
        }
        let activation = entry
        let head = try await ledger.writing(
            { transaction throws(LedgerError) in
                _ = try transaction.append(.policyActivation(activation), at: now)
                return try transaction.head()
            }, committed: { _, _ in })
        guard var history = known else {
            let first = PolicyHistory.Activation(
                policy: incoming.policy, activatedAt: head.recordedAt)
            return Beginning(history: PolicyHistory(first), head: head)
        }
        history.activate(incoming.policy, at: head.recordedAt)
        return Beginning(history: history, losses: losses, head: head)
    }
}
