internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

/// What entries change of the present answers, within one view of the ledger (spec 1.10).
///
/// It goes entry by entry in the ledger's order; those recorded at one instant are taken together,
/// since no question can be as of between them.
struct FeedDerivation {
    let reader: any LedgerReading
    /// The policy that was in force once this many had been activated.
    let policyAfter: (Int) -> ActivePolicy?
    /// How many entries, or derived subjects, one view covers.
    let portion: Int
    /// Whether the rest is left to the next view, or abandoned.
    let deadline: ViewDeadline

    /// The changes to publish, and the feed's position then.
    struct Batch: Sendable {
        let before: FeedPlace
        /// The newest change before it.
        let head: Int64
        /// The newest erasure in the view: what one since then has taken may be in the batch.
        var erasure: LedgerSequence?
        var place: FeedPlace
        var changes: [FeedChange] = []
        /// The records of every subject in the batch.
        var outlooks: [FeedSubject: FeedOutlook] = [:]
        /// The stored records of these.
        var stored: [FeedSubject: FeedOutlook] = [:]

        /// Whether there is something to write.
        var isAnything: Bool { place != before || !changes.isEmpty || !outlooks.isEmpty }

        /// The records to write, by name.
        var changedOutlooks: [(subject: FeedSubject, outlook: FeedOutlook)] {
            outlooks.filter { stored[$0.key] != $0.value }
                .map { (subject: $0.key, outlook: $0.value) }
                .sorted { $0.subject.name < $1.subject.name }
        }
    }

    /// How many due subjects share one transaction: enough for a hundred thousand at one instant to
    /// be published within moments, and few enough for writers to wait only milliseconds.
    static let duePortion = 2_048

    var batch: Batch
    /// The activations of policies so far.
    private(set) var activations: [LedgerSequence]
    /// Accounts to which the newest policy was applied in this view.
    var applied: Set<AccountID> = []
    /// Whose records the newest policy may change, by name; nil where it may be anybody's.
    let differing: [AccountID]?
    private var changeReading: ChangeReading
    /// The rights derived last, in this view or the one before.
    private(set) var latest: LatestRights?
    /// By which the records before are derived; nil where they are the feed's own.
    private let rehearsing: ActivePolicy?

    init(
        _ reader: any LedgerReading, from place: FeedPlace, activations: [LedgerSequence],
        portion: Int, deadline: ViewDeadline, latest: LatestRights?, differing: [AccountID]?,
        policyAfter: @escaping (Int) -> ActivePolicy?
    ) throws(LedgerError) {
        self.reader = reader
        self.differing = differing
        changeReading = ChangeReading(reader)
        self.latest = latest
        self.deadline = deadline
        self.policyAfter = policyAfter
        self.activations = activations
        self.portion = portion
        rehearsing = nil
        batch = Batch(
            before: place, head: try reader.feedHead(), erasure: try reader.newestErasure(),
            place: place)
    }

    /// What entries change that were appended and may be taken back, whatever the feed has
    /// published: what was before is derived from the facts up to `head`, as of the instant.
    init(
        rehearsing reader: any LedgerReading, after head: LedgerSequence, at instant: Instant,
        _ policy: ActivePolicy
    ) {
        self.reader = reader
        rehearsing = policy
        policyAfter = { _ in policy }
        (differing, latest, activations, portion) = (nil, nil, [], 0)
        changeReading = ChangeReading(reader)
        deadline = ViewDeadline { false }
        let place = FeedPlace(place: head, reached: instant)
        batch = Batch(before: place, head: 0, place: place)
    }

    /// How many due subjects one view covers: fewer if a policy has to be applied to them first.
    private var dueLimit: Int { batch.place.scan == nil ? Self.duePortion : portion }

    /// Takes the entries up to a new policy, each after the changes due by its instant.
    ///
    /// - Returns: nil where the policy of an entry is not known to questions yet.
    mutating func takeEntries(_ entries: [Recorded<LedgerEntry>]) throws(LedgerError) -> Batch? {
        guard let last = entries.last else { return batch }
        var due = try reader.outlooks(dueBy: last.recordedAt, limit: dueLimit)[...]
        // The others are due at the last one's instant or later.
        let horizon = due.count < dueLimit ? nil : due.last?.outlook.due
        var rest = entries[...]
        while let first = rest.first {
            // The first accounts that a new policy is applied to go before anything else.
            guard batch.place.scan == batch.before.scan else { break }
            if deadline.isLate, batch.place != batch.before { break }
            let isScanning = batch.place.scan != nil
            if isScanning, first.value.isPolicyActivation { break }
            if let horizon, horizon <= first.recordedAt { break }
            guard try tell(&due, dueBy: first.recordedAt) else { return nil }
            let group = rest.group(withActivation: !isScanning)
            // The last one of a portion may have others of its instant behind it: they are taken
            // next, at the same instant.
            rest = rest.dropFirst(group.count)
            guard try take(Array(group)) else {
                return deadline.isEnding || batch.place == batch.before ? nil : batch
            }
        }
        return batch
    }

    /// Takes the changes due by an instant, once no earlier entries are left.
    ///
    /// - Returns: nil where the policy is not known to questions yet.
    mutating func takeDue(by instant: Instant) throws(LedgerError) -> Batch? {
        var due = try reader.outlooks(dueBy: instant, limit: dueLimit)[...]
        // The others are due at the last one's instant or later.
        let horizon = due.count < dueLimit ? instant : due.last?.outlook.due ?? instant
        return try tell(&due, dueBy: horizon) ? batch : nil
    }

    /// Publishes the changes due by then: of the subjects in the batch by their records there, of
    /// others by the ledger's.
    ///
    /// - Returns: whether the policy that has to be applied to some of them first is known.
    private mutating func tell(
        _ stored: inout ArraySlice<(subject: FeedSubject, outlook: FeedOutlook)>,
        dueBy instant: Instant
    ) throws(LedgerError) -> Bool {
        var told: [(name: String, change: FeedChange)] = []
        while let next = stored.first, let due = next.outlook.due, due <= instant {
            stored.removeFirst()
            if batch.outlooks[next.subject] == nil {
                batch.stored[next.subject] = next.outlook
                batch.outlooks[next.subject] = next.outlook
            }
            guard let account = next.subject.account, awaitsPolicy(account) else { continue }
            guard let changes = try applyPolicy(to: account, at: due) else { return false }
            told += changes.map { (account.text, $0) }
        }
        for (subject, outlook) in batch.outlooks {
            guard let due = outlook.due, due <= instant else { continue }
            var outlook = outlook
            let owner = subject.account ?? outlook.account
            for difference in outlook.advance(to: instant) {
                told.append(
                    (subject.name, difference.change(of: owner, revision: batch.place.place)))
            }
            batch.outlooks[subject] = outlook
        }
        guard !told.isEmpty else { return true }
        // The order of one subject's changes at one instant is preserved.
        batch.changes += told.enumerated().sorted { left, right in
            let (one, other) = (left.element, right.element)
            if one.change.at != other.change.at { return one.change.at < other.change.at }
            return one.name == other.name ? left.offset < right.offset : one.name < other.name
        }.map(\.element.change)
        batch.place.reached = batch.changes.last?.at ?? batch.place.reached
        return true
    }

    /// Takes entries of one instant.
    ///
    /// - Returns: whether their policy is known, and the rest is wanted.
    mutating func take(_ group: [Recorded<LedgerEntry>]) throws(LedgerError) -> Bool {
        guard let last = group.last else { return true }
        // The rights derived last may be of what is gone.
        if group.contains(where: \.value.isErasure) { latest = nil }
        let isActivation = last.value.isPolicyActivation
        let former = activations.isEmpty ? nil : policyAfter(activations.count)
        guard let policy = policyAfter(activations.count + (isActivation ? 1 : 0)) else {
            return false
        }
        if isActivation { activations.append(last.sequence) }
        var causes: [AccountID: [LedgerSequence]] = [:]
        var bystanders: [AccountID: [LedgerSequence]] = [:]
        var orders: [OrderID: [LedgerSequence]] = [:]
        var begun: [LedgerSequence: [LedgerSequence]] = [:]
        for entry in group {
            let changed = try changes(by: entry, policy)
            for place in changed.quarantines.union(changed.tickets) {
                begun[place, default: []].append(entry.sequence)
            }
            for account in changed.accounts { causes[account, default: []].append(entry.sequence) }
            for owner in changed.deniedOwners {
                bystanders[owner, default: []].append(entry.sequence)
            }
            for order in changed.orders { orders[order, default: []].append(entry.sequence) }
        }
        for (owner, cause) in bystanders where causes[owner] != nil || awaitsPolicy(owner) {
            causes[owner] = Set(causes[owner, default: []] + cause).sorted()
        }
        for account in causes.keys.sorted() where awaitsPolicy(account) {
            guard let changes = try applyPolicy(to: account, at: last.recordedAt) else {
                return false
            }
            batch.changes += changes
        }
        for entry in group { try emitOwners(entry, policy) }
        if isActivation { tell(last, policy: policy, before: former) }
        let moment = Moment(
            at: last.recordedAt, entries: group, upTo: last.sequence, policy: policy)
        for (account, cause) in causes.sorted(by: { $0.key < $1.key }) {
            if deadline.isEnding { return false }
            try look(at: account, at: moment, because: cause)
        }
        for (owner, cause) in bystanders.sorted(by: { $0.key < $1.key })
        where causes[owner] == nil {
            guard try learns(owner, ofDenialsTo: causes.keys) else { continue }
            try look(at: owner, at: moment, because: cause)
        }
        for (order, cause) in orders.sorted(by: { $0.key < $1.key }) {
            try look(at: order, at: moment, because: cause)
        }
        for (place, cause) in begun.sorted(by: { $0.key < $1.key }) {
            let findings = try reader.feedFindings(
                becauseOf: place, upTo: moment.upTo, moment.policy)
            try keep(
                FeedOutlook(findings, of: place, at: moment.at), of: .entry(place), at: moment,
                because: cause)
        }
        batch.place.place = last.sequence
        batch.place.reached = batch.changes.last?.at ?? batch.place.reached
        if isActivation { batch.place.scan = FeedSubject.lastOther }
        return true
    }

    /// The facts and the policy at one point of the ledger.
    private struct Moment {
        let at: Instant
        /// The new entries.
        let entries: [Recorded<LedgerEntry>]
        let upTo: LedgerSequence
        let policy: ActivePolicy
    }

    private mutating func look(
        at account: AccountID, at moment: Moment, because cause: [LedgerSequence]
    ) throws(LedgerError) {
        try readOld(.account(account))
        let new = moment.entries.filter { cause.contains($0.sequence) }
        let first = moment.entries[0].sequence
        var rights = latest?.rights(of: account, before: first, policies: activations.count)
        let former = rights?.timelines
        // The only reference, since otherwise the rights are copied when they change.
        latest = nil
        let outlook: FeedOutlook
        var facts: FactSet?
        // If all new entries are grants, ends of grants, or blocks, only rights change.
        if new.allSatisfy({ rights?.take($0) ?? false }), let rights {
            let old = batch.outlooks[.account(account)] ?? FeedOutlook()
            outlook = old.with(rights.timelines, at: moment.at)
        } else {
            let known = try changeReading.facts(of: account)
            let derived = moment.policy.deriver.deriveAccountWithRights(
                account, known.known(upTo: moment.upTo))
            outlook = FeedOutlook(derived.timeline, at: moment.at)
            rights = derived.rights
            facts = known
        }
        let correction = Correction(rights: rights?.timelines ?? [:]) {
            former
                ?? facts.map {
                    let before = $0.known(upTo: LedgerSequence(first.number - 1))
                    return moment.policy.deriver.deriveAccount(account, before).rights
                } ?? [:]
        }
        latest = rights.map {
            LatestRights(
                account: account, upTo: moment.upTo, policies: activations.count, rights: $0)
        }
        keep(outlook, of: account, at: moment, because: cause, correcting: correction)
    }

    private mutating func look(
        at id: OrderID, at moment: Moment, because cause: [LedgerSequence]
    ) throws(LedgerError) {
        guard let order = try reader.order(id)?.known(upTo: moment.upTo) else { return }
        let settings = moment.policy.orderSettings(order.order.value.policy)
        try keep(
            FeedOutlook(order, at: moment.at, settings), of: .order(id), at: moment,
            because: cause)
    }

    /// Whether an owner gets a finding about a denied claim: not if earlier claims have caused the
    /// same one, and it continues for ever.
    private mutating func learns(
        _ owner: AccountID, ofDenialsTo claimants: some Collection<AccountID>
    ) throws(LedgerError) -> Bool {
        try readOld(.account(owner))
        let told = Set(batch.outlooks[.account(owner)]?.items.filter(\.isOpenFinding) ?? [])
        return claimants.contains { claimant in
            let items = batch.outlooks[.account(claimant)]?.items ?? []
            return !items.filter(\.isOpenFinding).allSatisfy(told.contains)
        }
    }

    /// Publishes the findings of no account, or of an entry or order.
    private mutating func keep(
        _ new: FeedOutlook, of subject: FeedSubject, at moment: Moment,
        because cause: [LedgerSequence]
    ) throws(LedgerError) {
        try readOld(subject)
        let old = batch.outlooks[subject] ?? FeedOutlook()
        let account = (new.account ?? old.account).map(moment.policy.name)
        for difference in new.differences(from: old, at: moment.at) {
            batch.changes.append(
                difference.change(
                    of: account, revision: moment.upTo,
                    cause: Array(cause.prefix(FeedChange.mostCauses))))
        }
        batch.outlooks[subject] = new
    }

    /// Reads the last record of the subject, unless it is in the batch.
    mutating func readOld(_ subject: FeedSubject) throws(LedgerError) {
        guard batch.outlooks[subject] == nil else { return }
        let stored =
            if let rehearsing {
                try outlook(of: subject, by: rehearsing)
            } else {
                try reader.outlook(of: subject)
            }
        batch.stored[subject] = stored
        batch.outlooks[subject] = stored ?? FeedOutlook()
    }

    /// The record of a subject by what was known before; nil for what nobody asks about.
    private mutating func outlook(
        of subject: FeedSubject, by policy: ActivePolicy
    ) throws(LedgerError) -> FeedOutlook? {
        let (last, instant) = (batch.before.place, batch.before.reached)
        switch subject {
        case .account(let account):
            guard policy.name(account) == account else { return nil }
            let facts = try changeReading.facts(of: account).known(upTo: last)
            return FeedOutlook(policy.deriver.deriveAccount(account, facts), at: instant)
        case .order(let id):
            guard let order = try reader.order(id)?.known(upTo: last) else { return nil }
            return FeedOutlook(
                order, at: instant, policy.orderSettings(order.order.value.policy))
        case .entry(let place):
            guard place <= last else { return nil }
            let findings = try reader.feedFindings(becauseOf: place, upTo: last, policy)
            return FeedOutlook(findings, of: place, at: instant)
        }
    }

    private mutating func keep(
        _ new: FeedOutlook, of account: AccountID, at moment: Moment,
        because cause: [LedgerSequence], correcting correction: Correction
    ) {
        let old = batch.outlooks[.account(account)] ?? FeedOutlook()
        for difference in new.differences(from: old, at: moment.at) {
            var change = difference.change(
                of: account, revision: moment.upTo,
                cause: Array(cause.prefix(FeedChange.mostCauses)))
            change.corrected = correction.span(of: difference, before: moment.at)
            batch.changes.append(change)
        }
        batch.outlooks[.account(account)] = new
    }
}

/// The subjects that an entry changes, and the changes of its own.
extension FeedDerivation {
    /// The accounts by the names that are asked about.
    private mutating func changes(
        by entry: Recorded<LedgerEntry>, _ policy: ActivePolicy
    ) throws(LedgerError) -> ChangedAnswers {
        var changed = try changeReading.changes(by: entry, policy)
        // Every spelling is kept a place for: another policy may ask by it.
        for account in changed.accounts.union(changed.deniedOwners)
        where policy.name(account) != account {
            try readOld(.account(account))
        }
        changed.accounts = Set(changed.accounts.map(policy.name))
        changed.deniedOwners = Set(changed.deniedOwners.map(policy.name))
            .subtracting(changed.accounts)
        return changed
    }

    private mutating func tell(
        _ entry: Recorded<LedgerEntry>, policy: ActivePolicy, before: ActivePolicy?
    ) {
        batch.changes.append(
            FeedChange(
                kind: .policyActivated, at: entry.recordedAt, revision: entry.sequence,
                subject: policy.digest.hexadecimal, before: before.map { .policy($0.digest) },
                after: .policy(policy.digest), cause: [entry.sequence]))
    }

    private mutating func emitOwners(
        _ entry: Recorded<LedgerEntry>, _ policy: ActivePolicy
    ) throws(LedgerError) {
        guard case .decision(let decision) = entry.value else { return }
        let before = Set(decision.ownersBefore.map(policy.name))
        let after = Set(decision.ownersAfter.map(policy.name))
        for account in before.symmetricDifference(after).sorted() {
            batch.changes.append(
                FeedChange(
                    kind: .ownerChanged, at: entry.recordedAt, revision: entry.sequence,
                    account: account, environment: decision.unit.environment,
                    subject: decision.unit.feedName, before: .owners(before.sorted()),
                    after: .owners(after.sorted()), cause: [decision.cause, entry.sequence]))
        }
    }
}

extension FeedOutlook.Item {
    /// Whether it is a finding that is open, and has no known end.
    fileprivate var isOpenFinding: Bool {
        key.topic == .finding && present != nil && steps.isEmpty
    }
}

/// The rights of the account that was derived last, valid until an entry concerns it.
struct LatestRights: Sendable {
    let account: AccountID
    let upTo: LedgerSequence
    /// How many policies had been activated.
    let policies: Int
    let rights: AccountRights

    /// The rights as they were known before an entry; nil where they are not known.
    fileprivate func rights(
        of account: AccountID, before entry: LedgerSequence, policies: Int
    ) -> AccountRights? {
        account == self.account && upTo < entry && policies == self.policies ? rights : nil
    }
}

/// What is known differently about the past now.
private final class Correction {
    private let rights: [RightKey: RightTimeline]
    private let derive: () -> [RightKey: RightTimeline]
    /// By the facts known before. Derived only if something changed.
    private lazy var old = derive()

    init(
        rights: [RightKey: RightTimeline], before derive: @escaping () -> [RightKey: RightTimeline]
    ) {
        self.rights = rights
        self.derive = derive
    }

    /// From the first instant at which it is decided otherwise to the last one, up to the present;
    /// nil where the past stays as it was.
    func span(of difference: FeedOutlook.Difference, before instant: Instant) -> Interval? {
        guard difference.key.topic == .right,
            let entitlement = EntitlementName(difference.key.subject)
        else { return nil }
        let key = RightKey(difference.key.environment, entitlement)
        let (left, right) = (old[key] ?? .empty, rights[key] ?? .empty)
        let bounds =
            Set((left.spans + right.spans).map(\.interval.start))
            .filter { $0 < instant }.sorted() + [instant]
        let differing = zip(bounds, bounds.dropFirst()).filter {
            left.span(at: $0.0).isGranted != right.span(at: $0.0).isGranted
        }
        guard let first = differing.first, let last = differing.last else { return nil }
        return Interval(from: first.0, to: last.1)
    }
}

extension FeedDerivation.Batch {
    /// Nobody is told of somebody who was erased.
    func withoutErased(in reader: some LedgerReading) throws(LedgerError) -> Self {
        guard try reader.newestErasure() != nil else { return self }
        var batch = self
        let owners = outlooks.compactMap { $0.key.account ?? $0.value.account }
        var erased: Set<AccountID> = []
        for account in Set(owners + changes.compactMap(\.account))
        where try reader.isPseudonym(account) {
            erased.insert(account)
        }
        batch.changes.removeAll { $0.account.map(erased.contains) ?? false }
        batch.outlooks = outlooks.filter { subject, outlook in
            !((subject.account ?? outlook.account).map(erased.contains) ?? false)
        }
        return batch
    }
}

extension ArraySlice<Recorded<LedgerEntry>> {
    /// Those at its beginning that were recorded at one instant, up to a new policy, with it or
    /// without.
    fileprivate func group(withActivation: Bool) -> ArraySlice {
        guard let instant = first?.recordedAt else { return self }
        let end = firstIndex { $0.recordedAt != instant } ?? endIndex
        let activation = self[..<end].firstIndex { $0.value.isPolicyActivation }
        return self[..<(activation.map { withActivation ? $0 + 1 : $0 } ?? end)]
    }
}

extension LedgerEntry {
    var isErasure: Bool {
        guard case .erasure = self else { return false }
        return true
    }

    var isPolicyActivation: Bool {
        guard case .policyActivation = self else { return false }
        return true
    }
}
