internal import EntitlementAnswers
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
        _ result: IngestResult, of place: String
    ) throws(CommandFailure) {
        report.count(result, of: place, output.language)
        if output.json {
            let line: JSONValue = ["file": .string(place), "result": result.json]
            try Terminal.current.printWhole(json: line.text + "\n")
        }
    }
}

/// One piece of evidence to hand in.
struct IngestItem {
    /// Where it stands, for reports.
    var place: String
    var line: IngestLine
    /// Bytes of the payload.
    var size: Int
    /// When it was first known; told for imports only.
    var recordedAt: Instant?
}

/// A line of JSON lines, or an element of `POST /v1/evidence`. Names are texts: the service says
/// itself what is wrong with one.
struct IngestLine: WireObject {
    var payload: String?
    var account: String?
    var moment: String?
    var order: String?
    /// The payload is a stored answer of verifyReceipt.
    var imported: Bool?
    /// Of such an answer that says none.
    var environment: String?
    /// `remote`, where Apple is to be asked too.
    var verify: String?
    /// In lines, the file that holds the payload.
    var file: String?
    /// In lines of an import, when the piece was first known.
    var recordedAt: String?

    static var shapeName: String { "IngestLine" }

    static func members(
        _ visitor: inout some ShapeVisitor<Self>
    ) throws(ShapeError) -> IngestLine {
        IngestLine(
            payload: try visitor.optional("payload", \.payload),
            account: try visitor.optional("account", \.account),
            moment: try visitor.optional("moment", \.moment),
            order: try visitor.optional("order", \.order),
            imported: try visitor.optional("imported", \.imported),
            environment: try visitor.optional("environment", \.environment),
            verify: try visitor.optional("verify", \.verify),
            file: try visitor.optional("file", \.file),
            recordedAt: try visitor.optional("recorded_at", \.recordedAt))
    }
}

/// Pieces for one request, and what cannot be handed in between them: at most a hundred, and at most a
/// megabyte unless one alone is larger.
struct IngestBatch {
    private(set) var pieces: [IngestReader.Piece] = []
    private var size = 0

    var items: [IngestItem] { pieces.compactMap(\.item) }

    func hasRoom(for piece: IngestReader.Piece) -> Bool {
        guard pieces.count < 100 else { return false }
        guard let item = piece.item, size > 0 else { return true }
        return size + item.size <= 1 << 20
    }

    mutating func append(_ piece: IngestReader.Piece) {
        pieces.append(piece)
        size += piece.item?.size ?? 0
    }
}

/// Cuts items into batches.
struct IngestBatches: Sequence, IteratorProtocol {
    private var rest: ArraySlice<IngestItem>

    init(_ items: [IngestItem]) {
        rest = items[...]
    }

    mutating func next() -> [IngestItem]? {
        var batch = IngestBatch()
        while let item = rest.first, batch.hasRoom(for: .item(item)) {
            batch.append(.item(item))
            rest = rest.dropFirst()
        }
        return batch.pieces.isEmpty ? nil : batch.items
    }
}
