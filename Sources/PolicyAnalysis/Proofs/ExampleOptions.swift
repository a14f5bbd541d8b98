internal import EntitlementModel
package import PolicyLoading

extension DiagnosticID {
    /// What its example is checked with.
    package var exampleOptions: PolicyCheckOptions {
        var options = PolicyCheckOptions()
        switch self {
        case .windowPast, .dateFarOff: options.now = Instant(rfc3339: "2026-06-01")
        case .uncovered: options.explainsDefaults = true
        case .unmappedProduct: options.seen = ["gold.yearly"].compactMap { ProductID($0) }
        case .fileNotRead: options.ignored = ["rules.yaml.bak"]
        default: break
        }
        return options
    }
}
