/// What is said of lost orders and of finishing transactions, in English.
extension LostOrderReason {
    package var english: String {
        switch self {
        case .neverPaid: "no payment came in time"
        case .withoutOutcome: "the client began to pay and never reported the outcome"
        case .withoutEvidence: "the client named a transaction, but no evidence of it has arrived"
        case .withoutReceipt: "bought, but the device had no receipt"
        case .waitsForApproval: "somebody else has to approve the purchase"
        case .withoutCallBack:
            "known from Apple only: no client has submitted the evidence or finished it"
        case .notDelivered: "paid, but not delivered"
        case .notFinished: "delivered, but the client has not finished the transaction"
        case .inReview: "a person has to decide which payment belongs to which order"
        case .refundedAfterDelivery: "refunded after delivery"
        case .unclaimedPayment: "a verified payment that no account has claimed"
        case .waitsForApple: "evidence that only Apple can verify, and Apple has not answered yet"
        }
    }
}

extension LostOrderStep {
    package var english: String {
        switch self {
        case .close: "close the order; a payment that comes later opens it again"
        case .askApp:
            "have the app submit what its payment queue still holds; if that is nothing, close "
                + "the order: a payment that comes later opens it again"
        case .refusedEvidence:
            "evidence was submitted for it and refused, see the order: deliver nothing; close the "
                + "order: a payment that comes later opens it again"
        case .leave:
            "its payment belongs elsewhere or was refunded: deliver nothing, close the order"
        case .deliver:
            "have the app submit its evidence again; deliver the order manually only if a "
                + "statement shows the payment"
        case .settle: "check the payment, and settle the order by it"
        case .take: "check whose payment it is: the command takes it from the accounts that own it"
        case .finish:
            "have the app submit and finish the transaction, and report 'finished'; if it is "
                + "gone, close the order: what was delivered stays"
        case .closeGift:
            "close the order as a gift: what was given stays, and a payment of it still takes its "
                + "place"
        case .acknowledge: "check what the account still has, then close the order"
        case .give: "find out whose it is, and give it to that account"
        case .askApple: "check why Apple does not answer; it is asked again by itself"
        }
    }
}

extension FinishReason {
    package var english: String {
        switch self {
        case .delivered: "the transaction is recorded, and the account owns the purchase"
        case .recorded: "the transaction is recorded; no account was to get it"
        case .claimRefused:
            "the transaction is recorded; the purchase belongs to another account"
        case .quarantined:
            "the transaction has no effect until a person has looked at it: do not finish it"
        }
    }
}
