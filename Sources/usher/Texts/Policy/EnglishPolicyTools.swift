/// What is said in English of repairs that were not made, and of unknown names.
extension RepairFailurePhrase {
    var english: String {
        switch self {
        case .readOnly: "{0} is read-only; no repair was made"
        case .changedMeanwhile: "{0} has changed since it was read; run the command again"
        case .unwritable: "{0} cannot be replaced in its folder; check permissions and disk space"
        }
    }
}

extension ExplainUnknownPhrase {
    var english: String {
        switch self {
        case .unknown:
            "'{0}' is not a diagnostic, finding or key, and the policy has nothing of that name"
        case .unknownNear:
            "'{0}' is not a diagnostic, finding or key, and the policy has nothing of that name; "
                + "did you mean '{1}'?"
        }
    }
}
