internal import ArgumentParser

/// `usher manual FOLDER`: writes the manual pages from what the commands say of themselves.
struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the manual pages, for those who package the program.",
        discussion: """
            One page for the program and one for each command; 'man -l FILE' shows one.

            Example: usher manual docs/man
            """,
        shouldDisplay: false)

    @Argument(help: "The folder to write to; made if there is none.", completion: .directory)
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
