internal import EntitlementModel
internal import LedgerStore

/// What an Apple-ID key says: `atx:<environment>:<appTransactionId>` or
/// `otx:<environment>:<originalTransactionId>` (spec 1.3).
enum AppleIDName {
    case appTransaction(StoreEnvironment, AppTransactionID)
    case lineage(LineageKey)

    /// Nil for a key of another form. A bare `originalTransactionId` is not a key: it could be
    /// of any environment.
    init?(_ key: AppleIDKey) {
        let parts = key.text.split(
            separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let environment = StoreEnvironment(rawValue: String(parts[1]))
        else { return nil }
        switch parts[0] {
        case "atx":
            guard let id = AppTransactionID(parts[2]) else { return nil }
            self = .appTransaction(environment, id)
        case "otx":
            guard let id = TransactionID(parts[2]) else { return nil }
            self = .lineage(LineageKey(environment, id))
        default: return nil
        }
    }

    /// The lineages that any fact ever named so, sorted; facts of one of them are facts of all.
    func lineages(in reader: any LedgerReading) throws(LedgerStoreError) -> [LineageKey] {
        switch self {
        case .appTransaction(let environment, let id):
            try reader.lineages(withAppTransaction: id, in: environment)
        case .lineage(let key): [key]
        }
    }
}
