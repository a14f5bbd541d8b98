/// Where a purchase was made. Part of every key: ids may collide across environments
/// (spec 1.1).
package enum StoreEnvironment: String, CaseIterable, Hashable, Sendable {
    case production
    case sandbox
    case xcode
    case localTesting = "local-testing"

    /// Reads Apple's spelling (`Production`, `Sandbox`, `Xcode`, `LocalTesting`).
    package init?(signedName: String) {
        switch signedName {
        case "Production": self = .production
        case "Sandbox": self = .sandbox
        case "Xcode": self = .xcode
        case "LocalTesting": self = .localTesting
        default: return nil
        }
    }

    /// Apple's spelling.
    package var signedName: String {
        switch self {
        case .production: "Production"
        case .sandbox: "Sandbox"
        case .xcode: "Xcode"
        case .localTesting: "LocalTesting"
        }
    }
}
