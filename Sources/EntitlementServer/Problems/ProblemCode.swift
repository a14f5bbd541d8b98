internal import EntitlementModel

/// Everything that a socket can reject, under the code that callers may rely on (spec 3.1).
///
/// The words are in `Texts`; nobody needs to read them to decide anything.
package enum ProblemCode: String, CaseIterable, LocalizedText, Sendable {
    // The request as HTTP.
    case malformed = "http.malformed"
    case host = "http.host"
    case transferEncoding = "http.transfer-encoding"
    case contentLength = "http.content-length"
    case lengthRequired = "http.length-required"
    case contentType = "http.content-type"
    case contentEncoding = "http.content-encoding"
    case expectation = "http.expectation"
    case timeout = "http.timeout"
    case targetTooLong = "http.target-too-long"
    case headersTooLarge = "http.headers-too-large"
    case notFound = "http.not-found"
    case methodNotAllowed = "http.method-not-allowed"
    case methodUnknown = "http.method-unknown"
    case version = "http.version"
    // What it says.
    case tooLarge = "input.too-large"
    case encoding = "input.encoding"
    case json = "input.malformed"
    case duplicateKey = "input.duplicate-key"
    case number = "input.number"
    case missing = "input.missing"
    case type = "input.type"
    case id = "input.id"
    case value = "input.value"
    case instant = "input.instant"
    case appleIDMalformed = "apple-id.malformed"
    case unknownMember = "input.unknown-member"
    case unknownParameter = "input.unknown-parameter"
    case duplicateParameter = "input.duplicate-parameter"
    case unknownEntitlement = "entitlement.unknown"
    case nothingFound = "find.nothing"
    case otherFeed = "feed.other-ledger"
    case futureChange = "feed.future"
    // What a person asked to be done.
    case unknownClaim = "deed.unknown-claim"
    case ownedByOther = "deed.owned-by-other"
    case unknownGrant = "deed.unknown-grant"
    case unknownBlock = "deed.unknown-block"
    case unknownGift = "deed.unknown-gift"
    case emptyGift = "deed.empty-gift"
    case tooManyUnits = "deed.too-many-units"
    case conflict = "deed.conflict"
    case tokenTaken = "deed.token-taken"
    case accountMerged = "account.merged"
    case rulingUnknownUnit = "ruling.unknown-unit"
    case rulingNotWaiting = "ruling.not-waiting"
    case rulingMissingAccount = "ruling.missing-account"
    case rulingAlreadyOwner = "ruling.already-owner"
    case rulingUnowned = "ruling.unowned"
    case rulingNothingToUndo = "ruling.nothing-to-undo"
    case rulingNotOwner = "ruling.not-owner"
    case rulingNotNewest = "ruling.not-newest"
    case rulingMovedSince = "ruling.moved-since"
    case mergeSameAccount = "merge.same-account"
    case mergeBlocked = "merge.blocked"
    case mergeNothing = "merge.nothing-to-merge"
    case mergeUnknown = "merge.unknown-merge"
    case mergeNothingToUndo = "merge.nothing-to-undo"
    case unknownOrder = "order.unknown"
    case orderConflict = "order.conflict"
    case orderQuantity = "order.quantity"
    case orderBlocked = "order.blocked"
    case orderState = "order.state"
    case orderDelivered = "order.delivered"
    case orderTransaction = "order.transaction"
    case orderHasPayment = "order.has-payment"
    case orderNothingToGive = "order.nothing-to-give"
    case orderTooManyReported = "order.too-many-reported"
    case unknownCredit = "credit.unknown"
    case insufficientCredit = "credit.insufficient"
    case frozenCredit = "credit.frozen"
    case blockedCredit = "credit.blocked"
    case creditConflict = "credit.conflict"
    case unknownSpend = "credit.unknown-spend"
    case unknownHold = "credit.unknown-hold"
    case holdEnded = "credit.hold-ended"
    case holdUntil = "credit.until"
    case tooMuchCredit = "credit.too-much"
    case tooManyReports = "catalog.too-many-reports"
    case reconciliationRunning = "reconciliation.running"
    case unknownReconciliation = "reconciliation.unknown"
    case unknownTicket = "ticket.unknown"
    case unknownSubscription = "subscription.unknown"
    case appStoreNotConfigured = "app-store.not-configured"
    case tooManyWaiting = "app-store.too-many-waiting"
    case unknownRefund = "refund.unknown"
    case refundAnswered = "refund.answered"
    case policyRejected = "policy.refused"
    case policyWaits = "policy.waits"
    case nothingToRollBack = "policy.nothing-to-roll-back"
    case schedulePast = "schedule.past"
    case scheduleTooFar = "schedule.too-far"
    case scheduleTooMany = "schedule.too-many"
    case scheduleInstantTaken = "schedule.instant-taken"
    case scheduleUnchanged = "schedule.unchanged"
    case scheduleChanged = "schedule.changed"
    case scheduleUnknown = "schedule.unknown"
    case scheduleEnded = "schedule.ended"
    case scheduleLoses = "schedule.loses"
    // Who asks, and whether we can.
    case peer = "peer.not-allowed"
    case role = "peer.role"
    case socket = "peer.socket"
    case tooMany = "peer.too-many"
    case revision = "service.revision-not-reached"
    case unsupported = "service.unsupported"
    case overloaded = "service.overloaded"
    case unavailable = "service.unavailable"
    case ledgerReplaced = "ledger.replaced"
    case diskFull = "ledger.disk-full"
    case notLeader = "ledger.not-leader"
    case databaseUnreachable = "ledger.database-unreachable"
    case outcomeUnknown = "ledger.outcome-unknown"
    case policyUnreadable = "policy.history-unreadable"
    case clock = "service.clock"
    case stopping = "service.stopping"
    case fault = "service.fault"
}

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
