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
    /// Calls what it is given once, on any thread, when the work may begin.
    package typealias Wait = @Sendable (_ wake: @escaping @Sendable () -> Void) -> Void

    package let run: @Sendable () -> ResponseDraft
    /// What comes first, and holds no thread; nil for nothing.
    package let wait: Wait?

    package init(after wait: Wait? = nil, run: @escaping @Sendable () -> ResponseDraft) {
        self.wait = wait
        self.run = run
    }

    /// The same once it has waited.
    var afterWait: ColdWork { ColdWork(run: run) }
}
