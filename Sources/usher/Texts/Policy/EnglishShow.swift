/// What `usher policy show` says instead of tables, in English.
extension ShowPhrase {
    var english: String {
        switch self {
        case .unknownEntitlement: "the policy has no entitlement '{0}'"
        }
    }
}
