internal import EntitlementEngine

extension ResponseDraft {
    /// An answer that was written: JSON, and all is well.
    init(_ writer: AnswerWriter) {
        self.init()
        body = writer.bytes
    }
}
