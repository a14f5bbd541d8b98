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
    /// Something has to be read into memory first; then the same request is asked again.
    case cold(ColdWork)
}

/// The reading of what a question needs, done away from the event loop.
package struct ColdWork: Sendable {
    /// Nil once it is in memory, else why it cannot be.
    package let run: @Sendable () async -> Problem?

    package init(run: @escaping @Sendable () async -> Problem?) {
        self.run = run
    }
}
