internal import ArgumentParser
internal import EntitlementModel

/// Limits an answer to one Apple ID.
struct AppleIDOption: ParsableArguments {
    @Option(
        name: .customLong("apple-id"),
        help: ArgumentHelp(
            "Only purchases of this Apple ID, given by any of its keys.", valueName: "key"),
        transform: readName)
    var key: AppleIDKey?
}

extension AppleIDKey {
    /// A limit as a question to the service has it.
    static func query(_ key: AppleIDKey?) -> [(name: String, value: String)] {
        key.map { [(name: "apple_id", value: $0.text)] } ?? []
    }
}
