/// What a connection asks: the boundary between HTTP and meaning (spec 3.1).
///
/// Nothing here belongs to an event loop, so that the loop can be replaced.
package protocol RequestAnswering: SendableMetatype {
    /// Answers `request`, whose places are in `bytes`, into `draft`, which arrives cleared.
    mutating func answer(
        _ request: RequestHead, in bytes: Span<UInt8>, into draft: inout ResponseDraft
    ) -> AnswerProgress
}

/// How far an answer has come.
package enum AnswerProgress {
    case answered
    /// Something has to be read from the ledger first. Later requests of the connection wait.
    case cold(ColdWork)
}

/// The rest of an answer, which blocks: it is made away from the event loop.
package struct ColdWork: Sendable {
    package let run: @Sendable () -> ResponseDraft

    package init(run: @escaping @Sendable () -> ResponseDraft) {
        self.run = run
    }
}
