/// What the sockets and their client say in English.
extension ProblemCode {
    package var english: String {
        switch self {
        case .malformed: "malformed HTTP/1.1 request"
        case .host: "the request must have exactly one Host field"
        case .transferEncoding: "unsupported transfer coding"
        case .upgrade: "this socket supports HTTP/1.1 only"
        case .contentLength: "Content-Length must be a decimal number"
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
        case .unknownEntitlement: "no policy has ever defined this entitlement"
        case .nothingFound: "nothing is recorded under this id"
        case .otherFeed: "the cursor belongs to the change feed of another ledger"
        case .futureChange: "the feed has not reached this change yet"
        case .unknownClaim: "unknown claim"
        case .unknownGrant: "unknown grant"
        case .unknownBlock: "unknown block"
        case .unknownGift: "the policy does not define this entitlement or credit"
        case .emptyGift: "the grant would give nothing"
        case .tooManyUnits: "a grant cannot exceed 1,000,000,000 units"
        case .conflict: "the key has already been used for something else"
        case .rulingUnknownUnit: "the claimed purchase is unknown"
        case .rulingNotWaiting: "the claim is not waiting for a ruling"
        case .rulingMissingAccount: "a transfer requires an account"
        case .rulingAlreadyOwner: "the account already owns it"
        case .rulingUnowned: "it has no owner"
        case .rulingNothingToUndo: "there is nothing to undo"
        case .rulingMovedSince: "its owner has changed since that decision"
        case .mergeSameAccount: "an account cannot be merged into itself"
        case .mergeBlocked: "a blocked account cannot be merged"
        case .mergeNothing: "the account has nothing to merge"
        case .mergeUnknown: "unknown merge"
        case .mergeNothingToUndo: "nothing of that merge is left to undo"
        case .unknownOrder: "no order has this id"
        case .orderConflict: "the Idempotency-Key stands for another order"
        case .orderQuantity: "more than one can be bought of a consumable only, and not that many"
        case .orderBlocked: "this must not be bought now; 'preflight' says why"
        case .orderState: "this cannot happen to the order; 'legal' says what can"
        case .orderTransaction: "no payment of this id can be the order's"
        case .orderHasPayment: "a payment of the order is known: settle it by its transaction_id"
        case .orderNothingToGive: "the policy gives nothing for this product"
        case .reconciliationRunning: "a reconciliation is already running"
        case .unknownReconciliation: "this is not the last reconciliation"
        case .tooManyReports: "this account has sent too many reports in the last 24 hours"
        case .unknownTicket: "no ticket has this number"
        case .unknownSubscription: "no such subscription, or it has no such change undelivered"
        case .appStoreNotConfigured:
            "no App Store client is configured, and only Apple can verify this"
        case .tooManyWaiting: "too much evidence waits for Apple already"
        case .policyRejected: "the policy has errors; nothing was changed"
        case .policyWaits:
            "the policy may take something away and has not been accepted; nothing was changed"
        case .peer: "the caller is not on the allow-list"
        case .role: "the caller's role does not allow this call"
        case .socket: "this call is available on usher.sock only"
        case .tooMany: "too many concurrent requests from this caller"
        case .revision: "the ledger has not reached that revision yet"
        case .unsupported: "not supported"
        case .overloaded: "the service is busy; try again later"
        case .unavailable: "the ledger is currently unavailable"
        case .ledgerReplaced: "the ledger file was replaced; nothing is recorded until a restart"
        case .diskFull: "the disk of the ledger is full; nothing was written"
        case .clock: "the service's clock is wrong; try again later"
        case .stopping: "the service is stopping"
        case .fault: "internal error"
        }
    }
}

extension SocketError {
    package var english: String {
        switch self {
        case .folderNotOurs: "'{0}' is not a folder of this user"
        case .folderLocked: "another service is running in '{0}'"
        case .pathTaken: "'{0}' is not a socket of this user"
        case .socketInUse: "another program is using '{0}'"
        case .pathTooLong: "the socket path '{0}' is too long"
        case .groupUnknown: "unknown group '{0}'"
        case .system: "the system call '{0}' failed with error {1}"
        }
    }
}

extension LocalClientError {
    package var english: String {
        switch self {
        case .notRunning: "no service answers on '{0}'"
        case .notAllowed: "this user has no access to '{0}'"
        case .timedOut: "the service did not answer in time"
        case .malformed: "malformed answer from the service"
        case .system: "the system call '{0}' failed with error {1}"
        }
    }
}
