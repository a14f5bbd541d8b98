/// What is said of what waits for Apple, and of what it asks, in English.
extension EvidenceTicket.Form {
    package var english: String {
        switch self {
        case .receipt: "a receipt"
        case .oldReceipt: "a transaction receipt of iOS 6"
        case .transaction: "a transaction id"
        case .refresh: "a transaction that may be out of date"
        case .accountToken: "a token to be set at Apple"
        }
    }
}

extension TicketStanding {
    package var english: String {
        switch self {
        case .waiting: "waiting for Apple"
        case .judged: "judged"
        case .refused: "refused"
        case .givenUp: "given up"
        }
    }
}

extension AppStoreTrouble {
    package var english: String {
        switch self {
        case .unauthorized: "Apple rejects our key, our shared secret or our clock"
        case .notFound: "Apple does not know the id"
        case .rateLimited: "Apple limits how often we may ask"
        case .unavailable: "Apple's service is not available"
        case .network: "Apple's service cannot be reached"
        case .badAnswer: "Apple's answer cannot be used"
        case .rejected: "Apple rejects the request"
        case .notConfigured: "no App Store client is configured"
        case .superseded: "a newer ticket sets another token"
        }
    }
}

extension RefundState {
    package var english: String {
        switch self {
        case .open: "waiting for an answer"
        case .sent: "Apple was told"
        case .refused: "Apple rejects what it was told"
        case .answered: "a person has answered"
        case .decided: "Apple has decided before"
        case .superseded: "a reminder has come"
        case .lapsed: "Apple takes no answer any more"
        }
    }
}

extension RefundDecision {
    package var english: String {
        switch self {
        case .refunded: "Apple has refunded it"
        case .declined: "Apple has declined the refund"
        }
    }
}
