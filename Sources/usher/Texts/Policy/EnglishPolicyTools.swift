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
            "no diagnostic, rule, product, entitlement, credit, group or level is called '{0}'"
        case .unknownNear:
            "no diagnostic, rule, product, entitlement, credit, group or level is called '{0}'; "
                + "did you mean '{1}'?"
        }
    }
}
