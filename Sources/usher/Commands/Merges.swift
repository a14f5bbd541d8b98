internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel

/// `usher merge FROM INTO`: two accounts that are one person's become one (spec 1.6).
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge two accounts.",
        discussion: """
            From now on, everything that the first account has belongs to the second: purchases, \
            manual grants, balances and claims. Accounts are never merged automatically.

            Example: usher merge guest-81 alice --reason 'signed up on the same phone'
            """)

    @Argument(help: "The account to merge.", transform: readName)
    var from: AccountID

    @Argument(help: "The account that remains.", transform: readName)
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
        commandName: "unmerge",
        abstract: "Undo the merge of two accounts.",
        discussion: """
            Takes effect now; purchases that changed owners since the merge stay where they are.

            Example: usher unmerge 112 --reason 'they are two people'
            """)

    @Argument(help: "The number of the merge, as printed by 'merge'.")
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
