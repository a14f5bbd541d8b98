internal import EntitlementModel

/// Gives the verdicts and names of one sheet their places.
struct SheetPacking {
    private(set) var table: AnswerTextTable
    private(set) var verdicts: [RightsSheet.Verdict] = []
    /// As JSON has them.
    private(set) var names: [UInt8] = []
    private var known: [String: RightsSheet.Verdict.Name] = [:]

    init(table: AnswerTextTable) {
        self.table = table
    }

    /// Neighbours that are answered alike are one.
    mutating func spans(of timeline: RightTimeline) -> [RightsSheet.Span] {
        var spans: [RightsSheet.Span] = []
        for span in timeline.spans {
            let verdict = place(of: span.verdict)
            if spans.last?.verdict == verdict { continue }
            spans.append(RightsSheet.Span(start: span.interval.start, verdict: verdict))
        }
        return spans
    }

    private mutating func place(of verdict: RightVerdict) -> UInt32 {
        let packed = RightsSheet.Verdict(
            verdict, source: pack(verdict.source), rule: table.place(of: verdict.rule))
        if let known = verdicts.firstIndex(of: packed) { return UInt32(known) }
        verdicts.append(packed)
        return UInt32(verdicts.count - 1)
    }

    private mutating func pack(_ source: RightSource?) -> RightsSheet.Verdict.Source {
        switch source {
        case nil: .nothing
        case .grant(let id): .grant(pack(id.text))
        case .purchase(let product, let transaction, let lineage):
            .purchase(
                product: table.place(of: product),
                transaction: pack(transaction.transactionID.text),
                lineage: pack(lineage.originalTransactionID.text))
        }
    }

    private mutating func pack(_ name: String) -> RightsSheet.Verdict.Name {
        if let place = known[name] { return place }
        var writer = AnswerWriter(reserving: 32)
        writer.appendText(name)
        let place = RightsSheet.Verdict.Name(names.count..<names.count + writer.bytes.count)
        names += writer.bytes
        known[name] = place
        return place
    }
}
