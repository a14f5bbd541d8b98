internal import EntitlementModel

/// How much of a purchase was used: so many of so many.
struct ConsumedPart {
    let used: Int64
    /// Above zero.
    let all: Int64

    /// Nil where there is nothing to use.
    init?(_ used: Int64, of all: Int64) {
        guard all > 0 else { return nil }
        self.used = min(max(used, 0), all)
        self.all = all
    }

    /// The part of a stretch of time that has passed; 0 before it begins.
    init?(from start: Instant, to end: Instant, at instant: Instant) {
        self.init(instant.milliseconds(since: start), of: end.milliseconds(since: start))
    }

    /// In thousandths of a percent, rounded down.
    var thousandths: Int64 { Int64(Int128(used) * 100_000 / Int128(all)) }
    var isRounded: Bool { Int128(used) * 100_000 % Int128(all) != 0 }

    static func isSmaller(_ left: ConsumedPart, _ right: ConsumedPart) -> Bool {
        Int128(left.used) * Int128(right.all) < Int128(right.used) * Int128(left.all)
    }
}

extension Specification {
    /// How much of a purchase an account had used at an instant; nil where that cannot be measured
    /// (spec 1.12).
    func consumed(_ purchase: Purchase, by account: AccountID, at instant: Instant) -> ConsumedPart?
    {
        switch purchase.kind?.known {
        case .autoRenewable:
            // What joined a period ends by itself.
            let period = subscriptions[purchase.lineage]?.periods.first { $0.purchase == purchase }
            return (period?.expires ?? purchase.current.expiresDate).flatMap {
                ConsumedPart(from: purchase.start, to: $0, at: instant)
            }
        case .nonRenewing: return passed(of: purchase.unit, at: instant).first
        case .consumable:
            let credits = Set(
                (purchase.sold(under: policies)?.grants ?? []).compactMap { grant in
                    if case .credit(let credit, _, _) = grant { credit } else { nil }
                })
            let spent = credits.compactMap {
                self.spent(of: purchase, $0, by: account, at: instant)
            }
            return (spent + passed(of: purchase.unit, at: instant))
                .min(by: ConsumedPart.isSmaller)
        case .nonConsumable, .free, nil: return nil
        }
    }

    private func passed(of unit: OwnedUnit, at instant: Instant) -> [ConsumedPart] {
        (stretches[unit] ?? []).compactMap { stretch in
            // What was revoked before it began was never used.
            stretch.hasVanished
                ? ConsumedPart(0, of: 1)
                : ConsumedPart(from: stretch.start, to: stretch.end, at: instant)
        }
    }
}
