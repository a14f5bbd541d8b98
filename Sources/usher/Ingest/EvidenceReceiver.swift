internal import EntitlementAnswers
internal import EntitlementModel
internal import StrictJSON

/// Where pieces are handed in.
protocol EvidenceReceiver {
    /// What became of each piece.
    func handIn(_ items: [IngestItem]) async throws(CommandFailure) -> [IngestResult]

    /// Nothing more comes.
    func finish() throws(CommandFailure)
}

/// The running service.
struct ServiceEvidenceReceiver: EvidenceReceiver {
    let call: ServiceCall

    func handIn(_ items: [IngestItem]) async throws(CommandFailure) -> [IngestResult] {
        let body = try call.post("/v1/evidence", items.map(\.line))
        let limits = JSONLimits(bytes: body.count, values: body.count)
        do {
            let results = try parseJSON(body, limits: limits).elements ?? []
            guard results.count == items.count else { throw CommandFailure.unreadableAnswer }
            return try results.map(IngestResult.init)
        } catch {
            throw .unreadableAnswer
        }
    }

    func finish() {}
}

/// What became of a piece.
struct IngestResult {
    enum Fate {
        case judged(denials: [ClaimDenial], quarantined: [Quarantined])
        case refused(code: String, detail: String)
    }

    /// A part of it that is kept without effect.
    struct Quarantined {
        let code: String
        let text: Title?
    }

    let fate: Fate
    /// For programs.
    let json: JSONValue

    init(_ fate: Fate, json: JSONValue) {
        self.fate = fate
        self.json = json
    }

    init(refused code: String, _ detail: String) {
        self.init(
            .refused(code: code, detail: detail),
            json: ["code": .string(code), "detail": .string(detail)])
    }

    /// As the service tells it: a report, or the problem that it has with the piece.
    init(_ answer: JSONValue) throws(ShapeError) {
        if answer["code"] != nil {
            let problem = try ProblemAnswer.read(answer)
            fate = .refused(code: problem.code.shown, detail: problem.detail.shown)
        } else {
            let isWaiting = answer["verdict"] == "waiting"
            let report =
                isWaiting
                ? try WaitingEvidence.read(answer).judged : try EvidenceAnswer.read(answer)
            fate = .judged(
                denials: report?.transactions.compactMap(\.code) ?? [],
                quarantined: report?.quarantined.map {
                    Quarantined(code: $0.code.shown, text: $0.text)
                } ?? [])
        }
        json = answer
    }
}

/// Why a piece is not even handed in.
enum IngestRefusal: String, CaseIterable {
    case line = "ingest.line"
    case file = "ingest.file"
    case recordedAt = "ingest.recorded-at"
    case notImported = "ingest.not-imported"

    /// As the service would say it.
    func result(_ language: Language) -> IngestResult {
        let phrase: IngestPhrase =
            switch self {
            case .line: .badLine
            case .file: .badFile
            case .recordedAt: .recordedAt
            case .notImported: .notImported
            }
        return IngestResult(refused: rawValue, phrase.text(language))
    }
}
