internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel

/// `usher grant ACCOUNT ENTITLEMENT`, or `--credit NAME --units N`: gives by hand (spec 1.1).
struct GrantCommand: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract: "Grant an entitlement or credits to an account by hand.",
        discussion: """
            With --id, repeating the command grants nothing more.

            Example: usher grant alice premium --until 2026-12-31 --reason 'apology for the outage'
            """)

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Argument(help: "The entitlement.", transform: readName)
    var entitlement: EntitlementName?

    @Option(help: "Grant credits of this kind instead of an entitlement.", transform: readName)
    var credit: CreditName?

    @Option(help: "The number of credits.")
    var units: Int64?

    @Option(help: .value("date", "Start of the grant; now if omitted."), transform: readInstant)
    var from: Instant?

    @Option(help: .value("date", "End of the grant; none if omitted."), transform: readInstant)
    var until: Instant?

    @Option(help: "The store environment.")
    var environment = StoreEnvironment.production

    @Option(help: .value("name", "Name of the grant; generated if omitted."), transform: readName)
    var id: GrantID?

    @OptionGroup var new: NewAccountOption
    @OptionGroup var action: AdminActionOptions

    func validate() throws {
        try require((entitlement == nil) != (credit == nil), or: .gift)
        try require((credit == nil) == (units == nil), or: .together, "--credit", "--units")
    }

    var call: AdminCall {
        let gift: GrantedGift? =
            if let credit, let units {
                .credit(credit, units: units)
            } else {
                entitlement.map { .entitlement($0) }
            }
        guard let gift else { preconditionFailure("a grant is validated before it is sent") }
        let body = GrantBody(
            account: account, environment: environment, gift: gift, from: from, until: until,
            reason: action.stated)
        return AdminCall("/v1/grants", body, key: id?.text, for: account, new)
    }

    func write(_ grant: GrantAnswer, to page: inout Page) {
        let (account, id) = (grant.account.text, grant.id.text)
        let undo = ShellCommand("revoke", id).text
        guard let name = grant.gift.entitlement else {
            return page.add(
                whole: AdminActionPhrase.creditGranted, account, grant.gift.name, "", id, undo)
        }
        let span = page.span(from: grant.from, until: grant.until)
        page.add(whole: AdminActionPhrase.granted, account, name.text, span, id, undo)
    }
}

/// `usher revoke GRANT`.
struct Revoke: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "End a manual grant early.",
        discussion: "Example: usher revoke apology-7 --reason 'granted to the wrong account'")

    @Argument(help: "The grant, as printed by 'grant' and 'show'.", transform: readName)
    var grant: GrantID

    @OptionGroup var action: AdminActionOptions

    var call: AdminCall {
        AdminCall("/v1/grants/" + grant.inPath, action.reasonOnly, isDeletion: true)
    }

    func write(_ grant: GrantAnswer, to page: inout Page) {
        page.add(
            whole: AdminActionPhrase.revoked, grant.id.text, grant.gift.name, grant.account.text)
    }
}

extension GrantedGift {
    /// For people.
    var name: String {
        switch self {
        case .entitlement(let name): name.text
        case .credit(let name, let units): "\(units) \(name)"
        }
    }
}

/// `usher block ACCOUNT`: stops an account (spec 1.1).
struct BlockCommand: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Block an account until every block on it is lifted.",
        discussion: """
            A block stops everything that the account has, or only the entitlements and credits \
            named by --entitlement and --credit. With --id, repeating the command creates no \
            second block.

            Example: usher block mallory --reason 'stolen card' --id fraud-2026-17
            """)

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Option(
        name: .customLong("entitlement"),
        help: .value("name", "Stop only this entitlement; may be repeated."),
        transform: readName)
    var entitlements: [EntitlementName] = []

    @Option(
        name: .customLong("credit"),
        help: .value("name", "Stop only this credit; may be repeated."),
        transform: readName)
    var credits: [CreditName] = []

    @Option(help: .value("name", "Name of the block; generated if omitted."), transform: readName)
    var id: BlockID?

    @OptionGroup var new: NewAccountOption
    @OptionGroup var action: AdminActionOptions

    var call: AdminCall {
        let body = BlockBody(
            account: account, entitlements: entitlements.isEmpty ? nil : entitlements,
            credits: credits.isEmpty ? nil : credits, reason: action.stated)
        return AdminCall("/v1/blocks", body, key: id?.text, for: account, new)
    }

    func write(_ block: BlockAnswer, to page: inout Page) {
        page.add(
            whole: AdminActionPhrase.blocked, block.account.text, block.id.text,
            ShellCommand("unblock", block.id.text).text)
    }
}

/// `usher unblock BLOCK`.
struct Unblock: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Lift a block on an account.",
        discussion: "Example: usher unblock fraud-2026-17 --reason 'the bank confirmed the card'")

    @Argument(help: "The block, as printed by 'block' and 'show'.", transform: readName)
    var block: BlockID

    @OptionGroup var action: AdminActionOptions

    var call: AdminCall {
        AdminCall("/v1/blocks/" + block.inPath, action.reasonOnly, isDeletion: true)
    }

    func write(_ block: BlockAnswer, to page: inout Page) {
        page.add(whole: AdminActionPhrase.unblocked, block.account.text, block.id.text)
    }
}

/// `usher close ACCOUNT`: shuts an account that is not erased (spec 1.1).
struct Close: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "close",
        abstract: "Close an account until it is reopened.",
        discussion: """
            A closed account claims, spends and orders nothing, whatever Apple or the app hands \
            in for it. Its rights end or go on, as 'closed_accounts' of the policy says. Nothing \
            is erased, and no subscription is cancelled at Apple.

            Example: usher close carol --reason 'asked for it by letter'
            """)

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @OptionGroup var new: NewAccountOption
    @OptionGroup var action: AdminActionOptions

    var call: AdminCall {
        AdminCall(
            "/v1/accounts/" + account.inPath + "/close", action.reasonOnly, for: account, new)
    }

    func write(_ block: BlockAnswer, to page: inout Page) {
        page.add(
            whole: AdminActionPhrase.closed, block.account.text,
            ShellCommand("reopen", block.account.text).text)
    }
}

/// `usher reopen ACCOUNT`.
struct Reopen: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "reopen",
        abstract: "Reopen a closed account.",
        discussion: "Example: usher reopen carol --reason 'came back'")

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @OptionGroup var action: AdminActionOptions

    var call: AdminCall {
        AdminCall("/v1/accounts/" + account.inPath + "/reopen", action.reasonOnly)
    }

    func write(_ block: BlockAnswer, to page: inout Page) {
        page.add(whole: AdminActionPhrase.reopened, block.account.text)
    }
}

/// `usher merge FROM INTO`: two accounts that are one person's become one (spec 1.6).
struct MergeCommand: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge two accounts.",
        discussion: """
            From now on, everything that the first account has belongs to the second: purchases, \
            manual grants, balances and claims; so does what comes later for the first one. With \
            --up-to-now only what was bought or ordered before: where the first id is the \
            device's, later purchases are the next guest's. Accounts are never merged \
            automatically.

            Example: usher merge guest-81 alice --reason 'signed up on the same phone'
            """)

    @Argument(help: "The account to merge.", transform: readName)
    var from: AccountID

    @Argument(help: "The account that remains.", transform: readName)
    var into: AccountID

    @Flag(help: "Only what was bought or ordered before.")
    var upToNow = false

    @OptionGroup var action: AdminActionOptions

    var call: AdminCall {
        let body = MergeBody(
            from: from, into: into, isUpToNow: upToNow ? true : nil, reason: action.stated)
        return AdminCall("/v1/merges", body)
    }

    func write(_ merge: MergeAnswer, to page: inout Page) {
        let (from, into, number) = (merge.from.text, merge.into.text, "\(merge.merge)")
        guard page.paint.links == nil else {
            return page.add(ConsolePhrase.merged, from, into, number)
        }
        page.add(
            whole: AdminActionPhrase.merged, from, into, number,
            ShellCommand("unmerge", "\(merge.merge)").text)
    }
}

/// `usher unmerge MERGE`.
struct Unmerge: ActionCommand {
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

    var call: AdminCall {
        AdminCall("/v1/merges/\(merge)", action.reasonOnly, isDeletion: true)
    }

    func write(_ merge: MergeAnswer, to page: inout Page) {
        let undone = merge.undoes.map { "\($0)" } ?? ""
        page.add(whole: AdminActionPhrase.unmerged, merge.from.text, merge.into.text, undone)
    }
}
