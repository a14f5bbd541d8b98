internal import EntitlementModel
internal import LedgerModel
internal import StrictJSON

/// Stores the bytes of evidence, to return them byte for byte.
///
/// The protected header of a JWS holds the certificates, the same four kilobytes in all that
/// Apple signs with one key: it is cut out and stored once.
struct EvidenceStorage {
    let connection: Connection

    func insert(_ evidence: EvidenceRecord, at sequence: LedgerSequence) throws {
        guard let header = JWSHeader.range(in: evidence.bytes) else {
            try connection.run(
                "INSERT INTO evidence (seq, bytes) VALUES (?, ?)", sequence.number,
                evidence.bytes.blob)
            return
        }
        let id = try self.header(Array(evidence.bytes[header]))
        var rest = evidence.bytes
        rest.removeSubrange(header)
        try connection.run(
            "INSERT INTO evidence (seq, header, header_at, bytes) VALUES (?, ?, ?, ?)",
            sequence.number, id, header.lowerBound, rest.blob)
    }

    /// Nil where there are none, or where they were erased.
    func bytes(at sequence: LedgerSequence) throws -> [UInt8]? {
        try connection.first(
            """
            SELECT evidence.bytes, header_at, evidence_header.bytes FROM evidence
            LEFT JOIN evidence_header ON evidence_header.id = evidence.header
            WHERE seq = ?
            """, sequence.number
        ) { row in
            guard var bytes = try row.bytes(0) else { return nil }
            guard let start = try row.optionalInteger(1).map(Int.init) else { return bytes }
            guard let header = try row.bytes(2), (0...bytes.count).contains(start) else {
                throw LedgerStoreError.unreadable(sequence)
            }
            bytes.insert(contentsOf: header, at: start)
            return bytes
        } ?? nil
    }

    private func header(_ bytes: [UInt8]) throws -> Int64 {
        let digest = EntryHash.digest(of: bytes)
        let known = try connection.integer(
            "SELECT id FROM evidence_header WHERE digest = ?", digest)
        if let known { return known }
        return try connection.insert(
            "INSERT INTO evidence_header (digest, bytes) VALUES (?, ?)", digest, bytes.blob)
    }
}

/// The first part of the first JWS in some evidence.
enum JWSHeader {
    /// Shorter ones are not worth a row.
    private static let minimumLength = 1_024

    /// The run of base64url before the first full stop; nil where it is short.
    static func range(in bytes: [UInt8]) -> Range<Int>? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        let start = bytes[..<end].lastIndex { !isBase64URL($0) }.map { $0 + 1 } ?? 0
        return end - start < minimumLength ? nil : start..<end
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// Facts in evidence that entries of earlier programs lack: read again whenever the index is
/// computed from the entries (spec 1.4). Nothing is verified again: that was done before the
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
    private static let member: StaticString = "previousOriginalTransactionId"

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
        for payload in payloads where payload.holds(Self.member) {
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

extension [UInt8] {
    /// Whether the text is somewhere in it: the library's search for one array in another took most
    /// of a ledger's verification.
    fileprivate func holds(_ text: StaticString) -> Bool {
        let (bytes, length) = (span, text.utf8CodeUnitCount)
        for start in 0..<Swift.max(0, count - length + 1) where bytes[start] == text.utf8Start[0] {
            var matched = 1
            while matched < length, bytes[start + matched] == text.utf8Start[matched] {
                matched += 1
            }
            if matched == length { return true }
        }
        return false
    }
}
