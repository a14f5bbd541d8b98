internal import EntitlementModel

/// Texts by number, one after the other in one run of bytes.
struct PreparedTexts: Sendable {
    private var bytes: [UInt8] = []
    /// One more than there are texts.
    private var starts = [0]

    var count: Int { starts.count - 1 }

    /// Adds what `write` writes, with the next number.
    mutating func add(_ write: (inout AnswerWriter) -> Void) {
        var writer = AnswerWriter(continuing: bytes)
        bytes = []
        write(&writer)
        bytes = writer.bytes
        starts.append(bytes.count)
    }

    /// Whether the text of that number is `bytes`.
    func isText(_ number: Int, _ bytes: Span<UInt8>) -> Bool {
        self.bytes.span.extracting(starts[number]..<starts[number + 1]).isSame(as: bytes)
    }

    func byteCount(_ number: Int) -> Int { starts[number + 1] - starts[number] }

    func append(_ number: Int, to output: inout OutputSpan<UInt8>) {
        output.append(run: bytes.span.extracting(starts[number]..<starts[number + 1]))
    }
}
