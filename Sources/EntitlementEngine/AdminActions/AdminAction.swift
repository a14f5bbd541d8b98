package import EntitlementAnswers
package import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

/// What became of something that a person asked for. Both are final: a rejection has written
/// nothing.
package enum AdminActionReport<Done: Sendable>: Sendable {
    /// Durable.
    case done(Done)
    case rejected(AdminActionRejection)
}

extension AdminActionReport: Equatable where Done: Equatable {}

/// Why an action is rejected.
package enum AdminActionRejection: Hashable, Sendable {
    case unknownClaim
    /// It has no owner without a claim any more: a ruling on its claim moves it.
    case ownedByOther
    case unknownGrant
    case unknownBlock
    case notClosed
    /// The policy has no entitlement or credit of that name; with the nearest one.
    case unknownGift(name: String, nearest: String?)
    /// A right that would end before it begins, or units that are none.
    case emptyGift
    /// More units at once than a policy could give.
    case tooManyUnits
    /// The idempotency key or the ID is already used for something else.
    case conflict
    /// The token names another account already: two accounts of one person become one by a merge.
    case tokenTaken
    /// The account that is named was merged into this one.
    case merged(into: AccountID)
    case unknownRefund
    /// The refund request was answered otherwise, or by another person.
    case refundAnswered
    case ruling(RulingObstacle)
    /// The change to undo followed from another claim: this decision, the newest in effect.
    case newerDecision(LedgerSequence)
    case merge(MergeObstacle)
    /// The service has no key by which what was erased is known again.
    case erasureWithoutKey
    /// Nothing is known of the account, and nobody has said that it is meant.
    case unknownAccount
    /// The account is erased, for another reference.
    case erasedBefore(LedgerSequence, ErasureReference)
    /// The account waits to be erased, for another reference.
    case waitsForErasure(LedgerSequence, ErasureReference)
    case referenceNamesAccount

    /// Stable, for programs.
    package var code: ProblemCode {
        switch self {
        case .unknownClaim: .unknownClaim
        case .ownedByOther: .ownedByOther
        case .unknownGrant: .unknownGrant
        case .unknownBlock: .unknownBlock
        case .notClosed: .accountNotClosed
        case .unknownGift: .unknownGift
        case .emptyGift: .emptyGift
        case .tooManyUnits: .tooManyUnits
        case .conflict: .conflict
        case .tokenTaken: .tokenTaken
        case .merged: .accountMerged
        case .unknownRefund: .unknownRefund
        case .refundAnswered: .refundAnswered
        case .ruling(let obstacle): obstacle.code
        case .newerDecision: .rulingNotNewest
        case .merge(let obstacle): obstacle.code
        case .erasureWithoutKey: .erasureWithoutKey
        case .unknownAccount: .accountUnknown
        case .erasedBefore: .erasedBefore
        case .waitsForErasure: .erasureWaits
        case .referenceNamesAccount: .erasureReference
        }
    }
}

extension RulingObstacle {
    fileprivate var code: ProblemCode {
        switch self {
        case .unknownUnit: .rulingUnknownUnit
        case .notWaiting: .rulingNotWaiting
        case .missingAccount: .rulingMissingAccount
        case .alreadyOwner: .rulingAlreadyOwner
        case .unowned: .rulingUnowned
        case .notOwner: .rulingNotOwner
        case .nothingToUndo: .rulingNothingToUndo
        case .movedSince: .rulingMovedSince
        }
    }
}

extension MergeObstacle {
    fileprivate var code: ProblemCode {
        switch self {
        case .sameAccount: .mergeSameAccount
        case .blocked: .mergeBlocked
        case .nothingToMerge: .mergeNothing
        case .unknownMerge: .mergeUnknown
        case .nothingToUndo: .mergeNothingToUndo
        }
    }
}

/// Who does something, and why: both are kept with it.
package struct AdminActionCause: Hashable, Sendable {
    package var actor: String
    /// As the ledger named the actor before: a key that was used so is the actor's too.
    package var formerActor: String?
    package var reason: String
    package var intent: ActionIntent

    package init(
        actor: String, formerActor: String? = nil, reason: String, intent: ActionIntent = .act
    ) {
        self.actor = actor
        self.formerActor = formerActor
        self.reason = reason
        self.intent = intent
    }
}

/// The idempotency key of something to be created, which becomes its ID. It belongs to its user:
/// the same key of another user means something else, and is ignored.
struct IdempotencyKey<ID: Identifier> {
    let id: ID
    let cause: AdminActionCause

    /// The record of the key, or the ID under which to create it.
    ///
    /// The first who uses a key gets it as the id. Others get one that the key and their own name
    /// make, so that it is the same each time.
    ///
    /// - Parameters:
    ///   - record: what there is under an id.
    ///   - maker: who made it.
    func look<Record, Failure>(
        _ record: (ID) throws(Failure) -> Record?, madeBy maker: (Record) -> String
    ) throws(Failure) -> (id: ID, known: Record?) {
        let found = try look(record, madeBy: maker, as: cause.actor)
        guard found.known == nil, let former = cause.formerActor else { return found }
        let earlier = try look(record, madeBy: maker, as: former)
        return earlier.known == nil ? found : earlier
    }

    private func look<Record, Failure>(
        _ record: (ID) throws(Failure) -> Record?, madeBy maker: (Record) -> String,
        as actor: String
    ) throws(Failure) -> (id: ID, known: Record?) {
        var id = id
        while let known = try record(id) {
            guard maker(known) != actor else { return (id, known) }
            id = next(after: id, actor)
        }
        return (id, nil)
    }

    private func next(after id: ID, _ actor: String) -> ID {
        let text = "\(id.text)@\(actor)"
        if let id = ID(text) { return id }
        // Too long for an id.
        return ID(unchecked: EntryHash.digest(of: Array(text.utf8)).hexadecimal)
    }
}
