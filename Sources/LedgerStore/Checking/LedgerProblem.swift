package import EntitlementModel

/// Something in a ledger file that its writer never wrote (spec 3.4).
package enum LedgerProblem: Hashable, Sendable {
    /// The file as SQLite sees it is damaged; says what SQLite's check said.
    case file(String)
    /// There is no such entry although there are later ones.
    case missing(LedgerSequence)
    /// It is recorded before the entry in front of it.
    case recordedEarlier(LedgerSequence)
    /// Its payload or salt is not the one that was digested.
    case payloadChanged(LedgerSequence)
    /// Its hash does not follow from its fields and the hash before it.
    case chainBroken(LedgerSequence)
    /// Its payload cannot be read as an entry of its kind.
    case unreadable(LedgerSequence)
    /// The bytes of evidence are gone or are not those that were judged.
    case evidenceChanged(LedgerSequence)
    /// An index table does not say what the entries say; rebuilding it repairs that.
    case indexDiffers(table: String)
    /// The ledger does not contain the entry that it is known to have had: an older copy, or
    /// its end was cut off.
    case anchorMissing(LedgerSequence)

    /// Stable.
    package var code: String {
        switch self {
        case .file: "file"
        case .missing: "missing"
        case .recordedEarlier: "recorded-earlier"
        case .payloadChanged: "payload-changed"
        case .chainBroken: "chain-broken"
        case .unreadable: "unreadable"
        case .evidenceChanged: "evidence-changed"
        case .indexDiffers: "index-differs"
        case .anchorMissing: "anchor-missing"
        }
    }

    /// Where it is, if it is at one entry.
    package var sequence: LedgerSequence? {
        switch self {
        case .missing(let sequence), .recordedEarlier(let sequence),
            .payloadChanged(let sequence), .chainBroken(let sequence),
            .unreadable(let sequence), .evidenceChanged(let sequence),
            .anchorMissing(let sequence):
            sequence
        case .file, .indexDiffers: nil
        }
    }
}
