/// What is said in English of accounts that a policy concerns.
extension ImpactPhrase {
    var english: String {
        switch self {
        case .title: "policy {0} in place of {1}, at {2} and on the {3} days after that"
        case .counts:
            "accounts that hold what changes: {0}; that lose something: {1}; that gain "
                + "something: {2}"
        case .nobody: "nobody loses or gains anything"
        case .loses: "lose {0}: {1}"
        case .gains: "gain {0}: {1}"
        case .environment: "{0} ({1})"
        case .now: "now: {0}"
        case .from: "from {0}: {1}"
        case .paid: "last paid {0} in total"
        case .examples: "such as {0}"
        case .noPurchase: "no purchase"
        case .searching: "finding accounts"
        case .deriving: "comparing accounts"
        case .stopped: "stopped before all accounts were compared"
        case .resumable: "repeat the command to continue from {0}"
        case .accepted: "{0} accepts that up to {1} accounts lose something"
        case .nothingToAccept: "nobody loses anything: no {0} was written"
        case .since: "since the live policy: {0}"
        case .lose: "{0} lose {1}"
        case .gain: "{0} gain {1}"
        case .nobodyLoses: "nobody loses"
        case .nobodyGains: "nobody gains"
        case .cells:
            "cells of product, entitlement and state: {0}; equal: {1}; wider: {2}; narrower: {3}; "
                + "both: {4}"
        case .wider: "wider: {0}"
        case .narrower: "narrower: {0}"
        case .both: "wider and narrower: {0}"
        case .undecided: "perhaps narrower (too many cases to try all): {0}"
        case .lostWhen: "lost: {0}"
        case .gainedWhen: "gained: {0}"
        case .usual: "any usual purchase"
        case .otherLosses: "what else may be lost:"
        case .nothingNarrower: "nothing is narrower"
        case .open: "what is open to everybody:"
        }
    }
}
