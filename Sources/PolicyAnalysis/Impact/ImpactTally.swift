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

/// What one account loses or gains, and from when until when: a line of the full list (spec 2.4).
package struct ImpactRow: Hashable, Sendable {
    package let account: AccountID
    package let direction: ImpactDirection
    package let right: ImpactRight
    /// Without an end where nothing that is known ends it.
    package let interval: Interval
    /// Of the purchase that gives the right when it begins; nil where none does.
    package let product: ProductID?
    /// Whether that purchase belongs to an Apple ID, so that it can move to another account; nil
    /// where the right is from no purchase or nobody knows its kind.
    package let isBoundToAppleID: Bool?
    /// Of that purchase.
    package let state: EntitlementState?
    package let paid: ImpactPayment?
}

extension RightChange {
    /// One for each stretch.
    ///
    /// - Parameter catalogue: for kinds and prices that the evidence does not say.
    package func rows(
        of account: AccountID, _ facts: FactSet, by catalogue: [ProductID: Product]
    ) -> [ImpactRow] {
        stretches.map { stretch in
            var bought: (product: ProductID, transaction: TransactionKey)?
            if case .purchase(let product, let transaction, _) = stretch.verdict?.source {
                bought = (product, transaction)
            }
            let kind = bought.flatMap { bought in
                facts.kind(of: bought.transaction) ?? catalogue[bought.product]?.kind
            }
            return ImpactRow(
                account: account, direction: direction, right: right,
                interval: stretch.interval, product: bought?.product,
                isBoundToAppleID: kind.map { !$0.isAccountScoped },
                state: bought.flatMap { _ in stretch.verdict?.state },
                paid: bought.flatMap {
                    ImpactPayment(for: $0.transaction, in: facts, by: catalogue)
                })
        }
    }
}

extension FactSet {
    /// As it was signed; nil where no evidence says it.
    fileprivate func kind(of transaction: TransactionKey) -> ProductKind? {
        for fact in transactions where fact.value.key == transaction {
            if let kind = fact.value.kind?.known { return kind }
        }
        return nil
    }
}

/// The stretch of time over which two policies are compared: now and the next days, each of 24
/// hours (spec 2.4).
package struct ImpactWindow: Hashable, Sendable {
    /// How far it looks ahead unless somebody says otherwise.
    package static let usualDays = 30
    /// How far it can look ahead: a yearly price and a month of grace are within it.
    package static let possibleDays = 1...400

    package let start: Instant
    /// Now, and each of the days; one more than there are days.
    package let instants: [Instant]

    /// - Parameter days: one of `possibleDays`.
    package init(from start: Instant, days: Int = usualDays) {
        precondition(Self.possibleDays.contains(days), "whoever asks has checked the days")
        self.start = start
        instants = (0...days).map { start.advanced(byMilliseconds: Int64($0) * Self.day) }
        end = instants[instants.count - 1]
    }

    /// All time from then on, as far as anything is known of it: what the guard of a policy goes by
    /// (spec 2.6). Rights are compared to the end of what is paid; credits on each of the usual days,
    /// each week of 400 days, and where a date of one of the policies comes.
    ///
    /// - Parameter dates: those of the two policies.
    package init(from start: Instant, beyond dates: [Instant]) {
        self.start = start
        let days = Array(0...Self.usualDays) + Array(stride(from: 35, through: 400, by: 7))
        let regular = days.map { start.advanced(byMilliseconds: Int64($0) * Self.day) }
        instants = Set(regular + dates.filter { $0 > start }).sorted()
        end = Instant.writable.upperBound
    }

    private static let day: Int64 = 86_400_000

    /// The last instant that belongs to it.
    package let end: Instant

    package var days: Int { instants.count - 1 }
}
