/// What is said of refunds, in English.
extension RefundPhrase {
    var english: String {
        switch self {
        case .none: "no refund request is open"
        case .noneYet: "no refund request is known"
        case .sendsNothing: "this service tells Apple nothing: a person has to"
        case .title: "refund request {0}: {1}"
        case .asked: "asked {0}; Apple takes an answer until {1}"
        case .reason: "Apple's reason: {0}"
        case .wouldSay: "Apple would be told: {0}"
        case .said: "Apple was told: {0}"
        case .begun: "this stands since {0}; Apple may have been told"
        case .used: "{0} used"
        case .sample: "tried before"
        case .tellsNothing: "nothing is sent: {0} [{1}]"
        case .at: "recorded {0}"
        case .byPerson: "by {0}: {1}"
        case .howTo: "to answer it yourself:"
        case .file: "  FILE: {0}"
        case .preview: "what policy {0} would have answered, with every customer's consent"
        case .withoutConsent: "{0} without consent"
        case .newest: "the newest {0}:"
        case .needsLedger: "--policies needs the ledger: name it with --ledger"
        case .consentGiven: "recorded: {0} lets Apple be told what was used"
        case .consentWithdrawn: "recorded: {0} does not let Apple be told what was used"
        case .recorded: "recorded: a person has answered refund request {0}"
        case .consents: "Apple may be told what was used"
        case .consentsNot: "Apple may not be told what was used"
        }
    }
}
