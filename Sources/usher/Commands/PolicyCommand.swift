internal import ArgumentParser

/// `usher policy …`.
struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Check and show policy files, and put them into force.",
        discussion: "Example: usher policy check policies",
        subcommands: [
            PolicyCheck.self, PolicyShow.self, PolicySchema.self, PolicyReload.self,
        ])
}
