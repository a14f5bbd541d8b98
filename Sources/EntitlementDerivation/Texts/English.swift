/// What preflight says in English.
extension PreflightText {
    var english: String {
        switch self {
        case .unknownProduct: "this product is not in the catalogue"
        case .notForSale: "this product is no longer sold"
        case .kindNotAllowed: "the app may not offer free subscriptions"
        case .accountBlocked: "this account is blocked"
        case .alreadyOwned: "this account already owns it"
        case .alreadySubscribed: "this account is already subscribed to it"
        case .upgrade: "an upgrade that takes effect at once"
        case .downgrade: "a downgrade that takes effect at the next renewal"
        case .crossgrade: "a change of plan that takes effect at the next renewal"
        case .crossgradeNow: "a change of plan that takes effect at once"
        case .changePending: "a change of plan that is already set for the next renewal"
        case .renewsAgain:
            "this account has it until its paid end; the purchase only switches its renewal on "
                + "again and charges nothing now"
        case .changeWithdrawn:
            "this account has it, and is about to change its plan; the purchase withdraws the "
                + "change and charges nothing now"
        case .moreSeats: "this account has it with seats; the purchase adds seats"
        case .familyShared:
            "the family shares this with the account, which would pay for it all the same"
        case .switchMoves: "this Apple ID's purchase belongs to another account and would move"
        case .switchMovesWithToken:
            "this Apple ID's purchase belongs to another account and would move, if it carries "
                + "this account's token; without the token it would stay there"
        case .switchStays:
            "this Apple ID's purchase belongs to another account and would stay there"
        case .duplicateAppleID: "this account already pays for this on another Apple ID"
        case .duplicateAppleIDPossible: "this account may already pay for this on another Apple ID"
        case .retryInProgress: "Apple is still trying to charge for a subscription of this account"
        case .notRenewing: "this account has a subscription on another Apple ID that will not renew"
        case .unclaimedPayment: "this Apple ID has a payment that no account has claimed yet"
        case .orderInFlight: "there is an open order for it, which is used instead of a new one"
        case .appleIDUnknown: "the device's Apple ID is unknown, so it was not checked"
        }
    }
}

extension PreflightEffect {
    package var english: String {
        switch self {
        case .proceed: "proceed"
        case .warn: "warn"
        case .block: "block"
        }
    }
}

extension RefundObstacle {
    package var english: String {
        switch self {
        case .unknownTransaction: "no purchase with this transaction is known"
        case .environment: "this environment takes no answer"
        case .assigned: "an organisation assigned it, and Apple takes no answer"
        case .familyShared: "the family shares it: only the customer who bought it can ask"
        case .unknownOwnership: "how the Apple ID obtained it is unknown"
        case .unowned: "no account owns it, so nobody has consented"
        case .rule: "the policy says nothing"
        case .noConsent: "the customer has not consented"
        }
    }
}

extension RefundNote {
    package var english: String {
        switch self {
        case .nothingUsed: "nothing was used, so all of the price is preferred"
        case .notMeasured: "how much was used cannot be measured, so all of the price is preferred"
        case .roundedDown: "the share that was used is rounded down"
        case .countedByApple: "Apple counts the days of a subscription itself"
        case .noShare: "Advanced Commerce takes no percentage, so a whole refund is preferred"
        }
    }
}
