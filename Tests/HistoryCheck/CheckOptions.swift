internal import HistoryComparison

/// What the command line asks for.
struct CheckOptions: Sendable {
    private(set) var histories = 1_000
    private(set) var seed: UInt64 = 1
    private(set) var threads = 2
    /// Where a failing history is written; nil for nowhere.
    private(set) var folder: String?
    /// Whether what was visited is printed.
    private(set) var showsCoverage = false

    /// The only form of the command line.
    static let usage =
        "usage: history-check [--histories N] [--seed S] [--threads N] [--save FOLDER] "
        + "[--coverage yes]\n\nHeld over every history beside the specification:\n"
        + propertiesChecked.map { "  \($0)\n" }.joined()

    /// Nil for anything that is not understood.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch (name, Int(value)) {
            case ("--histories", let count?) where count > 0: histories = count
            case ("--threads", let count?) where count > 0: threads = count
            case ("--seed", _):
                guard let number = UInt64(value) else { return nil }
                seed = number
            case ("--save", _): folder = value
            case ("--coverage", _): showsCoverage = value == "yes"
            default: return nil
            }
        }
    }
}
