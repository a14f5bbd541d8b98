internal import ArgumentParser
internal import EntitlementServer
internal import LedgerModel
internal import LedgerStore
internal import StrictJSON

/// `usher ledger backup [FILE]`: a complete, checked copy.
struct LedgerBackup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a ledger, in use or not; the copy is complete and on the disk at the end.",
        discussion: """
            With a file it copies the ledger itself, and never over a file that is there. \
            Without one it has the running service write a copy into the service's own folder \
            ('backups' in its configuration), with a reason. Keep the anchor that it prints \
            somewhere else, for 'usher ledger verify'. Exit codes: 0 done, 2 could not run.

            Example: usher ledger backup /backups/usher-2026-03-01.ledger --ledger usher.ledger
            """)

    @Argument(
        help: "The copy; left out to have the service make one.", completion: .file())
    var copy: String?

    @Option(help: ArgumentHelp("Why, for the service.", valueName: "text"))
    var reason: String?

    @OptionGroup var file: LedgerFileOptions
    @OptionGroup var sockets: SocketOptions

    func validate() throws {
        switch (copy, reason, file.ledger) {
        case (nil, nil, _): throw ValidationError("name the copy, or give the service a --reason")
        case (_?, _?, _): throw ValidationError("a --reason is for the service's own backup")
        case (nil, _?, _?): throw ValidationError("the service knows its ledger: leave it out")
        default: break
        }
    }

    func run() throws {
        try file.output.attempt(quiet: file.quiet) { () throws(CommandFailure) in
            if let copy { try backUp(to: copy) } else { try ask(for: reason ?? "") }
        }
    }

    private func backUp(to copy: String) throws(CommandFailure) {
        let access = try FileAccess.ofEnvironment()
        let head = try file.working {
            try SQLiteLedger.backUp(file.path, to: copy, access: access)
        }
        try file.show(["file": .string(copy), "head": head.json]) { page in
            page.add(LedgerPhrase.backedUp.text(page.language, copy, "\(head.sequence)"))
            page.add(LedgerPhrase.anchor.text(page.language, head.anchor))
        }
    }

    private func ask(for reason: String) throws(CommandFailure) {
        let answer = try serviceBackup(reason)
        try file.output.show(answer, quiet: file.quiet) { value, page in
            page.add(
                LedgerPhrase.backedUp.text(
                    page.language, value.word("file") ?? "",
                    value.number("revision_at_least") ?? ""))
        }
    }

    private func serviceBackup(_ reason: String) throws(CommandFailure) -> Answered {
        do throws(CommandFailure) {
            let call = ServiceCall(socket: sockets.usherSocket)
            return try Answered(call.ask("/v1/backup", ["reason": .string(reason)]))
        } catch {
            guard case .serviceRejected("service.unsupported", _, _, _) = error else { throw error }
            throw .said(LedgerPhrase.noFolder.text(file.output.language))
        }
    }
}
