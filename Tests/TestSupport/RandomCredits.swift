internal import EntitlementModel

/// Spends, holds, reversals and lifted freezes, at instants at which something else happens too.
/// They have dice of their own, so that all else of a seed's history stays as it is.
struct RandomCredits {
    private var dice: SplitMix64
    private let accounts: [AccountID]
    private let credits = [CreditName(unchecked: "coins"), CreditName(unchecked: "gems")]

    init(seed: UInt64, accounts: [AccountID]) {
        dice = SplitMix64(seed: seed ^ 0xC4ED_17C4_ED17)
        self.accounts = accounts
    }

    /// The events with others between them, in the ledger's order.
    mutating func mixed(
        into events: [Dated<HistoryEvent>]
    ) -> [Dated<HistoryEvent>] {
        var mixed = events
        guard let last = events.last?.recordedAt, dice.chance(2, in: 3) else { return events }
        for _ in 0..<dice.below(24) {
            let place = dice.below(mixed.count + 1)
            let instant = place < mixed.count ? mixed[place].recordedAt : last
            let event = HistoryEvent.credit(action(at: instant))
            mixed.insert(Dated(event, recordedAt: instant), at: place)
        }
        return mixed
    }

    private mutating func action(at instant: Instant) -> HistoryCredit {
        let account = dice.pick(accounts)
        let environment: StoreEnvironment = dice.chance(1, in: 4) ? .sandbox : .production
        switch dice.below(14) {
        case 0..<4: return .spend(account, environment, parts())
        case 4..<6:
            let steps: Int64 = dice.pick([1, 300_000, 3_600_000, 86_400_000, 2_592_000_000])
            return .hold(
                account, environment, parts(), until: instant.advanced(byMilliseconds: steps))
        case 6: return .endHold(back: dice.below(3), captured: dice.pick([0, 1, 5, 40, 400]))
        case 7, 8: return .reverse(back: dice.below(4), units: dice.pick([1, 5, 40, 400]))
        case 9: return .thaw(account)
        case 10, 11: return gift(to: account, environment, at: instant)
        default:
            return .endGift(
                back: dice.below(2), purchase: dice.chance(3, in: 4) ? dice.below(3) : nil)
        }
    }

    private mutating func gift(
        to account: AccountID, _ environment: StoreEnvironment, at instant: Instant
    ) -> HistoryCredit {
        guard dice.chance(3, in: 4) else {
            let steps: Int64 = dice.pick([3_600_000, 86_400_000, 2_592_000_000])
            return .gift(
                account, environment, .entitlement(dice.pick(Shelf.entitlements)),
                until: instant.advanced(byMilliseconds: steps))
        }
        return .gift(
            account, environment,
            .credit(dice.pick(credits), units: Int64(dice.pick([1, 40, 400]))), until: nil)
    }

    private mutating func parts() -> [CreditPart] {
        let units = Int64(1 + dice.below(dice.pick([3, 30, 300])))
        guard dice.chance(1, in: 4) else { return [CreditPart(dice.pick(credits), units)] }
        return credits.map { CreditPart($0, units) }
    }
}
