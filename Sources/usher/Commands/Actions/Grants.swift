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
        guard (entitlement == nil) != (credit == nil) else {
            throw ValidationError(.gift)
        }
        guard (credit == nil) == (units == nil) else {
            throw ValidationError(.together, "--credit", "--units")
        }
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

    func lines(on grant: GrantAnswer, in language: Language) -> [String] {
        let (account, id) = (grant.account.text, grant.id.text)
        let undo = ShellCommand("revoke", id).text
        guard let name = grant.gift.entitlement else {
            return [
                AdminActionPhrase.creditGranted.text(
                    language, account, grant.gift.name, "", id, undo)
            ]
        }
        let span = Page(language).span(from: grant.from, until: grant.until)
        return [AdminActionPhrase.granted.text(language, account, name.text, span, id, undo)]
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

    func lines(on grant: GrantAnswer, in language: Language) -> [String] {
        [
            AdminActionPhrase.revoked.text(
                language, grant.id.text, grant.gift.name, grant.account.text)
        ]
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
