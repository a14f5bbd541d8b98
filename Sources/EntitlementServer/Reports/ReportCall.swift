internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel

/// The calls of usher.sock that read (spec 3.1). They block.
struct ReportCall: Sendable {
    let engine: EntitlementEngine
    let path: OperationsPath
    let head: RequestHead
    let bytes: [UInt8]

    func answer() throws(Problem) -> ResponseDraft {
        var draft = ResponseDraft()
        var writer = AnswerWriter(reserving: 4_096)
        do {
            try append(to: &writer)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(.unavailable)
        }
        draft.body = writer.bytes
        return draft
    }

    private func append(to writer: inout AnswerWriter) throws {
        switch path.route {
        case .account: writer.append(try report())
        case .timeline: writer.append(timelineOf: try report())
        case .findings: writer.append(findingsOf: try report())
        case .catalogue: writer.append(try catalogue())
        case .explanation: writer.append(try explanation())
        case .claims:
            try requireWaitingOnly()
            writer.append(claims: try engine.questions.waitingClaims())
        case .preflight:
            guard head.bodyKind == .json else {
                throw Problem(.contentType, field: "Content-Type")
            }
            let request = try PreflightReader.read(Array(bytes[head.body]))
            writer.append(try engine.questions.preflight(request, at: engine.now()))
        default: preconditionFailure("only calls that read come here")
        }
    }

    private func report() throws -> AccountReport {
        let parameters = try QuestionParameters(head.query, in: bytes.span)
        let report = try engine.questions.report(
            on: try path.id(0, "account"), at: parameters.instant ?? engine.now(),
            in: parameters.statedEnvironment, through: parameters.appleID)
        try parameters.require(report.revision)
        return report
    }

    private func catalogue() throws -> CatalogueReport {
        let parameters = try QuestionParameters(head.query, in: bytes.span)
        let report = try engine.questions.catalogue(
            for: try path.id(0, "account"), in: parameters.environment, on: parameters.appleID,
            at: parameters.instant ?? engine.now())
        try parameters.require(report.revision)
        return report
    }

    private func explanation() throws -> Explanation {
        let parameters = try QuestionParameters(head.query, in: bytes.span)
        let key = RightKey(parameters.environment, try path.id(1, "entitlement"))
        let explanation = try engine.questions.explain(
            key, of: try path.id(0, "account"), at: parameters.instant ?? engine.now(),
            through: parameters.appleID)
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

/// Reads the body of `POST /v1/preflight`.
enum PreflightReader {
    static func read(_ bytes: [UInt8]) throws(Problem) -> PreflightRequest {
        let body = try RequestBody(
            bytes, knowing: ["account", "product", "environment", "apple_id"])
        return PreflightRequest(
            account: try body.id("account"), product: try body.id("product"),
            environment: try body.environment(), appleID: try body.idIfAny("apple_id"))
    }
}
