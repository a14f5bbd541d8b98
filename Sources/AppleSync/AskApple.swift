package import EntitlementEngine
package import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel
internal import StrictJSON

/// What one look into the queue has done.
package struct AppStoreStep: Sendable {
    /// How many attempts were made.
    package var attempts = 0
    /// Why the ledger did not take what Apple answered; the ticket waits on.
    package var error: EngineError?
    /// When to look again; nil while nothing waits.
    package var next: Instant?
}

extension EntitlementEngine {
    /// How many tickets are asked about side by side; the client has its own bounds.
    static let attemptsAtOnce = 8

    /// Asks Apple about what is due, and records what it says (spec 1.8). Does nothing, at no cost,
    /// while nothing is due or no client is configured. May be called by several at once: each
    /// ticket is judged once. Of a fleet, the node that leads asks.
    package func askApple() async -> AppStoreStep {
        var step = AppStoreStep()
        guard let appStore, leads else { return step }
        let begun = appStoreQueue.begin(at: now(), atMost: Self.attemptsAtOnce)
        step.attempts = begun.count
        step.error = await withTaskGroup(of: EngineError?.self) { tasks in
            for pending in begun {
                tasks.addTask { await self.attempt(pending, appStore) }
            }
            var first: EngineError?
            for await error in tasks { first = first ?? error }
            return first
        }
        step.next = appStoreQueue.wakesAt
        return step
    }

    private func attempt(
        _ pending: PendingTicket, _ appStore: any AppStoreServers
    ) async -> EngineError? {
        let result: AppStoreQueue.Result
        var failed: EngineError?
        do throws(AttemptError) {
            result = try await answer(pending, appStore)
        } catch {
            switch error {
            case .appStore(let failure): result = .failed(failure)
            case .engine(let error): (result, failed) = (.unrecorded, error)
            }
        }
        appStoreQueue.finish(pending.number, result, at: now())
        return failed
    }

    /// Asks, and closes the ticket with what was answered, or with why nothing ever will be.
    private func answer(
        _ pending: PendingTicket, _ appStore: any AppStoreServers
    ) async throws(AttemptError) -> AppStoreQueue.Result {
        do throws(AttemptError) {
            let answer = try await fetch(pending, appStore)
            let tickets = appStoreQueue.tickets(with: pending)
            try await recording { () throws(EngineError) in
                try await close(tickets, with: answer)
            }
            appStoreQueue.drop(tickets, by: pending)
            return .closed
        } catch .appStore(let failure) {
            let isFinal = pending.schedule.isFinal(failure, at: now())
            guard isFinal || pending.isGivenUp(after: failure, at: now()) else {
                return .failed(failure)
            }
            // A no is the answer to all who ask; whoever came later waits longer for one.
            let tickets = isFinal ? appStoreQueue.tickets(with: pending) : [pending]
            for one in tickets {
                let closing = TicketClosing(
                    ticket: one.number, outcome: isFinal ? .refused : .givenUp,
                    code: failure.closingCode, status: failure.code.map(Int64.init))
                try await recording { () throws(EngineError) in try await close(closing) }
            }
            appStoreQueue.drop(tickets, by: pending)
            return isFinal ? .closed : .givenUp(failure)
        }
    }
}

/// Why an attempt came to nothing.
enum AttemptError: Error {
    case appStore(AppStoreFailure)
    case engine(EngineError)
}

extension EntitlementEngine {
    private func fetch(
        _ pending: PendingTicket, _ appStore: any AppStoreServers
    ) async throws(AttemptError) -> [AnsweredEvidence] {
        let ticket = pending.ticket
        switch (ticket.form, ticket.transaction, ticket.evidence) {
        case (.receipt, _, let place?), (.oldReceipt, _, let place?):
            return try await fetchReceipt(at: place, for: pending, appStore)
        case (.transaction, let id?, _):
            return try await fetchHistory(of: id, for: ticket, appStore)
        case (.refresh, let id?, _):
            return try await fetchTransaction(id, for: ticket, appStore)
        case (.accountToken, let lineage?, _):
            guard let token = ticket.token, let environment = ticket.environment else {
                throw .appStore(AppStoreFailure(.rejected))
            }
            // Closed before anything newer is written, so that they are never written after it.
            for older in appStoreQueue.tokens(olderThan: pending) {
                try await recording { () throws(EngineError) in
                    try await close(.superseded(older))
                }
                appStoreQueue.drop(older)
            }
            try await asking { () throws(AppStoreFailure) in
                try await appStore.setAccountToken(token.text, for: lineage, in: environment)
            }
            return []
        default: throw .appStore(AppStoreFailure(.rejected))
        }
    }

    private func asking<Value: Sendable>(
        _ call: () async throws(AppStoreFailure) -> Value
    ) async throws(AttemptError) -> Value {
        do throws(AppStoreFailure) {
            return try await call()
        } catch {
            throw .appStore(error)
        }
    }

    private func recording<Value>(
        _ call: () async throws(EngineError) -> Value
    ) async throws(AttemptError) -> Value {
        do throws(EngineError) {
            return try await call()
        } catch {
            throw .engine(error)
        }
    }

    private func fetchReceipt(
        at place: LedgerSequence, for pending: PendingTicket,
        _ appStore: any AppStoreServers
    ) async throws(AttemptError) -> [AnsweredEvidence] {
        let entry = try await recording { () throws(EngineError) in
            try reading { reader throws(LedgerError) in try reader.entry(place) }
        }
        // Erased meanwhile: nobody can ask about it any more.
        guard case .evidence(let record)? = entry?.value, !record.bytes.isEmpty else {
            throw .appStore(AppStoreFailure(.rejected))
        }
        let fetched = try await asking { () throws(AppStoreFailure) in
            try await appStore.verifyReceipt(receiptText(record.bytes))
        }
        let body = fetched.statingEnvironment
        var verdict = policy.verifier.verifyAnswer(body, .fetched, at: now())
        // What one environment answers about another is no answer.
        if case .accepted(let evidence) = verdict, evidence.environment != fetched.environment {
            throw .appStore(AppStoreFailure(.badAnswer))
        }
        // Nor is what cannot be read: it says nothing of the receipt. What is of the future says that
        // one of two clocks is wrong.
        if case .refused(let refusal) = verdict, refusal.code.isOfForm || refusal.code == .chainTime
        {
            throw .appStore(AppStoreFailure(.badAnswer))
        }
        if pending.ticket.form == .receipt { verdict = try bound(verdict, to: record) }
        return [AnsweredEvidence(submission: EvidenceSubmission(payload: body), verdict: verdict)]
    }

    /// What Apple answers about a signed receipt is about the receipt's own environment.
    private func bound(
        _ verdict: EvidenceVerdict, to record: EvidenceRecord
    ) throws(AttemptError) -> EvidenceVerdict {
        guard case .accepted(let answer) = verdict,
            case .accepted(let receipt)? = policy.verifier.verifyAgain(record, recordedAt: now()),
            answer.environment != receipt.environment
        else { return verdict }
        throw .appStore(AppStoreFailure(.badAnswer))
    }
}

extension EntitlementEngine {
    /// Pages of a history that are read for one ticket, of 20 transactions each.
    static let mostPages = 1_000

    /// The transaction itself; before that, all that the same Apple ID bought, page by page, each
    /// recorded as it comes. Nobody claims it but the account that its token names: whoever can write
    /// an id down need not have bought anything (spec 1.8).
    private func fetchHistory(
        of id: TransactionID, for ticket: EvidenceTicket, _ appStore: any AppStoreServers
    ) async throws(AttemptError) -> [AnsweredEvidence] {
        let answer = try await fetchTransaction(id, for: ticket, appStore)
        guard let environment = answer.environment else { return answer }
        // What is there is not lost by what comes after it.
        try await recording { () throws(EngineError) in try await record(answer) }
        var revision: String?
        for _ in 0..<Self.mostPages {
            let page: FetchedHistory
            do throws(AttemptError) {
                page = try await asking { [revision] () throws(AppStoreFailure) in
                    try await appStore.history(of: id, in: environment, after: revision)
                }
            } catch .appStore(let failure) where failure.meaning == .final {
                return answer
            }
            guard page.environment == environment else {
                throw .appStore(AppStoreFailure(.badAnswer))
            }
            let pieces = page.signedTransactions.map { verify(answered: $0, as: .transaction) }
            try await recording { () throws(EngineError) in try await record(pieces) }
            guard page.hasMore else { return answer }
            // A page that leads nowhere, or back, would be asked for without an end.
            guard page.revision != revision, !page.signedTransactions.isEmpty else {
                throw .appStore(AppStoreFailure(.badAnswer))
            }
            revision = page.revision
        }
        throw .appStore(AppStoreFailure(.badAnswer))
    }

    /// The transaction as Apple signs it now, and what becomes of its subscription.
    private func fetchTransaction(
        _ id: TransactionID, for ticket: EvidenceTicket, _ appStore: any AppStoreServers
    ) async throws(AttemptError) -> [AnsweredEvidence] {
        let fetched = try await asking { () throws(AppStoreFailure) in
            try await appStore.transaction(id, in: ticket.environment)
        }
        let own = verify(answered: fetched.signedTransaction, as: .transaction)
        var answer = [own]
        if case .refused(let refusal) = own.verdict, refusal.code == .chainTime {
            throw .appStore(AppStoreFailure(.badAnswer))
        }
        guard case .accepted(let evidence) = own.verdict else { return answer }
        // Another transaction, or another environment's, is no answer.
        guard evidence.environment == fetched.environment,
            (ticket.environment ?? fetched.environment) == fetched.environment,
            evidence.transactions.allSatisfy({ $0.transactionID == id })
        else { throw .appStore(AppStoreFailure(.badAnswer)) }
        guard evidence.transactions.first?.kind == .known(.autoRenewable) else { return answer }
        let statuses: FetchedStatuses
        do throws(AttemptError) {
            statuses = try await asking { () throws(AppStoreFailure) in
                try await appStore.statuses(of: id, in: fetched.environment)
            }
        } catch .appStore(let failure) where failure.meaning == .final {
            return answer
        }
        guard statuses.environment == fetched.environment else {
            throw .appStore(AppStoreFailure(.badAnswer))
        }
        for item in statuses.items {
            answer.append(verify(answered: item.signedTransaction, as: .transaction))
            guard let renewal = item.signedRenewal else { continue }
            answer.append(verify(answered: renewal, as: .renewalInfo))
        }
        return answer
    }
}

/// A receipt as verifyReceipt takes it: base64 on one line.
private func receiptText(_ payload: [UInt8]) -> String {
    if payload.first == 0x30 { return Base64.standard.encode(payload) }
    return String(
        decoding: payload.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }, as: UTF8.self)
}

extension [AnsweredEvidence] {
    /// Of what the ticket is about; nil where that was not accepted.
    fileprivate var environment: StoreEnvironment? {
        guard case .accepted(let evidence)? = first?.verdict else { return nil }
        return evidence.environment
    }
}

extension VerificationRefusalCode {
    /// Whether an answer could not be read at all.
    fileprivate var isOfForm: Bool {
        switch self {
        case .inputEncoding, .inputTooLarge, .inputTooComplex, .inputKind, .inputID, .inputNumber,
            .inputDuplicateKey, .answerMalformed, .answerStatus:
            true
        default: false
        }
    }
}

extension FetchedReceipt {
    /// The answer, with the environment that it was fetched from where it says none, as the form of
    /// iOS 6 may: what is kept must say by itself what it is about.
    fileprivate var statingEnvironment: [UInt8] {
        let limits = JSONLimits(bytes: body.count, values: body.count)
        guard let answer = try? JSONDocument(body, limits: limits),
            answer.member("environment", of: .root) == nil,
            let brace = body.firstIndex(of: UInt8(ascii: "{"))
        else { return body }
        let member = "\"environment\":\"\(environment.signedName)\","
        return body[...brace] + Array(member.utf8) + body[(brace + 1)...]
    }
}
