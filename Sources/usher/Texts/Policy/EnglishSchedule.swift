/// What is said in English of scheduled policies.
extension SchedulePhrase {
    var english: String {
        switch self {
        case .title: "scheduled policies"
        case .scheduled: "policy {0} is scheduled for {1} as {2}; to take it back: {3}"
        case .unscheduled: "policy {0} does not come into force at {1}: schedule {2} is taken back"
        case .whoLoses: "who loses what: 'usher policy diff {0} --live'; nothing was scheduled"
        case .whoLosesThen:
            "policy {1}, scheduled before, will be in force then; who loses what, with its folder "
                + "in place of OLD: 'usher policy diff OLD {0} --live'; nothing was scheduled"
        case .losingBeside: "; accounts that lose something: {0}, beside policy {1}"
        case .nothing: "no policy is scheduled"
        case .earlier: "earlier ones:"
        case .due: "{0}: policy {2} is due at {1}"
        case .by: "by {0}: {1}"
        case .losses: "it may take something away ({0} in total)"
        case .noLosses: "nobody loses anything"
        case .losing: "accounts that lose something: {0}"
        case .accepted: "up to {0} are accepted if it replaces {1}"
        case .would: "it would come into force"
        case .wouldNot: "it would be refused: {0}"
        case .next: "{0}; next is {1} at {2}"
        case .applied: "{0}: policy {1}, due at {2}, came into force at {3}"
        case .takenBack: "{0}: policy {1}, due at {2}, was taken back at {3}: {4}"
        case .refused: "{0}: policy {1}, due at {2}, was refused at {3}: {4}"
        case .alreadyInForce: "{0}: policy {1}, due at {2}, was in force already at {3}"
        case .errors: "it has errors"
        case .notAccepted: "it may take something away, and nobody accepted that"
        case .tooManyLosing: "more accounts lose something than were accepted"
        case .otherBase: "the loss was accepted against another policy"
        case .rolledBack: "it was taken back with 'usher policy rollback'"
        case .erased: "its text was erased"
        case .superseded: "a scheduled policy has replaced it"
        }
    }
}
