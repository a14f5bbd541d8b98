/// What the command line says: a verb, the name of a row, options with a value each, and a
/// command after `--`.
struct BenchArguments {
    let verb: String
    /// What the row is called.
    let what: String
    /// The program to be run and its arguments.
    let command: [String]
    private let values: [String: String]

    private static let names: Set<String> = [
        "accounts", "yardstick-accounts", "usher", "redis", "postgres", "ours", "yardstick",
        "connections", "questions", "passes", "milliseconds", "rate", "p99", "time", "cpu", "goal",
        "status", "done", "into", "texts", "per-second",
    ]

    init(_ arguments: some Sequence<String>) throws(BenchFailure) {
        var rest = Array(arguments)[...]
        verb = rest.popFirst() ?? "nothing"
        what = rest.first?.hasPrefix("--") == false ? rest.removeFirst() : ""
        var values: [String: String] = [:]
        while let option = rest.popFirst(), option != "--" {
            let name = String(option.dropFirst(2))
            guard option.hasPrefix("--"), Self.names.contains(name), let value = rest.popFirst()
            else { throw .usage(option) }
            values[name] = value
        }
        self.values = values
        command = Array(rest)
    }

    func text(_ name: String) throws(BenchFailure) -> String {
        guard let value = values[name] else { throw .usage("--" + name) }
        return value
    }

    func number(_ name: String, or standard: Int? = nil) throws(BenchFailure) -> Int {
        guard let value = values[name] else {
            guard let standard else { throw .usage("--" + name) }
            return standard
        }
        guard let number = Int(value), number > 0 else { throw .usage("--" + name) }
        return number
    }

    /// The party `redis=/run/redis.sock` speaks the first and listens at the second.
    func party(_ name: String) throws(BenchFailure) -> Party {
        guard let party = Party(try text(name)) else { throw .usage("--" + name) }
        return party
    }

    func party(_ speech: Party.Speech) -> Party? {
        values[speech.rawValue].map { Party(speech, socket: $0) }
    }

    /// Nil if it was left out; an empty text stands for a figure without a goal.
    func goal(_ name: String) throws(BenchFailure) -> Goal? {
        guard let value = values[name] else { return nil }
        guard let goal = value.isEmpty ? Goal.none : Goal(value) else { throw .usage("--" + name) }
        return goal
    }
}
