internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import StrictJSON

/// `POST /v1/evidence` and `POST /v1/notifications`.
struct EvidenceCall: Sendable {
    let engine: EntitlementEngine
    let status: ServiceStatus
    let peers: PeerBudget
    let room: EvidenceMemory
    let user: UInt32
    let language: Language

    /// One piece is answered 200 or, refused, 422; a list 200 with an answer for each piece.
    func answer(_ document: JSONValue) async throws(Problem) -> ResponseDraft {
        let evidence = try EvidenceReader.read(document)
        let submissions = evidence.pieces.compactMap { try? $0.get() }
        var reports = try await submit(submissions, in: .calls).makeIterator()
        var writer = EvidenceReportWriter(now: engine.now(), language: language)
        writer.beginAnswer(isList: evidence.isList)
        for piece in evidence.pieces {
            switch piece {
            case .failure(let problem): writer.append(problem)
            case .success:
                guard let report = reports.next() else {
                    preconditionFailure("the engine reports on every submission")
                }
                writer.append(report)
            }
        }
        return writer.endAnswer()
    }

    /// Any 200 tells Apple's side that it need not come again; a failing ledger is a 503.
    func answerNotification(_ body: [UInt8]) async throws(Problem) -> ResponseDraft {
        let reports = try await submit(
            [EvidenceSubmission(payload: body)], in: .notifications)
        var writer = EvidenceReportWriter(now: engine.now(), language: language)
        writer.beginAnswer(isList: false)
        for report in reports { writer.append(report) }
        return writer.endAnswer()
    }

    private func submit(
        _ submissions: [EvidenceSubmission], in lane: PeerBudget.Lane
    ) async throws(Problem) -> [SubmissionReport] {
        guard !submissions.isEmpty else { return [] }
        let called = engine.clock.now()
        guard room.hasTime || peers.isWithinBudget(user, in: lane, at: called) else {
            throw Problem(.tooMany)
        }
        let size = submissions.reduce(0) { $0 + $1.payload.count }
        let verified = await room.verify(size) { engine.verify(submissions) }
        peers.charge(verified.refusalNanoseconds, to: user, in: lane, at: engine.clock.now())
        let reports: [SubmissionReport]
        do {
            reports = try await engine.submit(verified)
        } catch {
            throw Problem(error)
        }
        for report in reports { status.count(report) }
        // What is of the future cannot be told by a clock that is not believed: it shall come
        // again.
        guard !engine.isClockBehind || !reports.contains(where: \.isOutOfTime) else {
            throw Problem(.clock)
        }
        return reports
    }
}

extension SubmissionReport {
    fileprivate var isOutOfTime: Bool {
        guard case .refused(let refusal) = self else { return false }
        return refusal.code == .chainTime
    }
}
