internal import EntitlementModel

/// A snapshot that Apple signed, or that was taken from what Apple answered (spec 1.2).
protocol Snapshot {
    var signedDate: Instant { get }
    var source: EvidenceSource { get }
}

extension TransactionSnapshot: Snapshot {}
extension RenewalSnapshot: Snapshot {}

extension Snapshot {
    /// Whether this snapshot wins over `other`: signed over imported, then the larger
    /// signedDate, then JWS before receipt, then the larger hash (spec 1.2).
    func isNewer(than other: any Snapshot) -> Bool {
        let (isImported, otherIsImported) = (
            source.trust == .imported, other.source.trust == .imported
        )
        if isImported != otherIsImported { return otherIsImported }
        if signedDate != other.signedDate { return signedDate > other.signedDate }
        let (isJWS, otherIsJWS) = (source.form == .jws, other.source.form == .jws)
        if isJWS != otherIsJWS { return isJWS }
        return source.canonicalDigest > other.source.canonicalDigest
    }
}
