package import EntitlementModel

/// Accounts to whom the same happens: by right, product, state and currency.
package struct ImpactGroup: Hashable, Sendable {
    package let direction: ImpactDirection
    package let right: ImpactRight
    /// Of the purchase that gives the right, where it is given; nil where none does.
    package var product: ProductID?
    /// Of that purchase when the change begins.
    package var state: EntitlementState?
    /// That they pay in, as far as it is known.
    package var currency: String?

    package init(
        _ direction: ImpactDirection, _ right: ImpactRight, product: ProductID? = nil,
        state: EntitlementState? = nil, currency: String? = nil
    ) {
        self.direction = direction
        self.right = right
        self.product = product
        self.state = state
        self.currency = currency
    }
}

/// One account as an example of its group.
package struct ImpactExample: Hashable, Sendable {
    package let account: AccountID
    /// When the change begins for it.
    package let from: Instant

    package init(account: AccountID, from: Instant) {
        self.account = account
        self.from = from
    }
}

/// How many accounts gain and lose what: what an impact run adds up, in memory that depends on the
/// policies and not on the number of accounts.
package struct ImpactTally: Hashable, Sendable {
    /// What is known of a group.
    package struct Figures: Hashable, Sendable {
        package var accounts: Int64 = 0
        /// What they paid last, together.
        package var milliunits: Int64 = 0
        /// How many at each instant of the window; empty before anybody was counted.
        package var days: [Int64] = []
        /// When the change begins for the first of them, even for less than a day; nil before
        /// anybody was counted.
        package var first: Instant?
        /// The first by name.
        package var examples: [ImpactExample] = []

        package init() {}
    }

    /// More groups than a person reads: what is beyond is counted without product, state and
    /// currency.
    static let groupLimit = 10_000
    /// For each group.
    static let exampleLimit = 5

    package var groups: [ImpactGroup: Figures] = [:]
    /// Accounts that were derived by both policies.
    package var examined: Int64 = 0
    /// Accounts that lose anything.
    package var losing: Int64 = 0
    /// Accounts that gain anything.
    package var gaining: Int64 = 0
    /// Accounts that lose anything at any time that is known of, also behind the window.
    package var losingEver: Int64 = 0

    package init() {}

    /// Counts an account. Nobody is counted twice unless the caller does so.
    ///
    /// - Parameters:
    ///   - losesEver: whether it loses anything behind the window.
    ///   - payment: what was paid for a transaction.
    package mutating func add(
        _ account: AccountID, _ changes: [RightChange], losesEver: () -> Bool,
        payment: (TransactionKey) -> ImpactPayment?
    ) {
        examined += 1
        if changes.contains(where: { $0.direction == .loses }) {
            losing += 1
            losingEver += 1
        } else if losesEver() {
            losingEver += 1
        }
        if changes.contains(where: { $0.direction == .gains }) { gaining += 1 }
        for change in changes {
            var group = ImpactGroup(change.direction, change.right)
            var paid: ImpactPayment?
            if case .purchase(let product, let transaction, _) = change.verdict?.source {
                paid = payment(transaction)
                group.product = product
                group.state = change.verdict?.state
                group.currency = paid?.currency
            }
            var figures = Figures()
            figures.accounts = 1
            figures.milliunits = paid?.milliunits ?? 0
            figures.days = change.days.map { $0 ? 1 : 0 }
            figures.first = change.first
            figures.examples = [ImpactExample(account: account, from: change.first)]
            add(figures, to: group)
        }
    }

    /// Counts what another one counted, of other accounts.
    package mutating func add(_ other: ImpactTally) {
        examined += other.examined
        losing += other.losing
        gaining += other.gaining
        losingEver += other.losingEver
        for (group, figures) in other.groups { add(figures, to: group) }
    }

    private mutating func add(_ figures: Figures, to group: ImpactGroup) {
        let isKnown = groups[group] != nil || groups.count < Self.groupLimit
        let place = isKnown ? group : ImpactGroup(group.direction, group.right)
        groups[place, default: Figures()].add(figures)
    }
}

extension ImpactTally.Figures {
    fileprivate mutating func add(_ other: ImpactTally.Figures) {
        accounts += other.accounts
        let (sum, overflows) = milliunits.addingReportingOverflow(other.milliunits)
        milliunits = overflows ? .max : sum
        days += [Int64](repeating: 0, count: max(0, other.days.count - days.count))
        for day in other.days.indices { days[day] += other.days[day] }
        first = [first, other.first].compactMap(\.self).min()
        examples = Array(
            (examples + other.examples).sorted { $0.account < $1.account }
                .prefix(ImpactTally.exampleLimit))
    }
}
