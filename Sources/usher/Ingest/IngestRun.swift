internal import EntitlementModel
internal import StrictJSON

/// Hands pieces in, batch by batch, and keeps what is to be reported.
struct IngestRun {
    private let taker: any EvidenceReceiver
    let output: OutputOptions
    private var reader: IngestReader
    private(set) var report = IngestReport()
    private var progress: IngestProgress
    /// The last piece that was acknowledged; what comes after it is to be handed in again.
    private(set) var lastAcknowledged: Int

    init(
        _ reader: IngestReader, skipping number: Int, to taker: any EvidenceReceiver,
        output: OutputOptions
    ) throws(CommandFailure) {
        self.reader = reader
        self.taker = taker
        self.output = output
        lastAcknowledged = number
        try self.reader.skip(number)
        progress = IngestProgress(
            total: reader.totalBytes, skipped: self.reader.bytesRead, language: output.language)
    }

    /// Hands in everything, or until it is to stop; a batch under way is finished.
    ///
    /// - Returns: whether everything was handed in.
    mutating func handIn(
        until isToStop: () -> Bool
    ) async throws(CommandFailure) -> Bool {
        defer { progress.clear() }
        var batch = IngestBatch()
        while let piece = try reader.next() {
            if !batch.hasRoom(for: piece) {
                try await handIn(batch)
                batch = IngestBatch()
                if isToStop() { return false }
            }
            batch.append(piece)
        }
        try await handIn(batch)
        return true
    }

    private mutating func handIn(_ batch: IngestBatch) async throws(CommandFailure) {
        let items = batch.items
        var results = items.isEmpty ? [][...] : try await taker.handIn(items)[...]
        for piece in batch.pieces {
            switch piece {
            case .item(let item): try tell(results.removeFirst(), of: item.place)
            case .unreadable(let place, let refusal):
                try tell(refusal.result(output.language), of: place)
            }
        }
        lastAcknowledged += batch.pieces.count
        progress.show(report, bytes: reader.bytesRead)
    }

    private mutating func tell(
        _ result: JSONValue, of place: String
    ) throws(CommandFailure) {
        report.count(result, of: place, output.language)
        if output.json {
            let line: JSONValue = ["file": .string(place), "result": result]
            try Terminal.current.printWhole(json: line.text + "\n")
        }
    }
}

extension IngestRefusal {
    /// As the service would say it.
    func result(_ language: Language) -> JSONValue {
        ["code": .string(rawValue), "detail": .string(sentence(language))]
    }
}
