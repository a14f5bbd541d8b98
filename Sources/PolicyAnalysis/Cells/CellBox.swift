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
        let range = words[axis.rawValue]
        for value in 0..<counts[axis.rawValue] where !isKept(value) {
            result.words[range.lowerBound + value / 64] &= ~(1 << UInt64(value % 64))
        }
        return result
    }

    func contains(_ box: CellBox, _ axis: CellAxis, _ value: Int) -> Bool {
        let word = box.words[words[axis.rawValue].lowerBound + value / 64]
        return word & (1 << UInt64(value % 64)) != 0
    }

    /// The values of an axis that are in the box, ascending.
    func values(_ box: CellBox, _ axis: CellAxis) -> [Int] {
        (0..<counts[axis.rawValue]).filter { contains(box, axis, $0) }
    }

    func first(_ box: CellBox, _ axis: CellAxis) -> Int? {
        let range = words[axis.rawValue]
        for (offset, index) in range.enumerated() where box.words[index] != 0 {
            return offset * 64 + box.words[index].trailingZeroBitCount
        }
        return nil
    }

    func last(_ box: CellBox, _ axis: CellAxis) -> Int? {
        let range = words[axis.rawValue]
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

/// What a case is told by, besides its product, its entitlement and the question that is asked.
enum CellAxis: Int, CaseIterable {
    case standing
    case environment
    case ownership
    case offer
    case autoRenew
    case storefront
    case account
    case token
    case moment
    case stateAge
    case unpaid
    case at
    case purchased
    case firstPurchased
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

/// Who asks.
enum AccountCell: Hashable {
    /// One that stands for all that the same patterns match.
    case named(AccountID)
    /// The question is an Apple ID's.
    case nobody
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
