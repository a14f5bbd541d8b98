internal import StrictJSON

/// One piece of evidence to hand in.
struct IngestItem {
    /// Where it stands, for reports.
    var place: String
    var body: JSONValue
    /// Bytes of the payload.
    var size: Int
    /// Its place among all pieces, counted from 1.
    var number = 0
}

/// Pieces for one request: at most a hundred, and at most a megabyte unless one alone is larger.
struct IngestBatch {
    private(set) var items: [IngestItem] = []
    private var size = 0

    func hasRoom(for item: IngestItem) -> Bool {
        items.isEmpty || items.count < 100 && size + item.size <= 1 << 20
    }

    mutating func append(_ item: IngestItem) {
        items.append(item)
        size += item.size
    }

    /// Hands the pieces in; returns what became of each.
    func handIn(by call: ServiceCall) throws(CommandFailure) -> [JSONValue] {
        let body = try call.post("/v1/evidence", .array(items.map(\.body)))
        guard let results = try Answered(body).value.elements, results.count == items.count else {
            throw .unreadableAnswer
        }
        return results
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
        while let item = rest.first, batch.hasRoom(for: item) {
            batch.append(item)
            rest = rest.dropFirst()
        }
        return batch.items.isEmpty ? nil : batch.items
    }
}
