internal import EntitlementModel

/// The circumstances that conditions test, one bit for each word of an enumeration and one byte for
/// each enumeration, so that all are compared at once.
struct CircumstanceBits {
    fileprivate private(set) var word: UInt128

    /// The bytes of the word.
    enum Field: UInt128 {
        case kind = 0
        case state = 8
        case environment = 16
        case ownership = 24
        case offer = 32
        case expiryReason = 40
        case autoRenew = 48
        case revocation = 56
        case paid = 64
    }

    /// The bit of what no word of a policy names: only conditions that leave the field out
    /// match it.
    private static let unnamed: UInt8 = 0x80

    /// Unknown circumstances: an unset value has no name.
    init() { word = 0x8080_8080_8080_8080_8080_8080_8080_8080 }

    /// Of a condition that asks for nothing.
    fileprivate init(allowsAll: Void) { word = .max }

    private mutating func set(_ field: Field, _ bits: UInt8) {
        word &= ~(0xFF << field.rawValue)
        word |= UInt128(bits) << field.rawValue
    }

    mutating func set(_ field: Field, to value: (some PolicyWord)?) {
        set(field, value?.bit ?? Self.unnamed)
    }

    /// Allows only these words of a field; nil leaves it as it is.
    fileprivate mutating func allow(_ field: Field, _ words: [some PolicyWord]?) {
        if let words { set(field, words.reduce(0) { $0 | $1.bit }) }
    }
}

/// The circumstances at an instant that are not in enumerations.
struct Circumstances {
    var bits = CircumstanceBits()
    var purchased: Instant
    var firstPurchased: Instant
    var enteredAt: Instant
    /// Nil where nothing says until when it is paid for.
    var paidUntil: Instant?
    /// Nil where it is in no subscription group, and where no rule asks.
    var memberTime: MemberTime?
    var storefront: String?
    /// Of the app's own purchase.
    var firstVersion: AppVersion?
    /// Nil for the answer of an Apple ID.
    var account: AccountID?
}

/// A `when` or `unless` without what follows from the product, which is compared once when the
/// policy is compiled.
struct CompiledCondition: Sendable {
    /// All ones in the byte of a field that is omitted.
    private let mask: UInt128
    private let storefronts: [String]?
    private let firstVersions: [VersionBound]?
    let accounts: [NamePattern]?
    private let foldsAccounts: Bool
    fileprivate let times: [TimeCondition]
    private let isMaskOnly: Bool

    init(_ condition: Condition, foldsAccounts: Bool) {
        self.foldsAccounts = foldsAccounts
        storefronts = condition.storefronts
        firstVersions = condition.firstVersions
        accounts = condition.accounts
        var bits = CircumstanceBits(allowsAll: ())
        var times: [TimeCondition] = []
        func measure(_ measure: TimeCondition.Measure, _ ranges: [BoundRange]?) {
            if let ranges { times.append(TimeCondition(measure: measure, ranges: ranges)) }
        }
        for field in ConditionField.allCases {
            switch field {
            case .kind: bits.allow(.kind, condition.kinds)
            case .state: bits.allow(.state, condition.states)
            case .environment: bits.allow(.environment, condition.environments)
            case .ownership: bits.allow(.ownership, condition.ownerships?.asJudged)
            case .offer: bits.allow(.offer, condition.offers)
            case .expiryReason: bits.allow(.expiryReason, condition.expiryReasons)
            case .autoRenew: bits.allow(.autoRenew, condition.autoRenews)
            case .revocation: bits.allow(.revocation, condition.revocations)
            case .paid: bits.allow(.paid, condition.paid)
            case .stateAge: measure(.stateAge, condition.stateAges?.map(\.range))
            case .unpaidFor: measure(.unpaidFor, condition.unpaidFor?.map(\.range))
            case .memberFor: measure(.memberFor, condition.memberFor?.map(\.range))
            case .purchased: measure(.purchased, condition.purchased?.map(\.range))
            case .firstPurchased:
                measure(.firstPurchased, condition.firstPurchased?.map(\.range))
            case .bought: measure(.firstPurchased, condition.bought?.map(\.range))
            case .at: measure(.at, condition.at?.map(\.range))
            // Compared below.
            case .storefront, .account, .firstVersion: break
            // `Condition.admits`, and where claims are decided.
            case .product, .group, .level, .entitlement, .token, .moment, .quantity: break
            }
        }
        mask = bits.word
        self.times = times
        isMaskOnly =
            storefronts == nil && firstVersions == nil && accounts == nil && times.isEmpty
    }

    func holds(_ circumstances: borrowing Circumstances, at instant: Instant) -> Bool {
        guard mask & circumstances.bits.word == circumstances.bits.word else { return false }
        return isMaskOnly || restHolds(circumstances, at: instant)
    }

    private func restHolds(_ circumstances: borrowing Circumstances, at instant: Instant) -> Bool {
        if let storefronts {
            guard let storefront = circumstances.storefront, storefronts.contains(storefront)
            else { return false }
        }
        if let firstVersions {
            guard let version = circumstances.firstVersion,
                firstVersions.contains(where: { $0.contains(version) })
            else { return false }
        }
        if let accounts {
            guard let account = circumstances.account,
                accounts.match(account, folding: foldsAccounts)
            else { return false }
        }
        for time in times where !time.holds(circumstances, at: instant) { return false }
        return true
    }
}

/// Where conditions begin or cease to hold while nothing happens.
struct TimeSplits: Sendable {
    /// The bounds that each measure is compared with.
    private let bounds: [(measure: TimeCondition.Measure, cuts: Set<Int64>)]
    /// Whether some condition asks how long somebody has been a member.
    let asksForMemberTime: Bool

    init(_ conditions: [CompiledCondition]) {
        let times = Dictionary(grouping: conditions.flatMap(\.times), by: \.measure)
        bounds = times.map { measure, times in
            (measure, Set(times.flatMap(\.ranges).flatMap(\.cuts)))
        }
        asksForMemberTime = times[.memberFor] != nil
    }

    /// Every instant inside a stretch of one state at which a condition changes, ascending.
    func instants(in interval: Interval, _ circumstances: borrowing Circumstances) -> [Instant] {
        guard !bounds.isEmpty else { return [] }
        var instants: [Instant] = []
        func cut(at instant: Instant?) {
            guard let instant, interval.start < instant, interval.contains(instant),
                !instants.contains(instant)
            else { return }
            instants.append(instant)
        }
        for (measure, cuts) in bounds {
            switch measure {
            case .at: for instant in cuts { cut(at: Instant(milliseconds: instant)) }
            case .stateAge:
                for age in cuts { cut(at: circumstances.enteredAt.advanced(byMilliseconds: age)) }
            case .unpaidFor:
                cut(at: circumstances.paidUntil)
                for age in cuts { cut(at: circumstances.paidUntil?.advanced(byMilliseconds: age)) }
            case .memberFor:
                for length in cuts { cut(at: circumstances.memberTime?.instant(reaching: length)) }
            // The same at every instant.
            case .purchased, .firstPurchased: break
            }
        }
        return instants.sorted()
    }
}

/// Bounds of one length or instant, any of which must hold (spec 2.1).
private struct TimeCondition: Sendable {
    enum Measure {
        case stateAge
        case unpaidFor
        case memberFor
        case purchased
        case firstPurchased
        case at
    }

    let measure: Measure
    let ranges: [BoundRange]

    func holds(_ circumstances: borrowing Circumstances, at instant: Instant) -> Bool {
        switch measure {
        case .stateAge: return isIn(from: circumstances.enteredAt, to: instant)
        case .unpaidFor:
            guard let paidUntil = circumstances.paidUntil, paidUntil <= instant else {
                return false
            }
            return isIn(from: paidUntil, to: instant)
        case .memberFor:
            guard let length = circumstances.memberTime?.length(until: instant) else {
                return false
            }
            return ranges.contains { $0.contains(length) }
        case .purchased: return isIn(circumstances.purchased)
        case .firstPurchased: return isIn(circumstances.firstPurchased)
        case .at: return isIn(instant)
        }
    }

    private func isIn(_ instant: Instant) -> Bool {
        ranges.contains { $0.contains(instant.milliseconds) }
    }

    private func isIn(from start: Instant, to end: Instant) -> Bool {
        ranges.contains { $0.contains(from: start, to: end) }
    }
}

extension PolicyWord {
    /// One bit of a byte, by its place among the cases. The eighth bit is for what no word names,
    /// or the eighth case where one names all.
    fileprivate var bit: UInt8 {
        var bit: UInt8 = 0x01
        for word in Self.allCases {
            if word == self { return bit }
            precondition(
                bit < 0x80, "an enumeration that conditions compare has at most eight cases")
            bit <<= 1
        }
        preconditionFailure("every case is one of all")
    }
}
