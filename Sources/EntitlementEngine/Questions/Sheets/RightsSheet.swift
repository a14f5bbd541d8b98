package import EntitlementModel

/// All that questions about the rights of one account or Apple ID are answered from, packed: a
/// million of these are in memory at once, and an answer reads two or three cache lines.
///
/// It says what the timelines say that it was made from, and leaves out what no answer holds:
/// the facts behind a span, and the boundaries between spans that are answered alike.
package final class RightsSheet: Sendable {
    private let texts: AnswerTexts
    private let rights: [Right]
    private let spans: [Span]
    private let verdicts: [Verdict]
    /// The names in the verdicts as JSON has them, one after the other.
    private let names: [UInt8]

    /// One entitlement in one environment, and the spans that answer it.
    private struct Right {
        let key: RightKey
        private let first: UInt32
        private let count: UInt32

        init(key: RightKey, range: Range<Int>) {
            self.key = key
            first = UInt32(range.lowerBound)
            count = UInt32(range.count)
        }

        var range: Range<Int> { Int(first)..<Int(first + count) }
    }

    /// From `start` until the next one's.
    struct Span: Equatable {
        let start: Instant
        let verdict: UInt32
    }

    init(_ timelines: [RightKey: RightTimeline], table: inout AnswerTextTable) {
        var packing = SheetPacking(table: table)
        var rights: [Right] = []
        rights.reserveCapacity(timelines.count)
        var spans: [Span] = []
        // What one purchase gives is answered alike: its spans are kept once.
        for (key, timeline) in timelines.sorted(by: { $0.key.precedes($1.key) }) {
            let own = packing.spans(of: timeline)
            if let same = rights.first(where: { spans[$0.range].elementsEqual(own) }) {
                rights.append(Right(key: key, range: same.range))
            } else {
                rights.append(Right(key: key, range: spans.count..<spans.count + own.count))
                spans += own
            }
        }
        self.rights = rights
        self.spans = spans
        verdicts = packing.verdicts
        names = packing.names
        table = packing.table
        texts = table.texts()
    }

    /// The policy that the answers are given by.
    package var policy: Digest256 { texts.policy }

    /// The answer for one right.
    package func answer(
        _ key: RightKey, at instant: Instant, revision: LedgerSequence
    ) -> SheetAnswer {
        guard let right = rights.first(where: { $0.key == key }) else {
            return SheetAnswer(
                key: key, verdict: .nothing, until: nil, revision: revision, sheet: self)
        }
        let end = right.range.upperBound
        var (low, high) = (right.range.lowerBound, end)
        while high - low > 1 {
            let middle = (low + high) / 2
            if spans[middle].start <= instant { low = middle } else { high = middle }
        }
        let verdict = verdicts[Int(spans[low].verdict)]
        var next = low + 1
        while next < end, verdicts[Int(spans[next].verdict)].isGranted == verdict.isGranted {
            next += 1
        }
        return SheetAnswer(
            key: key, verdict: verdict, until: next < end ? spans[next].start : nil,
            revision: revision, sheet: self)
    }

    /// The answers for all entitlements of the policy, by name.
    package func answers(
        in environment: StoreEnvironment, at instant: Instant, revision: LedgerSequence
    ) -> [SheetAnswer] {
        texts.entitlements.map {
            answer(RightKey(environment, $0), at: instant, revision: revision)
        }
    }
}

/// What the parts of an answer are written from.
extension RightsSheet {
    func appendPolicy(to writer: inout AnswerWriter) {
        writer.append(raw: texts.policyText, texts.policyText.indices)
    }

    func append(rule verdict: Verdict, to writer: inout AnswerWriter) {
        guard let rule = verdict.rule else { return writer.append(RightVerdict.nothing.rule) }
        texts.append(rule, to: &writer)
    }

    func append(sourceOf verdict: Verdict, to writer: inout AnswerWriter) {
        switch verdict.source {
        case .nothing: writer.append("null")
        case .grant(let id):
            writer.append("{\"grant\":")
            append(id, to: &writer)
            writer.append("}")
        case .purchase(let product, let transaction, let lineage):
            writer.append("{\"product\":")
            texts.append(product, to: &writer)
            writer.append(",\"transaction\":")
            append(transaction, to: &writer)
            writer.append(",\"lineage\":")
            append(lineage, to: &writer)
            writer.append("}")
        }
    }

    private func append(_ name: Verdict.Name, to writer: inout AnswerWriter) {
        writer.append(raw: names, name.range)
    }
}

extension RightKey {
    fileprivate func precedes(_ other: RightKey) -> Bool {
        environment == other.environment
            ? entitlement < other.entitlement
            : environment.rawValue < other.environment.rawValue
    }
}
