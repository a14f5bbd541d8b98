package import EntitlementModel

/// Facts sorted into lineages, with the policy that they are read under. A class, because every
/// step refers to it, and copying a reference is cheap.
final class FactView {
    let facts: FactSet
    let policy: CompiledPolicy
    /// In the order in which the facts name them.
    let lineages: [Lineage]
    /// Transactions that Apple has signed under several originals, by their keys.
    let splits: [SplitTransaction]
    /// Whether a snapshot with effect names a lineage before its own.
    let namesPredecessors: Bool
    /// By start, then by lineage.
    private(set) lazy var successions = namesPredecessors ? findSuccessions() : []
    private let positions: LineagePositions

    /// Selects the facts with effect: plausible snapshots of the app, and renewal infos of lineages
    /// that have one (spec 1.2).
    init(_ recorded: FactSet, policy: CompiledPolicy) {
        var facts = policy.policy.foldsAccounts ? recorded.foldingAccounts() : recorded
        let effective = facts.transactions.indices.filter { index in
            facts.transactions[index].value.bundleID == policy.policy.app.bundleID
                && facts.transactions.isPlausible(at: index)
        }
        splits = facts.uniteTransactions(effective)
        var positions = LineagePositions()
        var lineages: [Lineage] = []
        var namesPredecessors = false
        for index in effective {
            let position = positions.position(
                of: facts.transactions[index].value.environment,
                facts.transactions[index].value.originalTransactionID)
            if position == lineages.count {
                lineages.append(Lineage(key: positions.keys[position]))
            }
            lineages[position].transactions.append(index)
            if facts.transactions[index].value.previousOriginalTransactionID != nil {
                namesPredecessors = true
            }
        }
        for index in facts.renewals.indices {
            let position = positions.existing(
                facts.renewals[index].value.environment,
                facts.renewals[index].value.originalTransactionID)
            if let position { lineages[position].renewals.append(index) }
        }
        self.facts = facts
        self.policy = policy
        self.lineages = lineages
        self.namesPredecessors = namesPredecessors
        self.positions = positions
    }

    func lineage(_ key: LineageKey) -> Lineage? {
        positions.existing(key.environment, key.originalTransactionID).map { lineages[$0] }
    }

    func position(_ key: LineageKey) -> Int? {
        positions.existing(key.environment, key.originalTransactionID)
    }

    /// The lineage that has the transaction; nil where it is not known or has no effect.
    func lineage(of transaction: TransactionKey) -> Lineage? {
        if let likely = lineage(
            LineageKey(transaction.environment, transaction.transactionID)),
            likely.contains(transaction, in: facts)
        {
            return likely
        }
        return lineages.first { $0.contains(transaction, in: facts) }
    }
}

/// All that is known of one lineage, as positions in the facts.
struct Lineage {
    let key: LineageKey
    var transactions: [Int] = []
    var renewals: [Int] = []

    func contains(_ transaction: TransactionKey, in facts: FactSet) -> Bool {
        key.environment == transaction.environment
            && transactions.contains {
                facts.transactions[$0].value.transactionID == transaction.transactionID
            }
    }
}

/// The position of each lineage in a list. Consecutive facts are mostly of one lineage, and most
/// accounts have few, so a short list is searched without hashing.
struct LineagePositions {
    private(set) var keys: [LineageKey] = []
    private var table: [LineageKey: Int] = [:]
    private static let shortList = 6

    /// The position of a lineage, which is the number of lineages so far if it is new.
    mutating func position(of environment: StoreEnvironment, _ original: TransactionID) -> Int {
        if let found = existing(environment, original) { return found }
        let key = LineageKey(environment, original)
        keys.append(key)
        if keys.count == Self.shortList + 1 {
            for (index, key) in keys.enumerated() { table[key] = index }
        } else if keys.count > Self.shortList {
            table[key] = keys.count - 1
        }
        return keys.count - 1
    }

    func existing(_ environment: StoreEnvironment, _ original: TransactionID) -> Int? {
        if keys.count > Self.shortList { return table[LineageKey(environment, original)] }
        return keys.firstIndex {
            $0.originalTransactionID == original && $0.environment == environment
        }
    }
}

extension [Recorded<TransactionSnapshot>] {
    /// Reads fields in place: a copy of a snapshot would cost more than the test.
    fileprivate func isPlausible(at index: Int) -> Bool {
        Implausibility(
            quantity: self[index].value.quantity, purchased: self[index].value.purchaseDate,
            expires: self[index].value.expiresDate, signed: self[index].value.signedDate,
            kind: self[index].value.kind) == nil
    }
}

/// Why a rightly signed snapshot is impossible; it is quarantined and has no effect (spec 1.2).
package enum Implausibility: String, CaseIterable, Hashable, Sendable {
    case dateOutOfRange = "date-out-of-range"
    case expiresBeforePurchase = "expires-before-purchase"
    case expiresTooLate = "expires-too-late"
    /// A subscription without an end is impossible (THREATS.md D24).
    case expiresMissing = "expires-missing"
    case quantityOutOfRange = "quantity-out-of-range"
}

extension TransactionSnapshot {
    /// Nil for a plausible snapshot. Independent of policies, so that recorded entries are too: if
    /// no kind is signed, an `expiresDate` makes a subscription.
    package var implausibility: Implausibility? {
        Implausibility(
            quantity: quantity, purchased: purchaseDate, expires: expiresDate,
            signed: signedDate, kind: kind)
    }
}

extension Implausibility {
    /// Takes the fields alone, so that none of the snapshot's text is touched.
    init?(
        quantity: Int64, purchased: Instant, expires: Instant?, signed: Instant,
        kind: Stated<ProductKind>?
    ) {
        guard let found = Self.find(quantity, purchased, expires, signed, kind) else { return nil }
        self = found
    }

    private static func find(
        _ quantity: Int64, _ purchased: Instant, _ expires: Instant?, _ signed: Instant,
        _ kind: Stated<ProductKind>?
    ) -> Implausibility? {
        // Seats may be sold by the million; nothing else is bought in such numbers.
        let isSeated = kind?.isKnown(.autoRenewable) ?? (expires != nil)
        guard (1...(isSeated ? 10_000_000 : 1_000)).contains(quantity) else {
            return .quantityOutOfRange
        }
        guard purchased.isInStoreYears, signed.isInStoreYears, expires?.isInStoreYears ?? true
        else { return .dateOutOfRange }
        let isSubscription = kind?.isKnown(.autoRenewable)
        guard let expires else { return isSubscription == true ? .expiresMissing : nil }
        guard isSubscription ?? true else { return nil }
        if expires < purchased { return .expiresBeforePurchase }
        return isTooLong(from: purchased, to: expires) ? .expiresTooLate : nil
    }

    private static func isTooLong(from start: Instant, to end: Instant) -> Bool {
        // Three years have at least 1,095 days, so most snapshots need no calendar.
        guard end.milliseconds(since: start) > 1_095 * 86_400_000 else { return false }
        return end > Period(3, .years).end(from: start)
    }
}

extension Instant {
    /// From the year 2008, in which the App Store opened, to the year 2100.
    fileprivate var isInStoreYears: Bool {
        (1_199_145_600_000..<4_133_980_800_000).contains(milliseconds)
    }
}
