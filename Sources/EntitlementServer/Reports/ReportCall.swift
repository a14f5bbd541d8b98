internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel

/// The calls of usher.sock that read (spec 3.1). They block.
struct ReportCall: Sendable {
    let engine: EntitlementEngine
    let path: OperationsPath
    let head: RequestHead
    let bytes: [UInt8]

    /// What the caller has seen already: nothing older is an answer.
    var minimumRevision: LedgerSequence {
        get throws(Problem) {
            guard ![.claims, .allFindings].contains(path.route) else { return .zero }
            return try QuestionParameters(head.query, in: bytes.span).minimumRevision
        }
    }

    func answer() throws(Problem) -> ResponseDraft {
        var writer = AnswerWriter(reserving: 4_096)
        switch path.route {
        case .account: writer.append(try report())
        case .timeline: writer.append(timelineOf: try report())
        case .findings: writer.append(findingsOf: try report())
        case .allFindings: writer.append(try allFindings())
        case .catalogue: writer.append(try catalogue())
        case .explanation: writer.append(try explanation())
        case .claims:
            try requireWaitingOnly()
            writer.append(
                claims: try asking { questions throws(EngineError) in
                    try questions.waitingClaims()
                })
        default: preconditionFailure("only calls that read come here")
        }
        return ResponseDraft(writer)
    }

    private func asking<Answer>(
        _ question: (LedgerQuestions) throws(EngineError) -> Answer
    ) throws(Problem) -> Answer {
        do throws(EngineError) {
            return try question(engine.questions)
        } catch {
            throw Problem(error)
        }
    }

    private func report() throws(Problem) -> AccountReport {
        let parameters = try QuestionParameters(head.query, in: bytes.span)
        let account: AccountID = try path.id(0, "account")
        let report = try asking { questions throws(EngineError) in
            try questions.report(
                on: account, at: parameters.instant ?? engine.now(),
                in: parameters.statedEnvironment, through: parameters.appleID)
        }
        try parameters.require(report.revision)
        return report
    }

    private func allFindings() throws(Problem) -> FindingPage {
        let parameters = try FindingParameters(head.query, in: bytes.span)
        do throws(EngineError) {
            return try engine.findings(
                of: parameters.kind, after: parameters.place, at: engine.now(),
                limit: parameters.limit)
        } catch {
            throw Problem(error)
        }
    }

    private func catalogue() throws(Problem) -> CatalogueReport {
        let parameters = try QuestionParameters(head.query, in: bytes.span)
        let account: AccountID = try path.id(0, "account")
        let report = try asking { questions throws(EngineError) in
            try questions.catalogue(
                for: account, in: parameters.environment, on: parameters.appleID,
                at: parameters.instant ?? engine.now())
        }
        try parameters.require(report.revision)
        return report
    }

    private func explanation() throws(Problem) -> Explanation {
        let parameters = try QuestionParameters(head.query, in: bytes.span)
        let key = RightKey(parameters.environment, try path.id(1, "entitlement"))
        let account: AccountID = try path.id(0, "account")
        let explanation = try asking { questions throws(EngineError) in
            try questions.explain(
                key, of: account, at: parameters.instant ?? engine.now(),
                through: parameters.appleID)
        }
        try parameters.require(explanation.answer.revision)
        return explanation
    }

    /// No other list of claims is kept.
    private func requireWaitingOnly() throws(Problem) {
        guard let query = head.query else { return }
        guard bytes.span.equals("state=waiting", in: query) else {
            throw Problem(.unknownParameter, field: "query")
        }
    }
}
