package import EntitlementAnswers
internal import EntitlementModel

/// What goes with each code: its words are in `Texts`.
extension ProblemCode: LocalizedText {}

extension ProblemCode {
    /// The HTTP status that goes with it.
    package var status: HTTPStatus {
        switch self {
        case .malformed, .host, .transferEncoding, .contentLength, .contentType,
            .encoding, .json, .duplicateKey, .number, .missing, .type, .id, .value, .instant,
            .appleIDMalformed, .unknownMember, .unknownParameter, .duplicateParameter:
            .badRequest
        case .peer, .role, .socket: .forbidden
        case .notFound, .unknownEntitlement, .nothingFound, .unknownClaim, .unknownGrant,
            .unknownBlock, .mergeUnknown, .unknownOrder, .unknownReconciliation,
            .unknownTicket, .unknownRefund, .unknownSpend, .unknownHold,
            .unknownSubscription, .scheduleUnknown:
            .notFound
        case .unknownGift, .emptyGift, .tooManyUnits, .policyRejected, .policyWaits,
            .orderQuantity, .orderBlocked, .orderTransaction, .orderNothingToGive,
            .tooManyReports, .unknownCredit, .insufficientCredit, .frozenCredit,
            .blockedCredit, .holdUntil, .tooMuchCredit, .schedulePast, .scheduleTooFar,
            .scheduleLoses:
            .unprocessable
        case .conflict, .tokenTaken, .accountMerged, .rulingUnknownUnit, .rulingNotWaiting,
            .rulingMissingAccount,
            .rulingAlreadyOwner, .rulingUnowned, .rulingNothingToUndo, .rulingMovedSince,
            .rulingNotOwner, .rulingNotNewest,
            .mergeSameAccount, .mergeBlocked, .mergeNothing, .mergeNothingToUndo,
            .orderConflict, .orderState, .orderDelivered, .orderHasPayment, .ownedByOther,
            .orderTooManyReported, .reconciliationRunning, .otherFeed,
            .futureChange, .refundAnswered, .creditConflict, .holdEnded, .nothingToRollBack,
            .scheduleTooMany, .scheduleInstantTaken, .scheduleUnchanged, .scheduleChanged,
            .scheduleEnded:
            .conflict
        case .methodNotAllowed: .methodNotAllowed
        case .timeout: .requestTimeout
        case .lengthRequired: .lengthRequired
        case .tooLarge: .contentTooLarge
        case .targetTooLong: .uriTooLong
        case .contentEncoding: .unsupportedMediaType
        case .expectation: .expectationFailed
        case .headersTooLarge: .fieldsTooLarge
        case .tooMany: .tooManyRequests
        case .fault: .internalServerError
        case .methodUnknown, .unsupported, .appStoreNotConfigured: .notImplemented
        case .overloaded, .unavailable, .ledgerReplaced, .diskFull, .clock, .stopping, .revision,
            .tooManyWaiting, .notLeader, .databaseUnreachable, .outcomeUnknown,
            .policyUnreadable:
            .serviceUnavailable
        case .version: .versionNotSupported
        }
    }

    /// Whether it answers what was asked with no, for which commands exit with 1; what gives no
    /// answer lets them exit with 2 (spec 3.2).
    package var isNo: Bool {
        switch self {
        case .nothingFound, .unknownClaim, .ownedByOther, .unknownGrant, .unknownBlock,
            .unknownGift, .emptyGift, .tooManyUnits, .conflict, .tokenTaken, .accountMerged,
            .rulingUnknownUnit, .rulingNotWaiting, .rulingMissingAccount, .rulingAlreadyOwner,
            .rulingUnowned, .rulingNothingToUndo, .rulingNotOwner, .rulingNotNewest,
            .rulingMovedSince, .mergeSameAccount, .mergeBlocked, .mergeNothing, .mergeUnknown,
            .mergeNothingToUndo, .unknownOrder, .orderConflict, .orderQuantity, .orderBlocked,
            .orderState, .orderDelivered, .orderTransaction, .orderHasPayment, .orderNothingToGive,
            .orderTooManyReported, .unknownCredit, .insufficientCredit, .frozenCredit,
            .blockedCredit, .creditConflict, .unknownSpend, .unknownHold, .holdEnded, .holdUntil,
            .tooMuchCredit, .unknownTicket, .unknownRefund, .refundAnswered, .policyRejected,
            .policyWaits, .nothingToRollBack, .schedulePast, .scheduleTooFar, .scheduleTooMany,
            .scheduleInstantTaken, .scheduleUnchanged, .scheduleChanged, .scheduleUnknown,
            .scheduleEnded, .scheduleLoses, .policyUnreadable, .unknownSubscription:
            true
        case .malformed, .host, .transferEncoding, .contentLength, .lengthRequired, .contentType,
            .contentEncoding, .expectation, .timeout, .targetTooLong, .headersTooLarge, .notFound,
            .methodNotAllowed, .methodUnknown, .version, .tooLarge, .encoding, .json, .duplicateKey,
            .number, .missing, .type, .id, .value, .instant, .appleIDMalformed, .unknownMember,
            .unknownParameter, .duplicateParameter, .unknownEntitlement, .otherFeed, .futureChange,
            .tooManyReports, .reconciliationRunning, .unknownReconciliation,
            .appStoreNotConfigured, .tooManyWaiting, .peer, .role, .socket, .tooMany, .revision,
            .unsupported, .overloaded, .unavailable, .ledgerReplaced, .diskFull, .notLeader,
            .databaseUnreachable, .outcomeUnknown, .clock, .stopping, .fault:
            false
        }
    }
}
