/// What the command line asks for.
struct CheckOptions: Sendable {
    private(set) var histories = 1_000
    /// Of how many of the seeds the script of orders is compared too; nil for all.
    private var mostScripts: Int?
    private(set) var seed: UInt64 = 1
    private(set) var threads = 2
    /// Where a failing history is written; nil for nowhere.
    private(set) var folder: String?
    /// Which half of each seed is compared; nil for both.
    private(set) var part: Part?
    /// Whether what was visited is printed.
    private(set) var showsCoverage = false

    /// Whether the ledger of a fleet has them, in a PostgreSQL server of its own.
    private(set) var isOnFleet = false

    /// What a seed stands for.
    enum Part: String {
        case histories
        case orders
    }

    /// How many scripts of orders are compared.
    var scripts: Int {
        part == .histories ? 0 : min(mostScripts ?? histories, histories)
    }

    /// The only form of the command line.
    static let usage =
        "usage: history-check [--histories N] [--scripts N] [--seed S] [--threads N] "
        + "[--save FOLDER] [--coverage yes] [--only histories|orders]\n"
        + "    [--store memory|postgresql]\n\n"
        + "Held over every history beside the specification:\n"
        + allProperties.map { "  \($0)\n" }.joined()

    /// Nil for anything that is not understood.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch (name, Int(value)) {
            case ("--histories", let count?) where count > 0: histories = count
            case ("--scripts", let count?) where count > 0: mostScripts = count
            case ("--threads", let count?) where count > 0: threads = count
            case ("--seed", _):
                guard let number = UInt64(value) else { return nil }
                seed = number
            case ("--save", _): folder = value
            case ("--coverage", _): showsCoverage = value == "yes"
            case ("--only", _):
                guard let named = Part(rawValue: value) else { return nil }
                part = named
            case ("--store", _):
                guard value == "memory" || value == "postgresql" else { return nil }
                isOnFleet = value == "postgresql"
            default: return nil
            }
        }
    }
}
