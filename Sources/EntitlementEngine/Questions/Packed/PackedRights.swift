package import EntitlementModel

/// All that questions about the rights of one account or Apple ID are answered from, packed in
/// one run of bytes (`PackedRightsLayout`): a million of these are in memory at once, and an answer
/// reads a few cache lines of one.
///
/// It says what the timelines say that it was made from, and omits what no answer holds:
/// the facts behind a span, and the boundaries between spans that are answered alike.
package struct PackedRights: Sendable {
    let texts: AnswerTexts
    private let bytes: [UInt8]

    init(texts: AnswerTexts, bytes: [UInt8]) {
        self.texts = texts
        self.bytes = bytes
    }

    /// The same under texts that continue these.
    func with(_ texts: AnswerTexts) -> PackedRights { PackedRights(texts: texts, bytes: bytes) }

    /// The policy that the answers are given by.
    package var policy: Digest256 { texts.policy }

    /// The name of the account; empty for an Apple ID.
    var owner: String {
        let bytes = bytes.span
        return bytes.extracting(PackedRightsLayout(bytes.bytes).owner)
            .withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether it is the account's of that name.
    func isOwned(by name: Span<UInt8>) -> Bool {
        let bytes = bytes.span
        guard bytes.bytes.count(at: 0) == name.count else { return false }
        return bytes.extracting(PackedRightsLayout(bytes.bytes).owner).isSame(as: name)
    }

    /// The answer for one right.
    package func answer(
        _ key: RightKey, at instant: Instant, revision: LedgerSequence
    ) -> PackedRightAnswer {
        let spans = spans(in: key.environment) { texts.isName($0, key.entitlement) }
        return PackedRightAnswer(
            key: key, packed: spans.map { answer($0, at: instant) } ?? .nothing,
            revision: revision, rights: self)
    }

    /// Whether the policy that answers are given by has an entitlement of that name.
    package func lists(_ name: Span<UInt8>) -> Bool { texts.lists(name) }

    /// The answer for the entitlement of that name.
    package func answer(
        named name: Span<UInt8>, in environment: StoreEnvironment, at instant: Instant
    ) -> PackedAnswer {
        let spans = spans(in: environment) { texts.isName($0, name) }
        return spans.map { answer($0, at: instant) } ?? .nothing
    }

    /// The answers for all entitlements of the policy, by name.
    package func answers(
        in environment: StoreEnvironment, at instant: Instant, revision: LedgerSequence
    ) -> [PackedRightAnswer] {
        texts.entitlements.map {
            answer(RightKey(environment, $0), at: instant, revision: revision)
        }
    }

    /// Reads what an answer about now reads, if it is about the first right: the newest span and
    /// its names, which lie behind all spans.
    func checksum() -> Int {
        let bytes = bytes.span.bytes
        let layout = PackedRightsLayout(bytes)
        guard layout.spanCount > 0 else { return 0 }
        return byteCount(ofNamesIn: PackedVerdict(bytes, at: layout.spans + 8))
    }

    /// How many bytes the names have in an answer with that verdict.
    func byteCount(ofNamesIn verdict: PackedVerdict) -> Int {
        switch verdict.source {
        case .nothing: 0
        case .grant: byteCount(ofName: verdict.name)
        case .purchase: byteCount(ofName: verdict.name) + byteCount(ofName: verdict.lineage)
        }
    }

    /// How many bytes the name has that `PackedVerdict` says where to find.
    private func byteCount(ofName place: UInt32) -> Int {
        let bytes = bytes.span.bytes
        return Int(bytes.integer(at: PackedRightsLayout(bytes).names + Int(place), as: UInt16.self))
    }

    /// Writes that name.
    func append(name place: UInt32, to output: inout OutputSpan<UInt8>) {
        let bytes = bytes.span
        let start = PackedRightsLayout(bytes.bytes).names + Int(place) + 2
        let count = Int(bytes.bytes.integer(at: start - 2, as: UInt16.self))
        output.append(run: bytes.extracting(start..<start + count))
    }

    /// The range of the spans of the right with this entitlement, by its index in the texts: the
    /// newest first.
    @inline(__always)
    private func spans(
        in environment: StoreEnvironment, _ isWanted: (UInt32) -> Bool
    ) -> Range<Int>? {
        let bytes = bytes.span.bytes
        let layout = PackedRightsLayout(bytes)
        var place = layout.rights
        while place < layout.spans {
            if bytes.integer(at: place + 4) == environment.packed,
                isWanted(bytes.integer(at: place))
            {
                let first = bytes.count(at: place + 5)
                return first..<first + bytes.count(at: place + 9)
            }
            place += PackedRightsLayout.rightSize
        }
        return nil
    }

    private func answer(_ spans: Range<Int>, at instant: Instant) -> PackedAnswer {
        let bytes = bytes.span.bytes
        let first = PackedRightsLayout(bytes).spans
        let current = span(at: instant, spans, bytes, first)
        let verdict = PackedVerdict(bytes, at: first + current * PackedRightsLayout.spanSize + 8)
        var next = current
        while next > spans.lowerBound {
            next -= 1
            let place = first + next * PackedRightsLayout.spanSize
            if PackedVerdict.isGranted(bytes, at: place + 8) != verdict.isGranted {
                let until = Instant(milliseconds: bytes.integer(at: place))
                return PackedAnswer(verdict: verdict, until: until)
            }
        }
        return PackedAnswer(verdict: verdict, until: nil)
    }

    /// The span that contains the instant: the first that begins at or before it. Most questions
    /// are about now, so the newest few are tried one by one.
    private func span(
        at instant: Instant, _ spans: Range<Int>, _ bytes: RawSpan, _ first: Int
    ) -> Int {
        func begins(_ span: Int) -> Bool {
            bytes.integer(at: first + span * PackedRightsLayout.spanSize) <= instant.milliseconds
        }
        var low = spans.lowerBound
        let near = min(low + 4, spans.upperBound)
        while low < near {
            if begins(low) { return low }
            low += 1
        }
        var high = spans.upperBound
        while low < high {
            let middle = (low + high) / 2
            if begins(middle) { high = middle } else { low = middle + 1 }
        }
        precondition(low < spans.upperBound, "the oldest span began before all time")
        return low
    }
}
