internal import EntitlementModel

/// Which of two snapshots of one thing holds: the later is the larger (spec 1.2).
enum SnapshotOrder {
    /// Imported before the rest, then by `signedDate`, then a JWS last, then by digest.
    static func precedes(_ left: TransactionSnapshot, _ right: TransactionSnapshot) -> Bool {
        precedes(left.signedDate, left.source, right.signedDate, right.source)
    }

    static func precedes(
        _ leftDate: Instant, _ left: EvidenceSource, _ rightDate: Instant,
        _ right: EvidenceSource
    ) -> Bool {
        let (leftIsImported, rightIsImported) = (left.isImported, right.isImported)
        if leftIsImported != rightIsImported { return leftIsImported }
        if leftDate != rightDate { return leftDate < rightDate }
        if (left.form == .jws) != (right.form == .jws) { return right.form == .jws }
        return left.canonicalDigest < right.canonicalDigest
    }
}

extension EvidenceSource {
    /// An imported snapshot never overrides one that Apple signed or answered.
    var isImported: Bool { trust == .imported }
}
