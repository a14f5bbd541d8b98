internal import EntitlementEngine
internal import EntitlementModel

/// Answers how the service is, and nothing else: what a connection beyond the limit gets, so
/// that whoever watches the service is not turned away with the crowd (spec 3.1).
struct HealthOnlyAnswering: RequestAnswering {
    var base: any RequestAnswering
    /// Makes the pages of usher.sock that are about the service; nil on query.sock.
    var pages: (@Sendable (OperationsRoute) -> ResponseDraft)?

    mutating func answer(
        _ request: RequestHead, in bytes: Span<UInt8>, into draft: inout ResponseDraft
    ) -> AnswerProgress {
        switch QuestionRoute(request.path, in: bytes) {
        case .live, .ready: return base.answer(request, in: bytes, into: &draft)
        default: break
        }
        let path = try? OperationsPath(request.path, in: bytes)
        if let pages, let route = path?.route, route == .status || route == .metrics,
            request.method == .get
        {
            return .cold(ColdWork { pages(route) })
        }
        let language = Language(acceptLanguage: request.acceptLanguage, in: bytes)
        draft.refuse(Problem(.overloaded), language: language)
        return .answered
    }
}
