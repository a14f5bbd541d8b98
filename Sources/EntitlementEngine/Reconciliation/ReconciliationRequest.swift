internal import EntitlementAnswers
package import EntitlementModel

/// What a reconciliation is asked to do.
package struct ReconciliationRequest: Sendable {
    package enum Scope: Hashable, Sendable {
        case all
        case account(AccountID)
        case appleID(AppleIDKey)
    }

    package var scope = Scope.all
    /// Nil for production and sandbox, as far as the policy trusts them.
    package var environment: StoreEnvironment?
    /// Begins anew where the last run was interrupted.
    package var isFromStart = false
    /// Leaves out customers that were asked about lately, by their class of risk.
    package var isOnlyDue = false
    package var callsPerSecond: Int64
    /// How many customers are visited at most.
    package var limit: Int64?

    package init(callsPerSecond: Int64) {
        self.callsPerSecond = callsPerSecond
    }

    /// Whether it goes on from what the journal says, and writes there what it does.
    var keepsJournal: Bool { scope == .all }
}

/// The differences of a run, each counted once.
struct DriftReport: Sendable {
    /// How many are listed; those beyond are counted only.
    static let most = 100_000

    private(set) var items: [DriftItem] = []
    private(set) var unlisted: Int64 = 0
    private var identities: Set<DriftItem> = []
    private var counts: [DriftCause: Int64] = [:]
    private var customers: Set<AppleIDKey> = []
    private var accounts: Set<AccountID> = []

    /// - Returns: those that were not known.
    mutating func insert(_ found: [DriftItem]) -> [DriftItem] {
        found.filter { item in
            guard items.count < Self.most else {
                counts[item.cause, default: 0] += 1
                unlisted += 1
                return false
            }
            guard identities.insert(item.identity).inserted else { return false }
            items.append(item)
            counts[item.cause, default: 0] += 1
            if let key = item.appleID { customers.insert(key) }
            accounts.formUnion(item.accounts)
            return true
        }
    }

    var byCause: [DriftCount] {
        DriftCause.allCases.compactMap { cause in
            counts[cause].map { DriftCount(cause: cause, count: $0) }
        }
    }

    var customerCount: Int64 { Int64(customers.count) }
    var accountCount: Int64 { Int64(accounts.count) }
}
