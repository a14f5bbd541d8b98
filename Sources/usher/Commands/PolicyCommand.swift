internal import ArgumentParser

/// `usher policy …`.
struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Check, show and reload policy files.",
        discussion: "Example: usher policy check policies",
        subcommands: [
            PolicyCheck.self, PolicyShow.self, PolicySchema.self, PolicyReload.self,
        ])
}
