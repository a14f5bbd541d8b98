internal import EntitlementModel
internal import LedgerModel
internal import StrictJSON

/// What evidence says and the entries of earlier programs lack: read again whenever the index is
/// computed from the entries (spec 1.4). Nothing is verified anew: that was done before the
/// evidence was recorded.
struct RereadEvidence {
    private let connection: Connection
    /// Whether bytes that were erased since are answered as they were read before.
    private let recallsErased: Bool

    init(_ connection: Connection, recallsErased: Bool = false) {
        self.connection = connection
        self.recallsErased = recallsErased
    }

    /// The lineage that the transaction's evidence names as the one before; nil where the entry
    /// says it itself, and where nothing does.
    func predecessor(
        of fact: TransactionFact, at sequence: LedgerSequence
    ) throws -> TransactionID? {
        guard fact.snapshot.previousOriginalTransactionID == nil,
            fact.snapshot.source.form == .jws
        else { return nil }
        let bytes = try EvidenceStorage(connection: connection).bytes(at: fact.evidence)
        if let bytes { return SignedPayloads(bytes).predecessor(of: fact.snapshot) }
        guard recallsErased else { return nil }
        return try connection.first(
            "SELECT predecessor FROM reread_predecessor WHERE seq = ?", sequence.number
        ) { row -> TransactionID in try row.identifier(0) }
    }
}

/// The payloads of all JWS in some evidence, also of those that another one holds.
private struct SignedPayloads {
    /// A notification holds a transaction: two levels are all that Apple makes.
    private static let maximumDepth = 3
    private static let member = Array("previousOriginalTransactionId".utf8)

    private var payloads: [[UInt8]] = []

    init(_ evidence: [UInt8]) {
        collect(in: evidence[...], depth: 1)
    }

    private mutating func collect(in bytes: ArraySlice<UInt8>, depth: Int) {
        let words = bytes.split { !Self.isOfJWS($0) }
        for word in words {
            let parts = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard parts.count == 3, let payload = Base64.url.decode(parts[1]),
                payload.first == UInt8(ascii: "{")
            else { continue }
            payloads.append(payload)
            if depth < Self.maximumDepth { collect(in: payload[...], depth: depth + 1) }
        }
    }

    private static func isOfJWS(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    func predecessor(of snapshot: TransactionSnapshot) -> TransactionID? {
        for payload in payloads where payload.contains(Self.member) {
            guard let fields = try? parseJSON(payload),
                fields["transactionId"]?.string == snapshot.transactionID.text,
                fields["signedDate"]?.int64 == snapshot.signedDate.milliseconds,
                let named = fields["previousOriginalTransactionId"]?.string
            else { continue }
            return TransactionID(named)
        }
        return nil
    }
}
