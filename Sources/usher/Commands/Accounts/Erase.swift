internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel
internal import LedgerModel

/// `usher erase ACCOUNT`: what concerns a person alone goes for good (docs/PRIVACY.md).
struct EraseCommand: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase an account for good.",
        discussion: """
            What concerns the account alone goes, with all that was merged into it. What concerns \
            others too stays without the name. No subscription is cancelled by it: --preview shows \
            which go on. Until --hold is over the account is closed, and 'reopen' cancels; then \
            nothing undoes it. The reference is kept and must not name the person; the reason is \
            not kept. Without a hold, and for the reference of an account that is erased, it prints \
            a certificate that says nothing of the person.

            Example: usher erase alice --reference request-118 --reason 'asked for by letter'
            """)

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Option(
        help: .value("name", "By which you find the request; it is kept."), transform: readName)
    var reference: ErasureReference

    @Option(
        help: .value("days", "Close the account for so long before that; 0 erases at once."))
    var hold = ErasureBody.usualHold

    @OptionGroup var new: NewAccountOption
    @OptionGroup var action: AdminActionOptions

    func validate() throws {
        try require(hold, in: ErasureBody.possibleHolds, of: "--hold")
    }

    var call: AdminCall {
        AdminCall(
            "/v1/accounts/" + account.inPath + "/erase",
            ErasureBody(
                reference: reference, reason: action.stated, holdDays: hold,
                isNew: new.newAccount ? true : nil))
    }

    func write(_ erasure: ErasureAnswer, to page: inout Page) {
        page.write(erasure)
    }
}

extension Page {
    /// The certificate.
    fileprivate mutating func write(_ erasure: ErasureAnswer) {
        if let due = erasure.due {
            add(ErasurePhrase.held, due.date, erasure.reference.text)
            return
        }
        let count = erasure.entries.reduce(0) { $0 + $1.count }
        add(ErasurePhrase.done, erasure.reference.text, "\(count)", "\(erasure.restated)")
        if !erasure.wasKnown { add(ErasurePhrase.unknown) }
        write(erasure.entries)
        add(ErasurePhrase.certificate, "\(erasure.erasure)", erasure.recordedAt.date, erasure.actor)
        if let digest = erasure.digest { add(ErasurePhrase.digest, digest.hexadecimal) }
        add(ErasurePhrase.anchor, erasure.anchor)
    }

    private mutating func write(_ kinds: [ErasedKind]) {
        table(
            kinds.map { kind in
                let name = EntryKind(rawValue: kind.number)?.text(language) ?? "\(kind.number)"
                return ["\(kind.count)", name]
            })
    }

    /// What would go.
    mutating func write(_ scope: ErasureScope) {
        if let certificate = scope.certificate { return write(certificate) }
        if let due = scope.due { add(ErasurePhrase.closes, due.date) }
        let count = scope.entries.reduce(0) { $0 + $1.count }
        add(ErasurePhrase.goes, "\(count - scope.restated)", "\(scope.restated)")
        if !scope.wasKnown { add(ErasurePhrase.unknown) }
        write(scope.entries)
        if !scope.credits.isEmpty {
            add(ErasurePhrase.credits, language.list(scope.credits.map(\.text)))
        }
        if !scope.orders.isEmpty { add(ErasurePhrase.orders, "\(scope.orders.count)") }
        for subscription in scope.subscriptions {
            let end = subscription.paidUntil?.date ?? "-"
            add(
                subscription.willRenew == false ? ErasurePhrase.ending : .running,
                subscription.product.text, end, as: .care)
        }
        if !scope.subscriptions.isEmpty { add(ErasurePhrase.tell, Self.subscriptionsPage) }
    }

    /// Where Apple's customers end their subscriptions.
    private static var subscriptionsPage: String { "https://apps.apple.com/account/subscriptions" }
}

/// What `usher erase` says.
enum ErasurePhrase: String, CaseIterable, UsherText, Wording {
    case done =
        "erased for {0}: {1 entry|entries}, of which {2} concern others too and stay without the name"
    case held = "closed until {0}, and erased then for {1}; 'usher reopen' cancels that"
    case goes =
        "{0 entry goes|entries go}; {1} more concern others too and stay without the name"
    case closes = "closed until {0}, and erased then; 'usher reopen' cancels that"
    case other = ": {0} (entry {1})"
    case unknown = "nothing was recorded of this account"
    case credits = "credits that end: {0}"
    case orders = "open orders that end: {0}"
    case running = "Apple goes on charging for {0} (paid until {1})"
    case ending = "{0} does not renew (paid until {1})"
    case tell =
        "tell the customer: deleting the account does not cancel a subscription; that is done at {0}"
    case certificate = "recorded as entry {0} on {1} by {2}"
    case digest = "SHA-256 of the entry numbers: {0}"
    case anchor = "anchor: {0}"
}
