internal import ArgumentParser

/// `usher policy …`.
struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Check policy files.",
        subcommands: [PolicyCheck.self])
}
