internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import StrictJSON

/// `POST /v1/evidence` and `POST /v1/notifications`.
struct EvidenceCall: Sendable {
    let engine: EntitlementEngine
    let status: ServiceStatus
    let peers: PeerBudget
    let evidenceMemory: EvidenceMemory
    let caller: Caller
    let language: Language
    let intent: ActionIntent
    /// Reads tickets on a thread that may block.
    let tickets:
        @Sendable ([LedgerSequence]) async throws(Problem) -> [LedgerSequence: TicketAnswer]

    /// Pieces of one list.
    static let pieceLimit = 1_000

    /// One piece is answered 200 or, refused, 422; a list 200 with an answer for each piece.
    func answer(_ call: OperationsCall, depth: Int) async throws(Problem) -> ResponseDraft {
        let size = call.head.body.count
        let document = try await admitted(size, in: .calls) {
            Result { () throws(Problem) in try call.json(depth: depth) }
        } cost: { _ in
            0
        }.get()
        guard let list = document.elements else {
            let submission = try submission(document)
            return try await draft(try await submit([submission], in: .calls))
        }
        guard list.count <= Self.pieceLimit else { throw Problem(.tooLarge) }
        let pieces = list.map { element in
            Result { () throws(Problem) in try submission(element) }
        }
        let submissions = pieces.compactMap { try? $0.get() }
        let judged = try await submit(submissions, in: .calls)
        guard intent.acts else { return ResponseDraft() }
        let tickets = try await tickets(judged.compactMap(\.awaitedTicket))
        var reports = judged.makeIterator()
        let now = engine.now()
        var writer = JSONWriter(reservingCapacity: 2_048)
        writer.beginArray()
        for piece in pieces {
            switch piece {
            case .failure(let problem): problem.answer(in: language).write(to: &writer)
            case .success:
                guard let report = reports.next() else {
                    preconditionFailure("the engine reports on every submission")
                }
                write(report, tickets, at: now, to: &writer)
            }
        }
        writer.endArray()
        var draft = ResponseDraft()
        draft.body = writer.bytes
        return draft
    }

    /// A 200 tells Apple not to send it again; a failing ledger is a 503. Anything that is not a
    /// notification is refused: its sender would think it accepted.
    func answerNotification(_ body: [UInt8]) async throws(Problem) -> ResponseDraft {
        try await draft(
            try await submit(
                [EvidenceSubmission(payload: body, kind: .notification)], in: .notifications))
    }

    private func submission(_ element: JSONValue) throws(Problem) -> EvidenceSubmission {
        var submission = try EvidenceSubmission(element, from: caller)
        submission.user = caller.counted
        return submission
    }

    /// One of a list.
    private func write(
        _ report: SubmissionReport, _ tickets: [LedgerSequence: TicketAnswer], at now: Instant,
        to writer: inout JSONWriter
    ) {
        if let number = report.awaitedTicket {
            waiting(tickets[number], report, at: now).write(to: &writer)
            return
        }
        switch report {
        case .refused(let refusal): problem(refusal).write(to: &writer)
        case .unanswerable(let why): Problem(why).answer(in: language).write(to: &writer)
        case .judged(let judged): EvidenceAnswer(judged, at: now).write(to: &writer)
        case .waiting: preconditionFailure("what waits has a ticket")
        }
    }

    private func waiting(
        _ ticket: TicketAnswer?, _ report: SubmissionReport, at now: Instant
    ) -> WaitingEvidence {
        guard let ticket else { preconditionFailure("a ticket is recorded before it is answered") }
        guard case .judged(let judged) = report else {
            return WaitingEvidence(ticket: ticket, judged: nil)
        }
        return WaitingEvidence(ticket: ticket, judged: EvidenceAnswer(judged, at: now))
    }

    private func draft(_ reports: [SubmissionReport]) async throws(Problem) -> ResponseDraft {
        guard let report = reports.first else {
            preconditionFailure("the engine reports on every submission")
        }
        // Its effect is the answer; and no ticket of it is in the ledger.
        let isPreview = !intent.acts && !report.isRejected
        if isPreview { return ResponseDraft() }
        if let number = report.awaitedTicket {
            let ticket = try await tickets([number])[number]
            var draft = ResponseDraft(waiting(ticket, report, at: engine.now()))
            draft.status = .accepted
            return draft
        }
        switch report {
        case .unanswerable(let why): throw Problem(why)
        case .judged(let judged): return ResponseDraft(EvidenceAnswer(judged, at: engine.now()))
        case .waiting: preconditionFailure("what waits has a ticket")
        case .refused(let refusal):
            var draft = ResponseDraft(problem(refusal))
            draft.status = .unprocessable
            draft.mediaType = .problem
            return draft
        }
    }

    /// A refusal is a problem with a code of spec 4.2; never the evidence, only its digest.
    private func problem(_ refusal: VerificationRefusal) -> ProblemAnswer {
        ProblemAnswer(
            title: "\(HTTPStatus.unprocessable.phrase)", status: 422,
            code: refusal.code.rawValue,
            detail: refusal.text(language),
            evidence: refusal.digest)
    }

    private func submit(
        _ submissions: [EvidenceSubmission], in lane: PeerBudget.Lane
    ) async throws(Problem) -> [SubmissionReport] {
        guard !submissions.isEmpty else { return [] }
        let size = submissions.reduce(0) { $0 + $1.payload.count }
        let verified = try await admitted(size, in: lane) {
            engine.verify(submissions)
        } cost: {
            $0.refusalNanoseconds
        }
        let reports: [SubmissionReport]
        do {
            reports = try await engine.submit(verified, meant: intent)
        } catch {
            throw Problem(error)
        }
        if intent.acts { for report in reports { status.count(report) } }
        // If the local clock is not trusted, evidence from the future is rejected as retryable.
        guard !engine.isClockBehind || !reports.contains(where: \.isOutOfTime) else {
            engine.resignForClock()
            throw Problem(.clock)
        }
        return reports
    }
}

/// Who is admitted, and at what price.
extension EvidenceCall {
    /// What reading a byte may take, whatever it is, before anything in it is verified (spec 4.0):
    /// 50 ms for two mebibytes.
    private static let nanosecondsOfByte: Int64 = 24

    /// Runs work on unverified bytes, in its turn. Its maximum cost is charged before, so that
    /// concurrent calls see it, and corrected afterwards to what was wasted.
    private func admitted<Result: Sendable>(
        _ bytes: Int, in lane: PeerBudget.Lane, _ work: @escaping @Sendable () -> Result,
        cost: (Result) -> Int64
    ) async throws(Problem) -> Result {
        let called = engine.clock.now()
        let user = caller.counted
        guard evidenceMemory.hasTime || peers.isWithinBudget(user, in: lane, at: called) else {
            throw Problem(.tooMany)
        }
        let most = Int64(bytes) * Self.nanosecondsOfByte
        peers.charge(most, to: user, in: lane, at: called)
        let result = await evidenceMemory.verify(bytes, work)
        peers.charge(cost(result) - most, to: user, in: lane, at: engine.clock.now())
        return result
    }
}

extension Problem {
    fileprivate init(_ why: WhyUnanswerable) {
        switch why {
        case .notConfigured: self.init(.appStoreNotConfigured, field: "verify")
        case .tooManyWaiting: self.init(ProblemCode.tooManyWaiting)
        }
    }
}

extension SubmissionReport {
    fileprivate var isRejected: Bool {
        switch self {
        case .refused, .unanswerable: true
        case .judged, .waiting: false
        }
    }

    /// The ticket of evidence that waits for Apple at the caller's request.
    fileprivate var awaitedTicket: LedgerSequence? {
        switch self {
        case .waiting(let ticket): ticket
        case .judged(let judged): judged.awaitedTicket
        case .refused, .unanswerable: nil
        }
    }

    fileprivate var isOutOfTime: Bool {
        guard case .refused(let refusal) = self else { return false }
        return refusal.code == .chainTime
    }
}

extension EvidenceSubmission {
    /// One piece of evidence of a body. Unsigned evidence is accepted from administrators only.
    fileprivate init(_ value: JSONValue, from caller: Caller) throws(Problem) {
        let body: EvidenceBody
        do {
            body = try EvidenceBody.readStrictly(value)
        } catch {
            throw Problem(error)
        }
        let isImported = body.imported ?? false
        guard !isImported || caller.may(.admin) else { throw Problem(.role, field: "imported") }
        self.init(
            payload: Array(body.payload.wireText.utf8), account: body.account,
            moment: body.moment, order: body.order, isImported: isImported,
            asksApple: body.verify == .remote)
        environment = body.environment
    }
}

extension EvidenceAnswer {
    fileprivate init(_ judged: JudgedSubmission, at now: Instant) {
        let environment = judged.transactions.first?.transaction.environment ?? .production
        self.init(
            kind: judged.kind, revision: judged.revision,
            transactions: judged.transactions.map(TransactionAnswer.init),
            quarantined: judged.quarantined.map { part in
                QuarantineAnswer(
                    code: part.code.rawValue, field: part.field,
                    text: Title(english: part.text(.english), chinese: part.text(.chinese)),
                    transaction: part.transaction?.transactionID)
            },
            orderProblem: judged.orderProblem?.rawValue,
            isAccountUnused: judged.isAccountUnused, mergedInto: judged.mergedInto,
            account: judged.packed?.account,
            entitlements: judged.packed.map { packed in
                var writer = AnswerWriter(reserving: 2_048)
                writer.append(
                    list: packed.answers(in: environment, at: now, revision: judged.revision))
                return WrittenList(json: writer.bytes)
            })
        ticket = judged.ticket
        isAppleNotAsked = judged.isAppleNotAsked
    }
}

extension TransactionAnswer {
    fileprivate init(_ report: TransactionReport) {
        let (verdict, code): (Verdict, ClaimDenial?) =
            switch report.standing {
            case .owned: (.owned, nil)
            case .denied(let denial): (.denied, denial)
            case .recorded: (.recorded, nil)
            }
        self.init(
            report.transaction, lineage: report.lineage, product: report.product,
            verdict: verdict, code: code, rule: report.rule, owners: report.owners,
            finish: report.finish, order: report.order)
    }
}
