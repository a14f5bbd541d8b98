internal import EntitlementAnswers
internal import EntitlementModel

/// What is said about reconciliations in English.
extension ReconciliationPhrase {
    var english: String {
        switch self {
        case .run: "reconciliation {0}: {1}"
        case .running: "running"
        case .finished: "finished"
        case .stopped: "stopped before its end [{0}]"
        case .resumed: "resumed"
        case .from: "time"
        case .customers: "Apple IDs"
        case .of: "{0} of {1}"
        case .calls: "calls"
        case .notifications: "notifications"
        case .written: "evidence written"
        case .unanswered: "Apple gave no usable answer about {0 Apple ID|Apple IDs}"
        case .refused: "{0 piece|pieces} of Apple's answers refused as evidence"
        case .noDrift: "no drift"
        case .nothingCompared: "nothing was compared"
        case .drift:
            "drift: {0 difference|differences}, {1 Apple ID|Apple IDs}, {2 account|accounts}"
        case .customer: "{0}: account {1}"
        case .noCustomer: "no Apple ID"
        case .notification: "notification {0}"
        case .status: "Apple's status {0}"
        case .omitted: "{0} more; '--json' prints all"
        case .progress: "{0} of {1 Apple ID|Apple IDs}, {2 call|calls}, {3 difference|differences}"
        case .silent:
            "Apple has not answered for 10 seconds; calls are repeated for about two minutes, and "
                + "after a limit for as long as Apple says"
        case .risk: "CLASS OF RISK"
        case .planCustomers: "APPLE IDS"
        case .planLineages: "PURCHASES"
        case .every: "EVERY"
        case .hours: "{0} h"
        case .callsPerDay: "CALLS/DAY"
        case .due: "DUE NOW"
        case .callsDue: "CALLS DUE"
        case .sum: "all"
        case .allowed: "{0} calls a second allow {1} calls a day"
        case .duration: "what is due now takes {0} at this rate"
        case .last: "reconciliation"
        case .found: "{0 difference|differences}"
        }
    }
}

extension DriftCause {
    package var english: String {
        switch self {
        case .missedNotification: "missed notification"
        case .notificationsUnreadable: "notification history not readable to its end"
        case .refundUnknown: "refund unknown"
        case .reversalUnknown: "reversed refund unknown"
        case .renewalUnknown: "renewal unknown"
        case .transactionUnknown: "transaction unknown"
        case .lineageUnknown: "purchase unknown"
        case .stateUnknown: "renewal state unknown"
        case .detailUnknown: "detail of a transaction unknown"
        case .lineageNotFound: "purchase not found at Apple"
        case .statusDiffers: "Apple's status differs"
        case .extraRight: "extra right"
        case .missingRight: "missing right"
        }
    }
}

extension RiskClass {
    package var english: String {
        switch self {
        case .expiring: "about to expire"
        case .retrying: "in grace or retrying"
        case .silent: "silent for long"
        case .refunded: "refunded lately"
        case .steady: "all others"
        }
    }
}
