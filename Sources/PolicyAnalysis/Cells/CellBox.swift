internal import EntitlementModel

/// A set of cells: on each axis some of its values, as bits; it holds every combination of them.
struct CellBox: Hashable {
    fileprivate(set) var words: [UInt64]
}

/// Where the bits of each axis lie in a box.
struct CellLayout {
    /// By axis: the words of a box that are its.
    private let words: [Range<Int>]
    /// By axis: how many values it has.
    let counts: [Int]
    let full: CellBox

    init(counts: [Int]) {
        self.counts = counts
        var ranges: [Range<Int>] = []
        var bits: [UInt64] = []
        for count in counts {
            let width = (count + 63) / 64
            ranges.append(bits.count..<bits.count + width)
            for word in 0..<width {
                let left = count - word * 64
                bits.append(left >= 64 ? .max : (1 << UInt64(left)) - 1)
            }
        }
        words = ranges
        full = CellBox(words: bits)
    }

    /// The box with only those values on an axis that are asked for, by their position.
    func restricting(
        _ box: CellBox, _ axis: CellAxis, to isKept: (Int) -> Bool
    ) -> CellBox {
        var result = box
        let range = words[axis.index]
        for value in 0..<counts[axis.index] where !isKept(value) {
            result.words[range.lowerBound + value / 64] &= ~(1 << UInt64(value % 64))
        }
        return result
    }

    func contains(_ box: CellBox, _ axis: CellAxis, _ value: Int) -> Bool {
        let word = box.words[words[axis.index].lowerBound + value / 64]
        return word & (1 << UInt64(value % 64)) != 0
    }

    /// The values of an axis that are in the box, ascending.
    func values(_ box: CellBox, _ axis: CellAxis) -> [Int] {
        (0..<counts[axis.index]).filter { contains(box, axis, $0) }
    }

    func first(_ box: CellBox, _ axis: CellAxis) -> Int? {
        let range = words[axis.index]
        for (offset, index) in range.enumerated() where box.words[index] != 0 {
            return offset * 64 + box.words[index].trailingZeroBitCount
        }
        return nil
    }

    func last(_ box: CellBox, _ axis: CellAxis) -> Int? {
        let range = words[axis.index]
        for (offset, index) in range.enumerated().reversed() where box.words[index] != 0 {
            return offset * 64 + 63 - box.words[index].leadingZeroBitCount
        }
        return nil
    }

    func isEmpty(_ box: CellBox) -> Bool {
        words.contains { range in range.allSatisfy { box.words[$0] == 0 } }
    }

    /// The cells of both; nil where there are none.
    func intersection(_ left: CellBox, _ right: CellBox) -> CellBox? {
        var result = left
        for index in result.words.indices { result.words[index] &= right.words[index] }
        return isEmpty(result) ? nil : result
    }

    /// Whether every cell of the second is one of the first.
    func covers(_ left: CellBox, _ right: CellBox) -> Bool {
        for index in left.words.indices where right.words[index] & ~left.words[index] != 0 {
            return false
        }
        return true
    }

    /// The cells of a box that are outside another, in boxes that do not overlap.
    func remainder(of box: CellBox, outside other: CellBox) -> [CellBox] {
        var rest = box
        var pieces: [CellBox] = []
        for range in words {
            var piece = rest
            var isAny = false
            for index in range {
                piece.words[index] &= ~other.words[index]
                isAny = isAny || piece.words[index] != 0
                rest.words[index] &= other.words[index]
            }
            if isAny { pieces.append(piece) }
            if range.allSatisfy({ rest.words[$0] == 0 }) { return pieces }
        }
        return pieces
    }
}

/// What a case is told by, besides its product, its entitlement and the question that is asked: a
/// field of conditions. A state has its reasons with it (`Standing`).
struct CellAxis: Hashable {
    let field: ConditionField
    /// Its place among all.
    let index: Int

    /// Nil for what the product and the entitlement decide.
    init?(_ field: ConditionField) {
        let field = Standing.fields.contains(field) ? .state : field
        guard let index = Self.fields.firstIndex(of: field) else { return nil }
        self.init(field: field, index: index)
    }

    private init(field: ConditionField, index: Int) {
        (self.field, self.index) = (field, index)
    }

    /// The fields of a case in the order in which an example tells them, and in which its plainest
    /// values are looked for. What is not named here comes last.
    static let facts: [ConditionField] = {
        let first: [ConditionField] = [
            .state, .expiryReason, .revocation, .environment, .ownership, .offer, .autoRenew,
            .storefront, .account, .token, .moment, .stateAge, .unpaidFor, .purchased,
            .firstPurchased, .at,
        ]
        return first + ConditionField.ofCases.filter { !first.contains($0) }
    }()

    private static let fields = facts.filter {
        $0 == .state || !Standing.fields.contains($0)
    }

    static let all = fields.enumerated().map { CellAxis(field: $1, index: $0) }

    static let standing = known(.state)
    static let environment = known(.environment)
    static let autoRenew = known(.autoRenew)
    static let account = known(.account)
    static let token = known(.token)
    static let moment = known(.moment)
    static let stateAge = known(.stateAge)
    static let unpaid = known(.unpaidFor)
    static let memberTime = known(.memberFor)
    static let at = known(.at)
    static let purchased = known(.purchased)
    static let firstPurchased = known(.firstPurchased)

    private static func known(_ field: ConditionField) -> CellAxis {
        guard let axis = CellAxis(field) else { preconditionFailure("a case has the field") }
        return axis
    }
}

/// What a case has on an axis.
enum CellValue: Hashable, Sendable {
    case standing(Standing)
    case word(String)
    /// Nil for any that no condition names, and for none.
    case name(String?)
    /// One that stands for all that the same patterns match; nil where the question is an Apple
    /// ID's.
    case account(AccountID?)
    /// Nil where the case does not have what is measured.
    case range(CellRange?)

    static func word(_ word: some PolicyWord) -> CellValue { .word(word.rawValue) }
}

/// A field of a condition, held against what cases have there.
struct CellTest {
    let field: ConditionField
    private let names: Set<String>
    private let patterns: [NamePattern]
    private let ranges: [BoundRange]
    /// Nil where it is not about versions.
    private let versions: [VersionBound]?
    private let foldsAccounts: Bool

    /// All fields of a condition that the product and the entitlement do not decide.
    static func all(of condition: Condition, foldsAccounts: Bool) -> [CellTest] {
        condition.besideProduct.written.map {
            CellTest($0.field, $0.values, foldsAccounts: foldsAccounts)
        }
    }

    private init(_ field: ConditionField, _ values: ConditionValues, foldsAccounts: Bool) {
        self.field = field
        self.foldsAccounts = foldsAccounts
        var names: [String] = []
        if case .names(let written) = values { names = written }
        if field == .ownership {
            names = names.compactMap(OwnershipWord.init(rawValue:)).asJudged.map(\.rawValue)
        }
        self.names = Set(names)
        patterns = names.map { NamePattern($0) }
        ranges = values.ranges
        versions = if case .versions(let bounds) = values { bounds } else { nil }
    }

    /// Of a range that none of the bounds cuts. What a case does not have meets nothing.
    func holds(_ value: CellValue?) -> Bool {
        switch value {
        case .standing(let standing): standing.word(of: field).map(names.contains) ?? false
        case .word(let word): names.contains(word)
        case .name(let name):
            if let versions {
                name.flatMap { AppVersion($0) }.map { version in
                    versions.contains { $0.contains(version) }
                } ?? false
            } else {
                name.map(names.contains) ?? false
            }
        case .account(let account):
            account.map { patterns.match($0, folding: foldsAccounts) } ?? false
        case .range(let range):
            range.map { range in ranges.contains { $0.contains(range.lower) } } ?? false
        case nil: false
        }
    }
}

extension [ConditionValues] {
    /// Versions that their bounds can tell apart, the plainest first; none of a version that is not
    /// numbers and dots.
    var versions: [String] {
        let bounds = flatMap { values -> [VersionBound] in
            if case .versions(let bounds) = values { bounds } else { [] }
        }
        let cuts = Set(bounds.flatMap(\.cuts) + [AppVersion("0")].compactMap(\.self))
        return cuts.sorted().map(\.text)
    }
}

/// A state with what goes with it: an expiry reason only when expired, a revocation only when
/// revoked.
struct Standing: Hashable {
    var state: EntitlementState
    var expiryReason: ExpiryReason?
    var revocation: RevocationWord?

    /// The plainest first.
    static let all: [Standing] =
        [EntitlementState.active, .renewing, .grace, .billingRetry].map { Standing(state: $0) }
        + ExpiryReason.allCases.map { Standing(state: .expired, expiryReason: $0) }
        + RevocationWord.allCases.map { Standing(state: .revoked, revocation: $0) }

    /// Those that it has words of.
    static let fields: [ConditionField] = [.state, .expiryReason, .revocation, .paid]

    func word(of field: ConditionField) -> String? {
        if field == .state { return state.rawValue }
        if field == .paid { return (state == .active ? PaidWord.yes : .no).rawValue }
        return field == .expiryReason ? expiryReason?.rawValue : revocation?.rawValue
    }

    /// Whether a purchase of the kind can be in it (spec 1.4). Only of a subscription it is known
    /// why it expired. A consumable that gives a right for a time is treated like a pass.
    func goes(with kind: ProductKind) -> Bool {
        switch kind {
        case .autoRenewable: true
        case .nonConsumable, .free: state == .active || state == .revoked
        case .nonRenewing, .consumable:
            state == .active || state == .revoked
                || state == .expired && expiryReason == .unknown
        }
    }
}

/// A stretch of instants or of lengths in milliseconds, half-open.
struct CellRange: Hashable {
    var lower: Int64
    var upper: Int64

    /// Beyond any instant, with room to subtract.
    static let earliest: Int64 = -1 << 60
    static let latest: Int64 = 1 << 60

    /// The stretches between sorted cuts.
    static func between(_ cuts: [Int64], from first: Int64) -> [CellRange] {
        let cuts = Array(Set(cuts.filter { $0 > first })).sorted()
        return zip([first] + cuts, cuts + [latest]).map { CellRange(lower: $0, upper: $1) }
    }
}
