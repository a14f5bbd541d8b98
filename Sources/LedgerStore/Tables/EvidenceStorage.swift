internal import EntitlementModel
internal import LedgerModel

/// Where the bytes of evidence are kept, to come back byte for byte.
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
