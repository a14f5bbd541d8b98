internal import EntitlementModel

/// How a stretch of time looks; each differs from the others without colour too.
enum Look: String, CaseIterable, Hashable {
    case given
    case active
    case renewing
    case grace
    case billingRetry = "billing-retry"
    case expired
    case revoked
    case withheld
    case owned
    /// A state that this version does not know.
    case unknown

    init(state: String) {
        self = Look(rawValue: state) ?? .unknown
    }

    /// What the legend says.
    func word(_ language: Language) -> String {
        switch self {
        case .given: ChartPhrase.given.text(language)
        case .withheld: ChartPhrase.withheld.text(language)
        case .owned: ChartPhrase.owned.text(language)
        case .active, .renewing, .grace, .billingRetry, .expired, .revoked, .unknown:
            ChartWord.text(rawValue, language)
        }
    }
}
