package import EntitlementAnswers
internal import EntitlementModel

/// What goes with each code: its words are in `Texts`.
extension ProblemCode: ServerText {
    package var english: String {
        switch self {
        case .malformed: "malformed HTTP/1.1 request"
        case .host: "the request must have exactly one Host field"
        case .transferEncoding: "unsupported transfer coding"
        case .contentLength: "Content-Length must be a decimal number"
        case .lengthRequired:
            "the length of the body is missing: send Content-Length, or no body and 'reason' in "
                + "the query of a DELETE"
        case .contentType: "the body must be application/json"
        case .contentEncoding: "the body must not be compressed"
        case .expectation: "the Expect field is not supported"
        case .timeout: "the request did not arrive in time"
        case .targetTooLong: "the request line is too long"
        case .headersTooLarge: "too many header fields, or too long"
        case .notFound: "unknown path"
        case .methodNotAllowed: "method not allowed on this path"
        case .methodUnknown: "unknown method"
        case .version: "only HTTP/1.1 and HTTP/1.0 are supported"
        case .tooLarge: "the body is too large"
        case .encoding: "the text is not valid UTF-8"
        case .json: "the body is not valid JSON"
        case .duplicateKey: "duplicate key in a JSON object"
        case .number: "the value must be a decimal number"
        case .missing: "a required value is missing"
        case .type: "the value has the wrong JSON type"
        case .id: "an id must be printable ASCII without spaces, and not too long"
        case .value: "the value is not allowed"
        case .instant: "an instant must be written as in RFC 3339"
        case .appleIDMalformed:
            "an Apple ID key must be 'atx:' or 'otx:', an environment, ':' and digits"
        case .unknownMember: "unknown member in the object"
        case .unknownParameter: "unknown query parameter"
        case .duplicateParameter: "duplicate query parameter"
        case .twoMoments: "'known_at' and 'revision' say the same: give one of them"
        case .futureKnowledge: "nothing is known of then yet; 'newest' is the newest entry"
        case .accountErased:
            "the account was erased since, and what was known of it then with it; 'newest' is the entry "
                + "that says so"
        case .accountMaybeErased:
            "nothing is recorded of the account, or it was erased since: the key of the erasures would "
                + "tell ('privacy.key-file')"
        case .accountUnknown:
            "there is no record of this account; for one that is not misspelt, add 'new_account' "
                + "(--new-account)"
        case .unknownEntitlement: "no policy has ever defined this entitlement"
        case .nothingFound:
            "nothing is recorded under this id; the order number in an e-mail of Apple's is looked "
                + "up by usher app-store order"
        case .otherFeed: "the cursor belongs to the change feed of another ledger"
        case .futureChange: "the feed has not reached this change yet"
        case .assumptionUnclear:
            "an assumption is a sentence of stories, such as 'refund 4000000001'"
        case .assumptionUnknownTransaction: "the assumed transaction is unknown"
        case .assumptionRefunded: "the transaction is refunded already"
        case .assumptionNotRenewing: "the purchase does not renew"
        case .assumptionNotWaiting: "no such claim waits for a ruling"
        case .assumptionUnknownName: "the policy does not define what is assumed to be given"
        case .assumptionImpossible:
            "the account was merged, or the dates or amounts are impossible"
        case .unknownClaim: "unknown claim"
        case .ownedByOther:
            "another account owns it: 'usher claims transfer' moves it from one to the other"
        case .unknownGrant: "unknown grant"
        case .unknownBlock: "unknown block"
        case .accountNotClosed: "the account is not closed"
        case .unknownGift: "the policy does not define this entitlement or credit"
        case .emptyGift: "the grant would give nothing"
        case .tooManyUnits: "a grant cannot exceed 1,000,000,000 units"
        case .conflict: "the key has already been used for something else"
        case .tokenTaken:
            "the token names another account; to make two accounts of one person one, merge them"
        case .accountMerged: "the account was merged into another one"
        case .changedSince:
            "what concerns this was recorded since; 'changed' lists it, and nothing was done"
        case .rulingUnknownUnit: "the claimed purchase is unknown"
        case .rulingNotWaiting: "the claim is not waiting for a ruling"
        case .rulingMissingAccount: "a transfer requires an account"
        case .rulingAlreadyOwner: "the account already owns it"
        case .rulingUnowned: "it has no owner"
        case .rulingNothingToUndo: "there is nothing to undo"
        case .rulingNotOwner: "the account does not own it"
        case .rulingNotNewest: "the newest decision that stands is another claim's"
        case .rulingMovedSince: "its owner has changed since that decision"
        case .mergeSameAccount: "an account cannot be merged into itself"
        case .mergeBlocked: "a blocked account cannot be merged"
        case .mergeNothing: "the account has nothing to merge"
        case .mergeUnknown: "unknown merge"
        case .erasureWithoutKey:
            "nothing is erased without the key by which an erased account is known again: the "
                + "setting 'privacy.key-file', with the key of earlier erasures (docs/PRIVACY.md)"
        case .erasedBefore: "the account was erased before, for another reference"
        case .erasureWaits: "the account waits to be erased already, for another reference"
        case .erasureReference:
            "the reference is kept, and has the name of the account or of one that was merged into it"
        case .mergeNothingToUndo: "nothing of that merge is left to undo"
        case .unknownOrder: "no order has this id"
        case .orderConflict: "the Idempotency-Key stands for another order"
        case .orderQuantity: "more than one can be bought of a consumable only, and not that many"
        case .orderBlocked: "this must not be bought now; 'preflight' says why"
        case .orderState: "this cannot happen to the order; 'legal' says what can"
        case .orderDelivered:
            "it is delivered: 'usher claims transfer' moves what was bought, 'usher orders undo' "
                + "takes back what a person gave"
        case .orderTransaction: "no payment of this id can be the order's"
        case .orderTooManyReported:
            "the account has 20 reported transactions that wait to be presented: submit them first"
        case .orderHasPayment: "a payment of the order is known: settle it by its transaction_id"
        case .orderNothingToGive: "the policy gives nothing for this product"
        case .reconciliationRunning: "a reconciliation is already running"
        case .unknownReconciliation: "this is not the last reconciliation"
        case .unknownCredit: "no policy has a credit of this name"
        case .insufficientCredit: "the account has less of this credit; 'balance' says how much"
        case .frozenCredit: "a refund has frozen this credit until a person lifts that"
        case .blockedCredit: "a block stops this credit"
        case .creditConflict: "the Idempotency-Key stands for something else; 'first' is its digest"
        case .unknownSpend: "no spend has this number"
        case .unknownHold: "no hold has this number"
        case .holdEnded: "the hold has ended"
        case .holdUntil: "a hold ends later than now, and within 30 days"
        case .tooMuchCredit: "less is left of it; 'balance' says how much"
        case .tooManyReports: "this account has sent too many reports in the last 24 hours"
        case .unknownTicket: "no ticket has this number"
        case .unknownRefund: "no refund request has this number"
        case .refundAnswered: "the refund request was answered already"
        case .unknownSubscription: "no such subscription, or it has no such change undelivered"
        case .appStoreNotConfigured:
            "no App Store client is configured, and only Apple can verify this"
        case .tooManyWaiting: "too much evidence waits for Apple already"
        case .policyRejected: "the policy has errors; nothing was changed"
        case .nothingToRollBack: "no policy was in force before this one"
        case .schedulePast: "a policy can only be scheduled for later than now"
        case .scheduleTooFar: "a policy can be scheduled for the next five years only"
        case .scheduleTooMany: "no more than 32 policies can be scheduled"
        case .scheduleInstantTaken: "another policy is scheduled for this instant"
        case .scheduleUnchanged: "this policy will be in force then anyway"
        case .scheduleChanged: "the policy that it would replace has changed meanwhile; ask again"
        case .scheduleUnknown: "no scheduled policy has this number"
        case .scheduleEnded: "this policy does not wait any more"
        case .scheduleLoses: "accounts may lose something by it, and that is not accepted"
        case .policyWaits:
            "the policy may take something away and has not been accepted; nothing was changed"
        case .peer: "the caller is not on the allow-list"
        case .role: "the caller's role does not allow this call"
        case .notDelegate: "only a delegate says for whom it asks"
        case .delegation:
            "a delegate says with each call for whom it asks: Usher-Actor, a name of at most 255 "
                + "printable characters without spaces, and Usher-Role, 'query', 'ingest' or 'admin', "
                + "each once"
        case .socket: "this call is available on usher.sock only"
        case .tooManyPreviews: "more than 10 previews within a second"
        case .tooMany: "too many concurrent requests from this caller"
        case .revision: "the ledger has not reached that revision yet"
        case .unsupported: "not supported"
        case .overloaded: "the service is busy; try again later"
        case .unavailable: "the ledger is currently unavailable"
        case .ledgerReplaced: "the ledger file was replaced; nothing is recorded until a restart"
        case .diskFull: "the disk of the ledger is full; nothing was written"
        case .notLeader:
            "this node does not write: another one of the fleet leads, or none does now; try again "
                + "later"
        case .databaseUnreachable: "the fleet's database does not answer; nothing was written"
        case .policyUnreadable:
            "another node put a policy into force that this version cannot read; nothing is "
                + "answered here until the version of the other nodes is installed"
        case .outcomeUnknown:
            "the connection to the fleet's database ended during the commit; repeat the call"
        case .clock: "the service's clock is wrong; try again later"
        case .stopping: "the service is stopping"
        case .fault: "internal error"
        }
    }
}

extension ProblemCode {
    /// The HTTP status that goes with it.
    package var status: HTTPStatus {
        switch self {
        case .malformed, .host, .transferEncoding, .contentLength, .contentType,
            .encoding, .json, .duplicateKey, .number, .missing, .type, .id, .value, .instant,
            .appleIDMalformed, .unknownMember, .unknownParameter, .duplicateParameter,
            .twoMoments, .futureKnowledge, .assumptionUnclear, .delegation, .erasureReference:
            .badRequest
        case .peer, .role, .notDelegate, .socket: .forbidden
        case .notFound, .unknownEntitlement, .nothingFound, .unknownClaim, .unknownGrant,
            .unknownBlock, .mergeUnknown, .unknownOrder, .unknownReconciliation,
            .unknownTicket, .unknownRefund, .unknownSpend, .unknownHold,
            .unknownSubscription, .scheduleUnknown, .accountUnknown:
            .notFound
        case .unknownGift, .emptyGift, .tooManyUnits, .policyRejected, .policyWaits,
            .orderQuantity, .orderBlocked, .orderTransaction, .orderNothingToGive,
            .tooManyReports, .unknownCredit, .insufficientCredit, .frozenCredit,
            .blockedCredit, .holdUntil, .tooMuchCredit, .schedulePast, .scheduleTooFar,
            .scheduleLoses, .assumptionUnknownTransaction, .assumptionRefunded,
            .assumptionNotRenewing, .assumptionNotWaiting, .assumptionUnknownName,
            .assumptionImpossible:
            .unprocessable
        case .conflict, .tokenTaken, .accountMerged, .accountNotClosed,
            .changedSince, .rulingUnknownUnit,
            .rulingNotWaiting,
            .rulingMissingAccount,
            .rulingAlreadyOwner, .rulingUnowned, .rulingNothingToUndo, .rulingMovedSince,
            .rulingNotOwner, .rulingNotNewest,
            .mergeSameAccount, .mergeBlocked, .mergeNothing, .mergeNothingToUndo,
            .orderConflict, .orderState, .orderDelivered, .orderHasPayment, .ownedByOther,
            .orderTooManyReported, .reconciliationRunning, .otherFeed,
            .futureChange, .refundAnswered, .creditConflict, .holdEnded, .nothingToRollBack,
            .scheduleTooMany, .scheduleInstantTaken, .scheduleUnchanged, .scheduleChanged,
            .scheduleEnded, .erasedBefore, .erasureWaits:
            .conflict
        case .accountErased, .accountMaybeErased: .gone
        case .methodNotAllowed: .methodNotAllowed
        case .timeout: .requestTimeout
        case .lengthRequired: .lengthRequired
        case .tooLarge: .contentTooLarge
        case .targetTooLong: .uriTooLong
        case .contentEncoding: .unsupportedMediaType
        case .expectation: .expectationFailed
        case .headersTooLarge: .fieldsTooLarge
        case .tooMany, .tooManyPreviews: .tooManyRequests
        case .fault: .internalServerError
        case .methodUnknown, .unsupported, .appStoreNotConfigured, .erasureWithoutKey:
            .notImplemented
        case .overloaded, .unavailable, .ledgerReplaced, .diskFull, .clock, .stopping, .revision,
            .tooManyWaiting, .notLeader, .databaseUnreachable, .outcomeUnknown,
            .policyUnreadable:
            .serviceUnavailable
        case .version: .versionNotSupported
        }
    }

    /// Whether it is a negative answer, for which commands exit with 1; other problems are no
    /// answer, and commands exit with 2 (spec 3.2).
    package var isNo: Bool {
        let isOfAsked = [.notFound, .unprocessable, .conflict].contains(status)
        return isOfAsked && !Self.withoutAnswer.contains(self) || self == .policyUnreadable
    }

    /// Of these, errors in the call itself, or in its timing.
    private static let withoutAnswer: Set<ProblemCode> = [
        .notFound, .unknownEntitlement, .otherFeed, .futureChange, .tooManyReports,
        .reconciliationRunning, .unknownReconciliation, .assumptionUnknownTransaction,
        .assumptionRefunded, .assumptionNotRenewing, .assumptionNotWaiting,
        .assumptionUnknownName, .assumptionImpossible,
    ]
}
