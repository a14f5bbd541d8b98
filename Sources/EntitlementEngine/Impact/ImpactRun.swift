package import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel
package import PolicyAnalysis
internal import PolicyLoading

/// How an impact run goes about its work.
package struct ImpactOptions: Sendable {
    /// Threads that read and derive.
    package var workers = 2
    /// Accounts that share one view of the ledger.
    var accountsAtOnce = 128
    /// After how many entries a search for products ends if it finds many accounts: then it is
    /// quicker to look at everybody.
    var shortestSearch: Int64 = 32_768
    /// Of those threads; nil for that of the caller.
    package var priority: ThreadPriority?
    /// What an interrupted run has left; it is gone on from where it fits.
    package var checkpoint: ImpactCheckpoint?
    /// The days to look ahead, one of `ImpactWindow.possibleDays`.
    package var days = ImpactWindow.usualDays
    /// Receives the accounts that lose or gain each right and credit; nil for none. Called on any
    /// thread, one call at a time, in the order of the accounts; a resumed run reports the
    /// remaining ones only.
    package var rows: (@Sendable ([ImpactRow]) -> Void)?
    /// Learns who is answered otherwise; nil where nobody asks.
    var collector: DifferenceCollector?
    /// Called again and again, on any thread, one call after the other; false ends the run.
    package var progress: @Sendable (ImpactProgress) -> Bool

    package init(progress: @escaping @Sendable (ImpactProgress) -> Bool = { _ in true }) {
        self.progress = progress
    }

    /// Beside a service that answers questions: gives way to them.
    static func inBackground(
        progress: @escaping @Sendable (ImpactProgress) -> Bool
    ) -> ImpactOptions {
        var options = ImpactOptions(progress: progress)
        options.priority = .idle
        return options
    }
}

/// How far an impact run has come.
package struct ImpactProgress: Sendable {
    package enum Stage: Sendable {
        /// Searching entries for products that change.
        case searching
        /// Accounts are derived by both policies.
        case deriving
    }

    package let stage: Stage
    package let done: Int64
    package let total: Int64
    fileprivate var tally = ImpactTally()
    fileprivate var after: AccountID?
    fileprivate var frame: ImpactFrame

    /// What another run can go on from; nil while there is nothing to keep.
    package var checkpoint: ImpactCheckpoint? {
        after.map { account in
            ImpactCheckpoint(
                after: account, counted: done,
                impact: PolicyImpactAnswer(tally, frame))
        }
    }
}

/// What an impact run compares.
package struct ImpactFrame: Sendable {
    let old: Digest256
    let new: Digest256
    let window: ImpactWindow
    let revision: LedgerSequence
}

extension LedgerQuestions {
    /// The gains and losses of all accounts if `new` replaces `old`, now and within the days of an
    /// `ImpactWindow` (spec 2.4). Blocks; entries recorded meanwhile may be included or not.
    ///
    /// - Parameters:
    ///   - old: the policy in force if omitted.
    ///   - instant: Now.
    /// - Returns: nil where `progress` has ended it.
    package func impact(
        of new: Policy, replacing old: Policy? = nil, at instant: Instant,
        _ options: ImpactOptions = ImpactOptions()
    ) throws(EngineError) -> PolicyImpactAnswer? {
        let head = try ledger.reading { reader throws(LedgerError) in try reader.head() }
        let resumed = options.checkpoint.flatMap { checkpoint in
            let impact = checkpoint.impact
            let fits =
                impact.policy == new.digest && impact.revision <= head.sequence
                && impact.replaces == (old ?? policy.history.current).digest
                && impact.days == Int64(options.days)
            return fits ? checkpoint : nil
        }
        let frame = ImpactFrame(
            old: (old ?? policy.history.current).digest, new: new.digest,
            window: ImpactWindow(from: resumed?.impact.at ?? instant, days: options.days),
            revision: resumed?.impact.revision ?? head.sequence)
        let comparison = PolicyPair(
            policy.history, old: old, new: new, window: frame.window)
        let run = ImpactRun(ledger: ledger, pair: comparison, frame: frame, options: options)
        guard let accounts = try run.accounts() else { return nil }
        guard let tally = try run.tally(of: accounts, resuming: resumed) else { return nil }
        var answer = PolicyImpactAnswer(tally, frame)
        let later = laterDates(
            from: old ?? policy.history.current, to: new, beyond: frame.window)
        answer.later = later.isEmpty ? nil : later.map { ImpactDateAnswer($0, frame.window) }
        let edits = policy.history.edits(from: old ?? policy.history.current, to: new)
        answer.edits = edits.isEmpty ? nil : edits
        return answer
    }
}

/// Two policies, each behind the same ones before it, with what derives by them.
struct PolicyPair: Sendable {
    let concern: PolicyConcern
    private let names: RuleCorrespondence
    let isFolded: Bool
    private let before: Deriver
    private let after: Deriver
    private let catalogue: [ProductID: Product]
    private let window: ImpactWindow
    /// The window of the guard.
    private let allTime: ImpactWindow

    init(
        _ history: PolicyHistory, old: Policy?, new: Policy, window: ImpactWindow
    ) {
        let current = old ?? history.current
        concern = policyConcern(from: current, to: new, builtIns: builtInAccessRules)
        names = RuleCorrespondence(from: current, to: new)
        isFolded = current.foldsAccounts && new.foldsAccounts
        before = Deriver(
            policies: old.map { history.followed(by: $0, at: window.start) } ?? history)
        after = Deriver(policies: history.followed(by: new, at: window.start))
        catalogue = current.products.merging(new.products) { old, _ in old }
        self.window = window
        allTime = ImpactWindow(
            from: window.start, beyond: ruleDates(of: current) + ruleDates(of: new))
    }

    /// Counts the account.
    ///
    /// - Returns: what it loses and gains, and whether it is answered otherwise in anything.
    func compare(
        _ account: AccountID, _ facts: FactSet, into tally: inout ImpactTally
    ) -> (changes: [RightChange], isOther: Bool) {
        let (old, new) = (
            before.deriveAccount(account, facts), after.deriveAccount(account, facts)
        )
        let changes = rightChanges(from: old, to: new, in: window)
        tally.add(account, changes) {
            rightChanges(from: old, to: new, in: allTime).contains { $0.direction == .loses }
        } payment: {
            ImpactPayment(for: $0, in: facts, by: catalogue)
        }
        let isOther = !new.isSame(as: old, names) || facts.mayBeReadOtherwise(since: window.start)
        return (changes, isOther)
    }

    func rows(
        _ changes: [RightChange], of account: AccountID, _ facts: FactSet
    ) -> [ImpactRow] {
        changes.flatMap { $0.rows(of: account, facts, by: catalogue) }
    }
}

extension PolicyConcern {
    /// Whether the facts of an account hold a product that the change concerns.
    fileprivate func includes(_ facts: FactSet) -> Bool {
        guard case .holders = self else { return self == .everybody }
        return facts.transactions.indices.contains { place in
            includes(
                facts.transactions[place].value.productID, facts.transactions[place].value.kind)
        }
    }
}

extension PolicyHistory {
    /// The same with one more policy in force, unless it is already.
    fileprivate func followed(by policy: Policy, at instant: Instant) -> PolicyHistory {
        guard policy.digest != current.digest else { return self }
        var history = self
        history.activate(
            policy, at: max(instant, activations[activations.count - 1].activatedAt))
        return history
    }
}

/// One walk of a ledger: first for the accounts that are concerned, then for what happens to them.
private struct ImpactRun: Sendable {
    /// Entries that share one view of the ledger.
    private static let entriesAtOnce = 8_192
    /// Lineages whose accounts are asked for together.
    private static let lineagesAtOnce = 256
    /// Where more than one account is found in so many entries, about a quarter of all is concerned:
    /// an account has about eight.
    private static let entriesOfOne: Int64 = 32

    let ledger: any ReadableLedger
    let pair: PolicyPair
    let frame: ImpactFrame
    let options: ImpactOptions

    /// Those among whom all are that the change concerns, in the fastest order to read: nil if the
    /// run was ended.
    func accounts() throws(EngineError) -> [AccountID]? {
        let found: [AccountID]?
        switch pair.concern {
        case .nobody: return []
        case .everybody: found = try everybody()
        case .holders: found = try holders()
        }
        guard let found else { return nil }
        return try ledger.reading { reader throws(LedgerError) in
            try reader.inLedgerOrder(found)
        }
    }

    private func everybody() throws(EngineError) -> [AccountID]? {
        var all: [AccountID] = []
        while true {
            let page = try ledger.reading { reader throws(LedgerError) in
                try reader.accounts(after: all.last, limit: 4_096, folded: pair.isFolded)
            }
            guard page.last != nil else { return all }
            all += page
            let progress = ImpactProgress(
                stage: .searching, done: Int64(all.count), total: Int64(all.count), frame: frame)
            guard options.progress(progress) else { return nil }
        }
    }

    private func holders() throws(EngineError) -> [AccountID]? {
        let last = frame.revision.number
        let portions = Int((last + Int64(Self.entriesAtOnce) - 1) / Int64(Self.entriesAtOnce))
        let found = Shared(Set<AccountID>())
        let areMany = Shared(false)
        let isWhole = try work(on: portions) { portion throws(EngineError) in
            let start = Int64(portion * Self.entriesAtOnce)
            let end = min(last, start + Int64(Self.entriesAtOnce))
            let accounts = try holders(after: start, through: end)
            found.change { $0.formUnion(accounts) }
        } finished: { count in
            let done = min(last, Int64(count * Self.entriesAtOnce))
            if done >= options.shortestSearch,
                Int64(found.value.count) * Self.entriesOfOne > done
            {
                areMany.change { $0 = true }
                return false
            }
            return options.progress(
                ImpactProgress(stage: .searching, done: done, total: last, frame: frame))
        }
        if areMany.value {
            options.collector?.addAllLineages()
            return try everybody()
        }
        return isWhole ? Array(found.value) : nil
    }

    private func holders(
        after start: Int64, through end: Int64
    ) throws(EngineError) -> [AccountID] {
        let concern = pair.concern
        return try ledger.reading { reader throws(LedgerError) in
            var lineages = try reader.lineages(
                after: LedgerSequence(start), through: LedgerSequence(end)
            ) { concern.includes($0, $1) }[...]
            var accounts: [AccountID] = []
            while !lineages.isEmpty {
                let some = Array(lineages.prefix(Self.lineagesAtOnce))
                lineages = lineages.dropFirst(some.count)
                options.collector?.add(some)
                accounts += try reader.accountsConcerned(byLineages: some)
                    .map { pair.isFolded ? $0.folded : $0 }
            }
            return accounts
        }
    }

    /// What happens to the accounts; nil where the run was ended.
    func tally(
        of accounts: [AccountID], resuming checkpoint: ImpactCheckpoint?
    ) throws(EngineError) -> ImpactTally? {
        var (first, tally) = (0, ImpactTally())
        if let checkpoint, let place = accounts.firstIndex(of: checkpoint.after) {
            (first, tally) = (place + 1, ImpactTally(checkpoint.impact))
        }
        let rest = accounts[first...]
        let portions = (rest.count + options.accountsAtOnce - 1) / options.accountsAtOnce
        let count = OrderedTallies(tally, rows: options.rows)
        let isWhole = try work(on: portions) { portion throws(EngineError) in
            let start = rest.startIndex + portion * options.accountsAtOnce
            let some = rest[start..<min(rest.endIndex, start + options.accountsAtOnce)]
            let (tally, rows) = try self.tally(of: some)
            count.add(tally, rows, for: portion)
        } finished: { _ in
            let (tally, counted) = count.merged
            let place = min(rest.endIndex, rest.startIndex + counted * options.accountsAtOnce)
            var progress = ImpactProgress(
                stage: .deriving, done: Int64(place), total: Int64(accounts.count), frame: frame)
            progress.tally = tally
            progress.after = place > 0 ? accounts[place - 1] : nil
            return options.progress(progress)
        }
        return isWhole ? count.merged.tally : nil
    }

    private func tally(
        of accounts: ArraySlice<AccountID>
    ) throws(EngineError) -> (ImpactTally, [ImpactRow]) {
        try ledger.reading { reader throws(LedgerError) in
            var (tally, rows) = (ImpactTally(), [ImpactRow]())
            var others: [AccountID] = []
            for account in accounts {
                // The feed's findings follow from what was denied to others too.
                let facts =
                    options.collector == nil
                    ? try reader.facts(forAccount: account)
                    : try reader.facts(withDenialsFor: account)
                guard pair.concern.includes(facts) else { continue }
                let (changes, isOther) = pair.compare(account, facts, into: &tally)
                if options.rows != nil { rows += pair.rows(changes, of: account, facts) }
                if isOther { others.append(account) }
            }
            options.collector?.add(others)
            return (tally, rows)
        }
    }

    /// - Returns: false where the run was ended.
    private func work(
        on portions: Int, _ body: @escaping @Sendable (Int) throws(EngineError) -> Void,
        finished: @escaping @Sendable (Int) -> Bool
    ) throws(EngineError) -> Bool {
        try PortionedWork(portions: portions, body: body, finished: finished)
            .run(workers: options.workers, priority: options.priority)
    }
}
