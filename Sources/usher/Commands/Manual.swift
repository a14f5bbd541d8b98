internal import ArgumentParser

/// `usher manual FOLDER`: writes the manual pages from what the commands say of themselves.
struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Write the manual pages, for packaging.",
        discussion: """
            Writes one page for the program and one for each command; 'man -l FILE' displays one.

            Example: usher manual docs/man
            """,
        shouldDisplay: false)

    @Argument(help: "The folder to write to; created if missing.", completion: .directory)
    var folder: String

    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.attempt { () throws(CommandFailure) in
            for page in ManualPage.all() {
                try OutputFile.write(
                    Array(page.text.utf8), to: folder + "/" + page.fileName)
            }
        }
    }
}
