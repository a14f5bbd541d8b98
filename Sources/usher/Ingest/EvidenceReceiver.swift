internal import StrictJSON

/// Where pieces are handed in.
protocol EvidenceReceiver {
    /// What became of each piece, as the service tells it.
    func handIn(_ items: [IngestItem]) async throws(CommandFailure) -> [JSONValue]

    /// Nothing more comes.
    func finish() throws(CommandFailure)
}

/// The running service.
struct ServiceEvidenceReceiver: EvidenceReceiver {
    let call: ServiceCall

    func handIn(_ items: [IngestItem]) async throws(CommandFailure) -> [JSONValue] {
        let body = try call.post("/v1/evidence", .array(items.map(\.body)))
        let limits = JSONLimits(bytes: body.count, values: body.count)
        guard let results = (try? parseJSON(body, limits: limits))?.elements,
            results.count == items.count
        else { throw .unreadableAnswer }
        return results
    }

    func finish() {}
}
