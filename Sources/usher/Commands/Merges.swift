internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel

/// `usher merge FROM INTO`: two accounts that are one person's become one (spec 1.6).
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Make two accounts of one person one.",
        discussion: """
            What the first has follows the second from now on: purchases, what was given by hand, \
            balances and claims. Nothing merges by itself.

            Example: usher merge guest-81 alice --reason 'signed up on the same phone'
            """)

    @Argument(help: "The account that is given up.", transform: readName)
    var from: AccountID

    @Argument(help: "The account that stays.", transform: readName)
    var into: AccountID

    @OptionGroup var action: AdminActionOptions

    func run() throws {
        let body = MergeBody(from: from, into: into, reason: action.stated)
        try action.carryOut { call throws(CommandFailure) in
            try call.ask("/v1/merges", body)
        } telling: { (done: MergeAnswer, line) in
            line.merge(done)
        }
    }
}

/// `usher unmerge MERGE`.
struct Unmerge: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take back the merge of two accounts.",
        discussion: """
            From now on; what has moved again since stays where it is.

            Example: usher unmerge 112 --reason 'two people after all'
            """)

    @Argument(help: "The number of the merge, as 'merge' tells it.")
    var merge: Int64

    @OptionGroup var action: AdminActionOptions

    func run() throws {
        try action.carryOut { call throws(CommandFailure) in
            try call.delete("/v1/merges/\(merge)", action.reasonOnly)
        } telling: { (done: MergeAnswer, line) in
            line.unmerge(done)
        }
    }
}
