/// What is said of stories in English.
extension StoryPhrase {
    package var english: String {
        switch self {
        case .decidedBy: "decided by the rule '{0}' ({1})"
        case .unitIs: "{0} is {1}, paid until {2}"
        case .ownedByAnother: "it belongs to another account"
        case .nothingGivesIt: "no purchase of the account gives it"
        case .changesAt: "the answer changes on {0}"
        case .notPlayed: "not played: {0}: {1}"
        case .summary: "stories: {0}; expectations: {1}; failed: {2}"
        case .coverage: "coverage: {0} % ({1} of {2} rules and states)"
        case .unusedRule: "no story is decided by the {0} rule '{1}' ({2})"
        case .unseenCell: "no story has a purchase of kind {0} in state {1}"
        case .belowCoverage: "coverage is below {0} %"
        case .inStore: "In the App Store:"
        case .outsideStore: "In the service:"
        case .expectations: "What is expected:"
        case .builtIn: "built-in"
        case .nothingMatches: "no story matches '{0}'"
        }
    }
}
