/// Answers how the service is, and nothing else: what a connection beyond the limit gets, so
/// that whoever watches the service is not turned away with the crowd (spec 3.1).
struct HealthOnlyAnswering: RequestAnswering {
    var base: any RequestAnswering

    mutating func answer(
        _ request: RequestHead, in bytes: Span<UInt8>, into draft: inout ResponseDraft
    ) -> AnswerProgress {
        switch QuestionRoute(request.path, in: bytes) {
        case .live, .ready: return base.answer(request, in: bytes, into: &draft)
        default:
            let language = ProblemLanguage(acceptLanguage: request.acceptLanguage, in: bytes)
            draft.refuse(Problem(.overloaded), language: language)
            return .answered
        }
    }
}
