internal import ArgumentParser
internal import EntitlementModel
internal import StrictJSON

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
        let body: JSONValue = [
            "from": .string(from.text), "into": .string(into.text),
            "reason": .string(action.reason),
        ]
        try action.carryOut { call throws(CommandFailure) in
            try call.ask("/v1/merges", body)
        } telling: {
            $0.merge
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
            try call.delete("/v1/merges/\(merge)", ["reason": .string(action.reason)])
        } telling: {
            $0.unmerge
        }
    }
}
