internal import EntitlementModel

/// A question about rights, read out of a request: everything that its answer depends on.
enum Question: Sendable {
    case entitlement(EntitlementName, AccountID, QuestionParameters)
    case entitlements(AccountID, QuestionParameters)
    case appleID(AppleIDKey, QuestionParameters)
    case credits(AccountID, QuestionParameters)
    case evaluation(Evaluation)
    case evaluations(EvaluationReader.Batch)

    /// Nil for what asks about no rights.
    init?(
        _ kind: QuestionKind, _ match: PathMatch, _ request: RequestHead, in bytes: Span<UInt8>,
        _ jsonDepth: Int = HTTPLimits().jsonDepth
    ) throws(Problem) {
        switch kind {
        case .live, .ready, .metadata: return nil
        case .evaluation:
            try Self.requireJSON(request)
            self = .evaluation(
                try EvaluationReader.single(
                    bytes.extracting(request.body), depth: jsonDepth))
        case .evaluations:
            try Self.requireJSON(request)
            let body = bytes.extracting(request.body)
            if let batch = try EvaluationReader.batch(body, depth: jsonDepth) {
                self = .evaluations(batch)
            } else {
                self = .evaluation(try EvaluationReader.single(body, depth: jsonDepth))
            }
        case .entitlement:
            let account: AccountID = try bytes.identifier(match.first, field: "account")
            let parameters = try QuestionParameters(request.query, in: bytes)
            let name: EntitlementName = try bytes.identifier(match.second, field: "entitlement")
            self = .entitlement(name, account, parameters)
        case .entitlements:
            self = .entitlements(
                try bytes.identifier(match.first, field: "account"),
                try QuestionParameters(request.query, in: bytes))
        case .credits:
            self = .credits(
                try bytes.identifier(match.first, field: "account"),
                try QuestionParameters(request.query, in: bytes))
        case .appleIDEntitlements:
            self = .appleID(
                try bytes.identifier(match.first, field: "apple_id"),
                try QuestionParameters(ofAppleID: request.query, in: bytes))
        }
    }

    /// What the caller has seen already: nothing older is an answer.
    var minimumRevision: LedgerSequence {
        switch self {
        case .entitlement(_, _, let parameters), .entitlements(_, let parameters),
            .appleID(_, let parameters), .credits(_, let parameters):
            parameters.minimumRevision
        case .evaluation(let evaluation): evaluation.minimumRevision
        case .evaluations(let batch):
            batch.questions.compactMap { try? $0.get().minimumRevision }.max() ?? .zero
        }
    }

    private static func requireJSON(_ request: RequestHead) throws(Problem) {
        guard request.bodyKind == .json else { throw Problem(.contentType, field: "Content-Type") }
    }
}
