internal import EntitlementModel

/// A cell of the tables of `policy show` (spec 2.5).
enum BruteCell: Hashable {
    case right(ProductKind, EntitlementState, isElsewhere: Bool)
    case delivery
    case claim(ProductID, isOwned: Bool, TokenMatch, ClaimMoment)

    /// Nil for a question that has no cell.
    init?(_ asked: BruteCase) {
        switch asked.question {
        case .right, .rightElsewhere:
            guard let kind = asked.kind else { return nil }
            self = .right(kind, asked.state, isElsewhere: asked.question == .rightElsewhere)
        case .deliveryElsewhere: self = .delivery
        case .owned: self = .claim(asked.product, isOwned: true, asked.token, asked.moment)
        case .unowned: self = .claim(asked.product, isOwned: false, asked.token, asked.moment)
        case .refund: return nil
        }
    }
}

extension BruteCase {
    /// Which of the built-in rules decides it where no other does (spec 1.5 and 1.6); nil where
    /// none does, and nothing is given.
    var builtInRule: Int? {
        switch question {
        case .right:
            if ownership == .unknown { return 0 }
            return [.active, .grace, .renewing].contains(state) ? 1 : 2
        case .owned:
            if moment == .listed { return 3 }
            return moment == .purchase && token == .matches ? 2 : 4
        case .unowned: return token == .other ? 0 : 5
        case .rightElsewhere, .deliveryElsewhere, .refund: return nil
        }
    }
}
