internal import EntitlementModel

/// Answers how the service is, and nothing else: what a connection beyond the limit gets, so
/// that whoever watches the service is not turned away with the crowd (spec 3.1).
struct HealthOnlyAnswering: RequestAnswering {
    var base: any RequestAnswering
    /// Makes the pages of usher.sock that are about the service; nil on query.sock.
    var service: OperationsResponder?

    mutating func answer(
        _ request: RequestHead, in bytes: Span<UInt8>, into draft: inout ResponseDraft
    ) -> AnswerProgress {
        let path = EndpointTable.match(request.path, in: bytes)?.path
        if let endpoint = path?.endpoints.first, endpoint.traffic == .health {
            switch endpoint.work {
            case .question: return base.answer(request, in: bytes, into: &draft)
            case .page(let make):
                if let service, request.method == endpoint.method {
                    return .cold(ColdWork { make(service) })
                }
            case .operation: break
            }
        }
        let language = Language(acceptLanguage: request.acceptLanguage, in: bytes)
        draft.refuse(Problem(.overloaded), language: language)
        return .answered
    }
}
