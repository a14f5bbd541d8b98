internal import EntitlementModel
internal import StrictJSON

/// One piece of evidence to hand in.
struct IngestItem {
    /// Where it stands, for reports.
    var place: String
    var body: JSONValue
    /// Bytes of the payload.
    var size: Int
    /// When it was first known; told for imports only.
    var recordedAt: Instant?
}

/// Pieces for one request, known at one instant, and what cannot be handed in between them: at most
/// a hundred, and at most a megabyte unless one alone is larger.
struct IngestBatch {
    private(set) var pieces: [IngestReader.Piece] = []
    private var size = 0

    var items: [IngestItem] { pieces.compactMap(\.item) }

    func hasRoom(for piece: IngestReader.Piece) -> Bool {
        guard pieces.count < 100 else { return false }
        guard let item = piece.item, let first = pieces.lazy.compactMap(\.item).first else {
            return true
        }
        return size + item.size <= 1 << 20 && first.recordedAt == item.recordedAt
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
