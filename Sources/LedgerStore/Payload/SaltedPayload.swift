internal import EntitlementModel
internal import StrictJSON

/// An entry's salt and its payload side by side, as its digest is computed from them.
struct SaltedPayload {
    /// Keeps its room from one entry to the next.
    private var bytes: [UInt8] = []

    mutating func write(_ record: some LedgerRecord, _ kind: EntryKind, salt: UInt128) {
        bytes.removeAll(keepingCapacity: true)
        withUnsafeBytes(of: salt) { bytes.append(contentsOf: $0) }
        var room: [UInt8] = []
        swap(&room, &bytes)
        var writer = JSONWriter(behind: room)
        Payload.write(record, kind, to: &writer)
        bytes = writer.bytes
    }

    var digest: Digest256 { EntryHash.digest(of: bytes) }

    /// Lends both to a statement.
    func withBlobs<Result>(
        _ body: (_ salt: LentBlob, _ payload: LentBlob) throws -> Result
    ) rethrows -> Result {
        try bytes.withUnsafeBytes { bytes in
            try body(
                LentBlob(bytes[..<SaltSupply.saltLength]),
                LentBlob(bytes[SaltSupply.saltLength...]))
        }
    }
}
