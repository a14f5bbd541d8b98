package import EntitlementDerivation
internal import EntitlementModel

/// What became of something that a person asked for. Both are final: a refusal has written
/// nothing.
package enum AdminActionReport<Done: Sendable>: Sendable {
    /// Durable.
    case done(Done)
    case rejected(AdminActionRejection)
}

extension AdminActionReport: Equatable where Done: Equatable {}

/// Why a person's wish is not carried out.
package enum AdminActionRejection: Hashable, Sendable {
    case unknownClaim
    case unknownGrant
    case unknownBlock
    /// The policy has no entitlement or credit of that name.
    case unknownGift
    /// A right that would end before it begins, or units that are none.
    case emptyGift
    /// More units at once than a policy could give.
    case tooManyUnits
    /// The idempotency key, the id or the token stands for something else already.
    case conflict
    case ruling(RulingObstacle)
    case merge(MergeObstacle)

    /// Stable, for programs.
    package var code: String {
        switch self {
        case .unknownClaim: "deed.unknown-claim"
        case .unknownGrant: "deed.unknown-grant"
        case .unknownBlock: "deed.unknown-block"
        case .unknownGift: "deed.unknown-gift"
        case .emptyGift: "deed.empty-gift"
        case .tooManyUnits: "deed.too-many-units"
        case .conflict: "deed.conflict"
        case .ruling(let obstacle): "ruling." + obstacle.rawValue
        case .merge(let obstacle): "merge." + obstacle.rawValue
        }
    }
}

/// Who does something, and why: both are kept with it.
package struct AdminActionCause: Hashable, Sendable {
    package var actor: String
    package var reason: String

    package init(actor: String, reason: String) {
        self.actor = actor
        self.reason = reason
    }
}
