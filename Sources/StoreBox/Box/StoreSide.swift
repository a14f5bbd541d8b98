internal import EntitlementModel
internal import StrictJSON

/// One environment of the App Store in a box: its store, and what the server API finds by which id.
///
/// Belongs to one `AppStoreWorld` and is used in its lock only.
final class StoreSide {
    var store: SimulatedStore
    var log = NotificationLog()
    /// By Apple ID.
    var histories: [String: CustomerHistory] = [:]
    /// Refunded transactions by Apple ID, in order of refund.
    var refunds: [String: CustomerHistory] = [:]
    /// Transactions by the order id in the customer's mail.
    var orders: [String: [String]] = [:]
    var massExtensions: [String: MassExtension] = [:]
    /// Tokens of test notifications, and the notification of each.
    var tests: [String: Int] = [:]
    /// The developer server's consumption reports, by transaction.
    var consumption: [String: JSONValue] = [:]
    private var changes = 0

    init(_ store: SimulatedStore) {
        self.store = store
    }

    var environment: StoreEnvironment { store.environment }

    /// Files what the store did, under every id by which it is asked for.
    /// - Returns: the purchases to which something happened, and the indices of new notifications.
    func absorb() -> (purchases: [String], notifications: Range<Int>, events: [StoreEvent]) {
        for change in store.takeChanges() { note(change) }
        let first = log.records.count
        let events = store.takeEvents()
        for event in events {
            guard case .notification(let notification) = event.content else { continue }
            log.append(
                NotificationLog.Record(
                    kind: NotificationKind(notification.outer.type, notification.outer.subtype),
                    at: event.at, notification: notification,
                    appleID: notification.transaction?.appTransactionID
                        .flatMap { store.appleIDs[$0] }))
        }
        return (store.takeTouched(), first..<log.records.count, events)
    }

    private func note(_ change: TransactionChange) {
        changes += 1
        let id = change.transactionID
        if histories[change.appleID, default: CustomerHistory()].note(id, sequence: changes),
            store.purchases[change.purchase]?.transaction.ownership == "PURCHASED"
        {
            orders[store.orderID(of: id), default: []].append(id)
        }
        if change.isRevoked {
            refunds[change.appleID, default: CustomerHistory()].note(id, sequence: changes)
        }
    }

    /// The Apple ID of a customer by any id of theirs.
    func customer(_ id: String) throws(AppStoreError) -> String {
        let appleID =
            store.purchaseOfTransaction[id].flatMap { store.purchases[$0]?.appleID }
            ?? store.appleIDs[id]
        guard let appleID else { throw .transactionIDNotFound }
        guard !store.deletedAppleIDs.contains(appleID) else { throw .accountNotFound }
        return appleID
    }

    /// A transaction with the purchase it belongs to.
    func transaction(
        _ id: String
    ) throws(AppStoreError) -> (name: String, PlayedPurchase, SimulatedTransaction) {
        if store.appleIDs[id] != nil { throw .appTransactionIDNotSupported }
        guard let name = store.purchaseOfTransaction[id], let purchase = store.purchases[name],
            let transaction = purchase[id]
        else { throw .transactionIDNotFound }
        guard !store.deletedAppleIDs.contains(purchase.appleID) else { throw .accountNotFound }
        return (name, purchase, transaction)
    }

    /// The first transaction of a lineage, by its id.
    func lineage(_ id: String) throws(AppStoreError) -> (name: String, PlayedPurchase) {
        let (name, purchase, transaction) = try transaction(id)
        guard transaction.originalTransactionID == id else { throw .transactionIDIsNotOriginal }
        return (name, purchase)
    }
}

/// A renewal date that is moved for all subscribers of a product.
struct MassExtension {
    var productID: String
    var days: Int64
    /// Alpha-3; empty for all.
    var storefronts: [String]
    var completedAt: Instant?
    var succeeded: Int64 = 0
    var failed: Int64 = 0
}

/// The transactions of one customer in the order in which they last changed: what the history is
/// paged by.
struct CustomerHistory {
    struct Entry {
        let sequence: Int
        let transactionID: String
    }

    /// In order of change; one whose transaction changed again later is skipped.
    private var entries: [Entry] = []
    private var newest: [String: Int] = [:]

    /// Puts a transaction at the end.
    /// - Returns: whether it is a new one.
    @discardableResult
    mutating func note(_ transactionID: String, sequence: Int) -> Bool {
        entries.append(Entry(sequence: sequence, transactionID: transactionID))
        return newest.updateValue(sequence, forKey: transactionID) == nil
    }

    /// Of the last change.
    var lastSequence: Int { entries.last?.sequence ?? 0 }

    /// The entries behind a place, in the order that is asked for, without those that have moved.
    func entries(after sequence: Int?, descending: Bool) -> any Sequence<Entry> {
        let live = { (entry: Entry) in newest[entry.transactionID] == entry.sequence }
        if descending {
            let end = sequence.map { index(of: $0) } ?? entries.count
            return entries[..<end].reversed().lazy.filter(live)
        }
        let start = sequence.map { index(of: $0 + 1) } ?? 0
        return entries[start...].lazy.filter(live)
    }

    /// The first entry whose sequence is not smaller.
    private func index(of sequence: Int) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
