/// The codes of the model in English.
extension EntitlementState {
    package var english: String {
        switch self {
        case .active: "active"
        case .renewing: "renewing"
        case .grace: "grace period"
        case .billingRetry: "billing retry"
        case .expired: "expired"
        case .revoked: "revoked"
        }
    }
}

extension ExpiryReason {
    package var english: String {
        switch self {
        case .cancelled: "cancelled by the customer"
        case .billingError: "payment failed"
        case .priceNotAccepted: "price increase not accepted"
        case .productUnavailable: "product no longer available"
        case .other: "another reason"
        case .upgraded: "replaced by an upgrade"
        case .unknown: "ended, and no renewal was received"
        }
    }
}

extension ProductKind {
    package var english: String {
        switch self {
        case .consumable: "consumable"
        case .nonConsumable: "non-consumable"
        case .autoRenewable: "auto-renewable"
        case .nonRenewing: "non-renewing"
        case .free: "free subscription"
        }
    }
}

extension StoreEnvironment {
    package var english: String {
        switch self {
        case .production: "production"
        case .sandbox: "sandbox"
        case .xcode: "xcode"
        case .localTesting: "local-testing"
        }
    }
}

extension EvidenceKind {
    package var english: String {
        switch self {
        case .transaction: "transaction"
        case .renewalInfo: "renewal info"
        case .appTransaction: "app transaction"
        case .notification: "notification"
        case .receipt: "receipt"
        case .receiptAnswer: "answer of verifyReceipt"
        case .importedAnswer: "imported answer of verifyReceipt"
        case .unverified: "evidence that only Apple can verify"
        }
    }
}

extension ClaimMoment {
    package var english: String {
        switch self {
        case .purchase: "as a purchase"
        case .restore: "as a restore"
        case .notification: "by a notification"
        case .support: "by support"
        case .listed: "as listed by the device"
        }
    }
}

extension ClaimDenial {
    package var english: String {
        switch self {
        case .kept: "denied: the owner keeps it"
        case .cooldown: "denied: moved too recently"
        case .limit: "denied: moved too often"
        case .denied: "denied by a rule"
        case .waiting: "waiting for a ruling"
        case .token: "denied: the purchase names another account"
        case .ownedByOther: "denied: another account has it"
        }
    }
}

extension Ruling.Verb {
    package var english: String {
        switch self {
        case .approve: "the waiting claim was approved"
        case .refuse: "the waiting claim was denied"
        case .transfer: "transferred to another account"
        case .release: "released by its owners"
        case .undo: "the last decision was undone"
        }
    }
}

extension CreditTimeline.Entry.Cause {
    package var english: String {
        switch self {
        case .delivery: "delivered"
        case .grant: "granted manually"
        case .spend: "spent"
        case .reversal: "spend reversed"
        case .hold: "held"
        case .release: "hold ended"
        case .clawBack: "taken back after a refund"
        case .expiry: "expired"
        case .merge: "account merge"
        case .ruling: "moved by a ruling"
        }
    }
}

extension Finding.Kind {
    package var english: String {
        switch self {
        case .accountCaseConflict: "two spellings of one account were treated as different accounts"
        case .accountSwitch: "an account presented a purchase that belongs to another account"
        case .appleIDConflict: "purchases in one receipt have different Apple IDs"
        case .balanceBelowZero: "the account owes units of a credit"
        case .creditFrozen: "a refund has frozen a credit of the account"
        case .duplicateAppleID: "the account pays twice, on two Apple IDs"
        case .duplicateAppleIDPossible: "the account may pay twice, on two Apple IDs"
        case .appleNotice: "Apple tells of something that no purchase shows"
        case .evidenceUnconfirmed: "Apple does not confirm this evidence"
        case .refundAnswerDue: "Apple asks about a refund, and takes no answer much longer"
        case .evidenceWaiting: "Apple has not answered for an hour or more"
        case .invalidProduct: "the client reports that the store does not know this product"
        case .kindMismatch: "Apple and the catalogue disagree on the kind of product"
        case .orderMismatch: "the payment differs from its order"
        case .orderPresentedByOther: "another account has presented an order's payment"
        case .paidWithoutRight: "the account has paid and received nothing"
        case .quarantined: "genuine evidence with implausible content is quarantined"
        case .splitTransaction: "Apple names one transaction under different original transactions"
        case .successorMissing: "an upgrade to a subscription that is not known"
        case .tokenOfAnother: "Apple signs a token of another account than the owner"
        case .unclaimedPayment: "a payment that no account has claimed"
        case .unmappedProduct: "a product that is not in the catalogue"
        }
    }
}

extension BuiltInRule {
    /// The name itself.
    package var english: String {
        switch self {
        case .nothing: "nothing gives it"
        case .unknownOwnership: "unknown ownership gives nothing"
        case .usable: "active, grace and renewing give"
        case .otherwise: "everything else gives nothing"
        case .grantedByHand: "granted by hand"
        case .grantEnded: "the grant has ended"
        case .blocked: "account is blocked"
        case .token: "the token names another account"
        case .accountScoped: "account-scoped purchases do not move"
        case .familyShared: "a purchase moves nothing that is shared"
        case .lapsedMoves: "a lapsed subscription bought by its new account moves"
        case .freshPurchase: "a restore takes nothing that was bought in the last 24 hours"
        case .listed: "what the device lists takes nothing from another account"
        case .ownerKeeps: "the owner keeps it"
        case .takenByHand: "a person took it from the account"
        case .beforeClaims: "bought before claims_from"
        case .firstClaim: "the first accepted claim owns it"
        case .ownClaim: "the owner's own claim changes nothing"
        case .merged: "the accounts were merged"
        case .succession: "succession"
        case .byHand: "ruled by hand"
        case .formerOwner: "no longer owned"
        case .nothingTold: "Apple is told nothing"
        }
    }
}
