internal import EntitlementModel

/// The circumstances that conditions look at, one bit for each enumeration and one byte for
/// each, so that all of them are compared at once.
struct CircumstanceBits: Hashable {
    private(set) var word: UInt64 = 0

    enum Field: UInt64 {
        case kind = 0
        case state = 8
        case environment = 16
        case ownership = 24
        case offer = 32
        case expiryReason = 40
        case autoRenew = 48
        case revocation = 56
    }

    /// The bit of what no word of a policy names: only conditions that leave the field out
    /// match it.
    static let unnamed: UInt64 = 0x80

    mutating func set(_ field: Field, _ bit: UInt64) {
        word &= ~(0xFF << field.rawValue)
        word |= bit << field.rawValue
    }

    mutating func set(_ field: Field, to value: (some CircumstanceWord)?) {
        set(field, value?.bit ?? Self.unnamed)
    }
}

/// What the enumerations do not hold of the circumstances at an instant.
struct Circumstances {
    var bits = CircumstanceBits()
    var purchased: Instant
    var firstPurchased: Instant
    var enteredAt: Instant
    /// Nil where nothing says until when it is paid for.
    var paidUntil: Instant?
    var storefront: String?
    /// Nil for the answer of an Apple ID.
    var account: AccountID?
}

/// A `when` or `unless` without what follows from the product, which is compared once when the
/// policy is compiled.
struct CompiledCondition: Sendable {
    /// All ones in the byte of a field that is omitted.
    private let mask: UInt64
    private let storefronts: [String]?
    let accounts: [NamePattern]?
    private let foldsAccounts: Bool
    private let stateAges: [AgeBound]
    private let unpaidFor: [AgeBound]
    private let purchased: [DateBound]
    private let firstPurchased: [DateBound]
    private let at: [DateBound]
    private let isMaskOnly: Bool

    init(_ condition: Condition, foldsAccounts: Bool) {
        self.foldsAccounts = foldsAccounts
        var bits = CircumstanceBits()
        bits.set(.kind, Self.mask(condition.kinds))
        bits.set(.state, Self.mask(condition.states))
        bits.set(.environment, Self.mask(condition.environments))
        bits.set(.ownership, Self.mask(condition.ownerships.map(Self.asJudged)))
        bits.set(.offer, Self.mask(condition.offers))
        bits.set(.expiryReason, Self.mask(condition.expiryReasons))
        bits.set(.autoRenew, Self.mask(condition.autoRenews))
        bits.set(.revocation, Self.mask(condition.revocations))
        mask = bits.word
        storefronts = condition.storefronts
        accounts = condition.accounts
        stateAges = condition.stateAges ?? []
        unpaidFor = condition.unpaidFor ?? []
        purchased = condition.purchased ?? []
        firstPurchased = condition.firstPurchased ?? []
        at = condition.at ?? []
        isMaskOnly =
            storefronts == nil && accounts == nil && stateAges.isEmpty && unpaidFor.isEmpty
            && purchased.isEmpty && firstPurchased.isEmpty && at.isEmpty
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
        if let accounts {
            guard let account = circumstances.account,
                accounts.match(account, folding: foldsAccounts)
            else { return false }
        }
        if !unpaidFor.isEmpty {
            guard let paidUntil = circumstances.paidUntil, paidUntil <= instant,
                unpaidFor.contains(where: { $0.holds(from: paidUntil, at: instant) })
            else { return false }
        }
        let enteredAt = circumstances.enteredAt
        let (bought, first) = (circumstances.purchased, circumstances.firstPurchased)
        return Self.isAny(of: stateAges) { $0.holds(from: enteredAt, at: instant) }
            && Self.isAny(of: purchased) { $0.holds(at: bought) }
            && Self.isAny(of: firstPurchased) { $0.holds(at: first) }
            && Self.isAny(of: at) { $0.holds(at: instant) }
    }

    /// A list means any of (spec 2.1); a field that is omitted matches all.
    private static func isAny<Bound>(of bounds: [Bound], _ holds: (Bound) -> Bool) -> Bool {
        bounds.isEmpty || bounds.contains(where: holds)
    }

    private static func mask(_ words: [some CircumstanceWord]?) -> UInt64 {
        words?.reduce(0) { $0 | $1.bit } ?? 0xFF
    }

    /// `not-stated` ownership is judged as `purchased` (spec 1.5), and has its own word as well.
    private static func asJudged(_ words: [OwnershipWord]) -> [OwnershipWord] {
        words.contains(.purchased) ? words + [.notStated] : words
    }
}

extension AgeBound {
    func holds(from start: Instant, at instant: Instant) -> Bool {
        switch self {
        case .under(let age): instant < age.end(from: start)
        case .atLeast(let age): instant >= age.end(from: start)
        case .between(let least, let end):
            instant >= least.end(from: start) && instant < end.end(from: start)
        }
    }

    /// Where it begins or ceases to hold.
    var ages: [Period] {
        switch self {
        case .under(let age), .atLeast(let age): [age]
        case .between(let least, let end): [least, end]
        }
    }
}

extension DateBound {
    /// Where it begins or ceases to hold.
    var instants: [Instant] {
        switch self {
        case .before(let instant), .from(let instant): [instant]
        case .within(let start, let end): [start, end]
        }
    }
}

/// A value of an enumeration that conditions compare, as one bit of a byte: by its place among
/// the cases. The eighth bit is for what no word names, or the eighth case where one names all.
protocol CircumstanceWord: CaseIterable, Equatable {}

extension CircumstanceWord {
    var bit: UInt64 {
        var bit: UInt64 = 0x01
        for word in Self.allCases {
            precondition(
                bit <= 0x80, "an enumeration that conditions compare has at most eight cases")
            if word == self { return bit }
            bit <<= 1
        }
        preconditionFailure("every case is one of all")
    }
}

extension ProductKind: CircumstanceWord {}
extension EntitlementState: CircumstanceWord {}
extension StoreEnvironment: CircumstanceWord {}
extension OwnershipWord: CircumstanceWord {}
extension OfferWord: CircumstanceWord {}
extension ExpiryReason: CircumstanceWord {}
extension AutoRenewWord: CircumstanceWord {}
extension RevocationWord: CircumstanceWord {}
