internal import PolicyLoading

/// The variables of the environment that begin with `USHER_`: a mistyped one would be overlooked.
enum KnownVariables {
    static let all: Set<String> = Set(Setting.allCases.map(\.variable) + ["USHER_SOCKETS"])

    /// One that nothing reads, with the one that was probably meant; the first for which there is
    /// such a one, or else the first.
    static func stranger(in environment: [String: String]) -> (name: String, meant: String?)? {
        let strangers = environment.keys.filter {
            $0.hasPrefix("USHER_") && !all.contains($0) && !isOfKubernetes($0)
        }
        let found = strangers.sorted().map {
            (name: $0, meant: suggestion(for: $0, among: all.sorted()))
        }
        return found.first { $0.meant != nil } ?? found.first
    }

    /// What Kubernetes gives every container beside a service called `usher`.
    private static func isOfKubernetes(_ name: String) -> Bool {
        name.hasPrefix("USHER_SERVICE_HOST") || name.hasPrefix("USHER_SERVICE_PORT")
            || name == "USHER_PORT" || name.hasPrefix("USHER_PORT_")
    }
}
