internal import EntitlementModel

/// Units that came together and end together.
struct CreditLot {
    enum ID: Hashable {
        /// At the instant of its delivery: a subscription has several.
        case purchase(TransactionKey, at: Instant)
        case grant(GrantID)
        /// What an entry brought that no lot was burnt for.
        case entry(LedgerSequence)
    }

    let name: Name
    /// Of the entry that brought them.
    let cause: CreditTimeline.Entry
    var left: Int128 = 0
    /// What has expired of it.
    var lapsed: Int128 = 0
    /// Whatever comes back to it expires at once.
    var isEnded = false
}

extension CreditLot {
    /// Which lot it is, and when it burns.
    struct Name {
        let id: ID
        /// Of the purchase or the grant, whenever they come to an account.
        let start: Instant
        /// Nil where they never expire.
        let end: Instant?
    }
}

extension CreditLot.Name {
    /// Soonest expiry first, then oldest, then by id (spec 1.7).
    static func burnsBefore(_ left: Self, _ right: Self) -> Bool {
        if left.end != right.end {
            guard let leftEnd = left.end else { return false }
            return right.end.map { leftEnd < $0 } ?? true
        }
        if left.start != right.start { return left.start < right.start }
        let (leftText, rightText) = (left.text, right.text)
        if leftText.id != rightText.id {
            let counts = (leftText.id.utf8.count, rightText.id.utf8.count)
            return counts.0 == counts.1 ? leftText.id < rightText.id : counts.0 < counts.1
        }
        return leftText.kind < rightText.kind
    }

    private var text: (id: String, kind: String) {
        switch id {
        case .purchase(let key, _): (key.transactionID.text, key.environment.rawValue)
        case .grant(let id): (id.text, "")
        case .entry(let sequence): ("\(sequence)", "-")
        }
    }
}

/// Something that happens to one credit of an account.
struct CreditEvent {
    enum Effect {
        case give(CreditLot.Name, units: Int64)
        /// The rest expires.
        case end(CreditLot.ID)
        case clawBack(CreditLot.Name, units: Int64, isFloored: Bool)
        case moveOut(CreditLot.ID, units: Int64)
        /// A balance that a merge moves besides lots; negative if it is taken.
        case carry(Int64)
        case spend(Int64)
        case hold(Int64, id: LedgerSequence)
        /// A hold reaches its end.
        case release(LedgerSequence)
        /// An early end of a hold; what is not captured is free again.
        case capture(Int64, hold: LedgerSequence)
        case reverse(Int64, spend: LedgerSequence)
    }

    /// The order of what happens in one instant.
    enum Rank: Int {
        case release, gift, clawBack, expiry, action
    }

    let rank: Rank
    /// Decides between events of one rank; between gifts and between claw-backs only where their
    /// lots do not.
    let order: [LedgerSequence]
    let effect: Effect
    /// Its entry in the balance, without the units.
    let entry: CreditTimeline.Entry

    static func isEarlier(_ left: CreditEvent, _ right: CreditEvent) -> Bool {
        if left.entry.occurredAt != right.entry.occurredAt {
            return left.entry.occurredAt < right.entry.occurredAt
        }
        if left.rank != right.rank { return left.rank.rawValue < right.rank.rawValue }
        if let own = left.effect.burning, let other = right.effect.burning {
            if CreditLot.Name.burnsBefore(own, other) { return true }
            if CreditLot.Name.burnsBefore(other, own) { return false }
        }
        return left.order.lexicographicallyPrecedes(right.order)
    }
}

extension CreditEvent.Effect {
    /// The lot by which events of one instant and rank are ordered: what burns first pays a debt
    /// first, and is taken back first.
    fileprivate var burning: CreditLot.Name? {
        switch self {
        case .give(let name, _), .clawBack(let name, _, _): name
        case .end, .moveOut, .carry, .spend, .hold, .release, .capture, .reverse: nil
        }
    }
}

/// The lots of one credit of an account, as events are applied to them in order. A debt exists only
/// while every lot is empty: new lots pay it.
struct CreditLots {
    /// What something took, in burn order.
    private struct Burn {
        var takes: [(lot: Int, units: Int128)] = []
        var debt: Int128 = 0

        var units: Int128 { takes.reduce(debt) { $0 + $1.units } }

        func units(of lot: Int) -> Int128 {
            takes.reduce(0) { $1.lot == lot ? $0 + $1.units : $0 }
        }

        /// Adds a later burn.
        mutating func add(_ other: Burn) {
            takes += other.takes
            debt += other.debt
        }
    }

    private struct Hold {
        let burn: Burn
        let units: Int64
        var place: Int
    }

    private(set) var entries: [CreditTimeline.Entry] = []
    /// Of all entries, those among them that were forgotten: what can be spent.
    private(set) var sum: Int128 = 0
    /// The held units, not in `sum`.
    private(set) var held: Int128 = 0
    private(set) var holds: [HeldCredit] = []
    private var lots: [CreditLot] = []
    private var places: [CreditLot.ID: Int] = [:]
    /// Those with units left, in burn order.
    private var live: [Int] = []
    private var debt: Int128 = 0
    private var open: [LedgerSequence: Hold] = [:]
    private var spends: [LedgerSequence: Burn] = [:]
    /// What merges took for spends of other accounts.
    private var carried = Burn()

    private var balance: Int128 {
        live.reduce(-debt) { $0 + lots[$1].left }
    }

    /// Units of a lot that were spent, including spends moved by a merge, and not returned.
    func spent(of id: CreditLot.ID) -> Int128 {
        guard let lot = places[id] else { return 0 }
        return spends.values.reduce(carried.units(of: lot)) { $0 + $1.units(of: lot) }
    }

    mutating func apply(_ event: CreditEvent) {
        switch event.effect {
        case .give(let name, let units):
            let lot = lot(name, event.entry)
            note(event, units: Int128(units))
            give(Int128(units), to: lot, event)
        case .end(let id):
            guard let lot = places[id] else { return }
            lots[lot].isEnded = true
            expire(lot, event)
        case .clawBack(let name, let units, let isFloored):
            // What has expired is gone already.
            let lapsed = places[name.id].map { lots[$0].lapsed } ?? 0
            let due = max(Int128(units) - lapsed, 0)
            let taken = isFloored ? min(due, max(balance, 0)) : due
            _ = take(taken, first: places[name.id])
            note(event, units: -taken)
        case .moveOut(let id, let units):
            _ = take(Int128(units), first: places[id])
            note(event, units: -Int128(units))
        case .carry(let units): carry(Int128(units), event)
        case .spend(let units): spend(Int128(units), event)
        case .hold(let units, let id): hold(units, id, event)
        case .release(let id): release(id, capturing: 0, event)
        case .capture(let units, let id): release(id, capturing: Int128(units), event)
        case .reverse(let units, let spend): reverse(Int128(units), spend, event)
        }
    }

    /// An entry of no units says nothing.
    private mutating func note(
        _ event: CreditEvent, _ cause: CreditTimeline.Entry.Cause? = nil, units: Int128
    ) {
        guard units != 0 else { return }
        var entry = event.entry
        entry.units = Int64(clamping: units)
        if let cause { entry.cause = cause }
        append(entry)
    }

    private mutating func append(_ entry: CreditTimeline.Entry) {
        sum += Int128(entry.units)
        entries.append(entry)
    }
}

/// For spending only: the amounts, without their history.
extension CreditLots {
    /// The memory used: lots and holds.
    var weight: Int { lots.count + open.count }

    /// Forgets the past. Earlier spends cannot be reversed afterwards.
    mutating func forgetPast() {
        entries.removeAll(keepingCapacity: true)
        spends.removeAll(keepingCapacity: true)
        guard holds.count != open.count else { return }
        holds = holds.filter { open[$0.id] != nil }
        for (place, hold) in holds.enumerated() { open[hold.id]?.place = place }
    }
}

/// Lots.
extension CreditLots {
    private mutating func lot(
        _ name: CreditLot.Name, _ cause: CreditTimeline.Entry
    ) -> Int {
        if let known = places[name.id] { return known }
        lots.append(CreditLot(name: name, cause: cause))
        places[name.id] = lots.count - 1
        return lots.count - 1
    }

    /// A debt is paid first. What an ended lot gets expires, with an entry that says so.
    private mutating func give(_ units: Int128, to lot: Int, _ event: CreditEvent) {
        guard units > 0 else {
            debt -= units
            return payFromLots()
        }
        let paid = min(units, debt)
        debt -= paid
        add(units - paid, to: lot)
        if lots[lot].isEnded { expire(lot, event) }
    }

    private mutating func add(_ units: Int128, to lot: Int) {
        guard units > 0 else { return }
        if lots[lot].left == 0 {
            let place = live.firstIndex {
                CreditLot.Name.burnsBefore(lots[lot].name, lots[$0].name)
            }
            live.insert(lot, at: place ?? live.endIndex)
        }
        lots[lot].left += units
    }

    private mutating func remove(_ units: Int128, from lot: Int) {
        lots[lot].left -= units
        if lots[lot].left == 0 { live.removeAll { $0 == lot } }
    }

    private mutating func payFromLots() {
        let owed = debt
        debt = 0
        _ = take(owed, first: nil)
    }

    /// From one lot first, then in burn order; the rest is owed.
    private mutating func take(_ units: Int128, first lot: Int?) -> Burn {
        var (burn, rest) = (Burn(), units)
        if let lot, case let taken = min(rest, lots[lot].left), taken > 0 {
            remove(taken, from: lot)
            burn.takes.append((lot, taken))
            rest -= taken
        }
        while rest > 0, let next = live.first {
            let taken = min(rest, lots[next].left)
            remove(taken, from: next)
            burn.takes.append((next, taken))
            rest -= taken
        }
        burn.debt = rest
        debt += rest
        return burn
    }

    private mutating func expire(_ lot: Int, _ event: CreditEvent) {
        let left = lots[lot].left
        guard left > 0 else { return }
        remove(left, from: lot)
        lots[lot].lapsed += left
        var entry = lots[lot].cause
        entry.occurredAt = event.entry.occurredAt
        entry.units = Int64(clamping: -left)
        entry.cause = .expiry
        entry.facts = entry.facts.reduce(event.entry.facts) {
            $0.ascendingWithoutRepetition(adding: $1)
        }
        append(entry)
    }
}

/// Spends and holds.
extension CreditLots {
    private mutating func spend(_ units: Int128, _ event: CreditEvent) {
        note(event, units: -units)
        if let id = event.entry.action { spends[id] = take(units, first: nil) }
    }

    private mutating func hold(_ units: Int64, _ id: LedgerSequence, _ event: CreditEvent) {
        note(event, units: -Int128(units))
        holds.append(HeldCredit(id: id, units: units, from: event.entry.occurredAt))
        held += Int128(units)
        open[id] = Hold(
            burn: take(Int128(units), first: nil), units: units, place: holds.count - 1)
    }

    /// Captured units are taken from the held ones, soonest expiry first, even if they have expired
    /// since.
    private mutating func release(
        _ id: LedgerSequence, capturing units: Int128, _ event: CreditEvent
    ) {
        guard let hold = open.removeValue(forKey: id) else {
            // The hold was over before: a capture is a spend like any other.
            if units > 0 { return spend(units, event) }
            return
        }
        held -= Int128(hold.units)
        holds[hold.place].until = event.entry.occurredAt
        note(event, .release, units: Int128(hold.units))
        let (captured, rest) = split(hold.burn, at: units)
        if units > 0 {
            note(event, .spend, units: -units)
            var burn = captured
            let more = units - captured.units
            if more > 0 { burn.add(take(more, first: nil)) }
            if let spend = event.entry.action { spends[spend] = burn }
        }
        giveBack(rest, event)
    }

    private mutating func reverse(
        _ units: Int128, _ spend: LedgerSequence, _ event: CreditEvent
    ) {
        note(event, units: units)
        var missing = units
        if let burn = spends[spend] {
            let (kept, back) = split(burn, at: max(burn.units - units, 0))
            spends[spend] = kept
            missing -= back.units
            giveBack(back, event)
        }
        // A spend of an account that was merged into this one.
        bringBack(missing, event)
    }

    private mutating func carry(_ units: Int128, _ event: CreditEvent) {
        note(event, units: units)
        if units > 0 { bringBack(units, event) } else { carried.add(take(-units, first: nil)) }
    }

    /// Units that merges took for spends of another account; the rest came as a debt.
    private mutating func bringBack(_ units: Int128, _ event: CreditEvent) {
        guard units > 0 else { return }
        var (kept, back) = split(carried, at: max(carried.units - units, 0))
        carried = kept
        back.debt += units - back.units
        giveBack(back, event)
    }

    /// Units return to the lots they came from, the last taken first: in parts the result is the
    /// same as at once. A debt that was paid since comes as a lot of its own, without an end.
    private mutating func giveBack(_ burn: Burn, _ event: CreditEvent) {
        if burn.debt > 0 {
            let owed = CreditLot.Name(
                id: .entry(event.order.last ?? .zero), start: event.entry.occurredAt, end: nil)
            give(burn.debt, to: lot(owed, event.entry), event)
        }
        for take in burn.takes.reversed() { give(take.units, to: take.lot, event) }
    }

    /// The first units of a burn, and the rest of it.
    private func split(_ burn: Burn, at units: Int128) -> (first: Burn, rest: Burn) {
        var (first, rest, missing) = (Burn(), Burn(), units)
        for take in burn.takes {
            let part = min(take.units, missing)
            missing -= part
            if part > 0 { first.takes.append((take.lot, part)) }
            if part < take.units { rest.takes.append((take.lot, take.units - part)) }
        }
        first.debt = min(burn.debt, missing)
        rest.debt = burn.debt - first.debt
        return (first, rest)
    }
}
