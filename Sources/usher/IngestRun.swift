internal import StrictJSON

/// Hands pieces in, batch by batch, and keeps what is to be reported.
struct IngestRun {
    let call: ServiceCall
    let output: OutputOptions
    private var reader: IngestReader
    private(set) var report = IngestReport()
    private var progress: IngestProgress
    /// The last piece that was acknowledged; what comes after it is to be handed in again.
    private(set) var lastAcknowledged: Int

    init(
        _ reader: IngestReader, skipping number: Int, call: ServiceCall, output: OutputOptions
    ) throws(CommandFailure) {
        self.reader = reader
        self.call = call
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
    ) throws(CommandFailure) -> Bool {
        defer { progress.clear() }
        var batch = IngestBatch()
        while let piece = try reader.next() {
            switch piece {
            case .unreadable(let place, let refusal):
                tell(refusal.result(output.language), of: place)
            case .item(let item):
                if !batch.hasRoom(for: item) {
                    try handIn(batch)
                    batch = IngestBatch()
                    if isToStop() { return false }
                }
                batch.append(item)
            }
        }
        if !batch.items.isEmpty { try handIn(batch) }
        return true
    }

    private mutating func handIn(_ batch: IngestBatch) throws(CommandFailure) {
        let results = try batch.handIn(by: call)
        for (item, result) in zip(batch.items, results) { tell(result, of: item.place) }
        lastAcknowledged = batch.items.last?.number ?? lastAcknowledged
        progress.show(report, bytes: reader.bytesRead)
    }

    private mutating func tell(_ result: JSONValue, of place: String) {
        report.count(result, of: place, output.language)
        if output.json {
            let line: JSONValue = ["file": .string(place), "result": result]
            Terminal.current.printLine(line.text)
        }
    }
}

extension IngestRefusal {
    /// As the service would say it.
    fileprivate func result(_ language: Language) -> JSONValue {
        ["code": .string(rawValue), "detail": .string(sentence(language))]
    }
}
