internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer

/// `usher find ID`: what an id is, and where it leads.
struct Find: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find what an id is and where it leads.",
        discussion: """
            The id is that of a transaction, an original transaction, an order, a grant, a block \
            or an account, a webOrderLineItemId, a key of an Apple ID, an appAccountToken, or the \
            number of a claim or a merge. The service asks Apple about an order number of an e-mail \
            of Apple's, if it is configured to. Prints one line for each meaning, with the accounts \
            that have it and those that presented it. Exit codes: 0 found, 1 nothing found, 2 no \
            answer.

            Example: usher find 400000000001001
            """)

    @Argument(help: "The id.", transform: readName)
    var id: SoughtID

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        guard reading.at == nil else {
            throw ValidationError(.findNow)
        }
    }

    func answer() throws(CommandFailure) -> Answered<FoundID> {
        do throws(CommandFailure) {
            let found = try reading.answer("/v1/find/" + id.inPath) {
                questions throws(EngineError) in
                try questions.find(id)
            }
            guard !found.value.meanings.isEmpty else { throw .nothingFound(id) }
            return found
        } catch {
            throw error.code == ProblemCode.nothingFound.rawValue ? .nothingFound(id) : error
        }
    }

    func write(_ found: FoundID, to page: inout Page) { page.write(found: found) }
}

/// The page of `usher find`.
extension Page {
    /// A line for each meaning.
    mutating func write(found: FoundID) {
        for meaning in found.meanings {
            let kind = FoundKindPhrase.words(meaning.kind.rawValue, language)
            let title = kind + " " + paint(found.id.text, .strong)
            let clauses = self.clauses(meaning)
            add(
                clauses.isEmpty
                    ? title : Phrase.labelled.text(language, title, language.clauses(clauses)))
            if let command = command(meaning, of: found.id) {
                tree([Branch(command: command, language)])
            }
        }
    }

    private func clauses(_ meaning: FoundMeaning) -> [String] {
        var clauses: [String] = []
        if let environment = meaning.environment { clauses.append(environment.rawValue) }
        if !meaning.accounts.isEmpty, meaning.kind != .account {
            let names = language.list(meaning.accounts.map(\.text))
            clauses.append(FindPhrase.accounts.text(language, names))
        }
        if let account = meaning.mergedInto {
            clauses.append(FindPhrase.mergedInto.text(language, account.text))
        }
        if !meaning.presentedBy.isEmpty {
            let names = language.list(meaning.presentedBy.map(\.text))
            clauses.append(FindPhrase.presentedBy.text(language, names))
        }
        if !meaning.lineages.isEmpty, meaning.kind != .lineage {
            let names = language.list(meaning.lineages.map(\.text))
            clauses.append(AccountPhrase.lineage.text(language, names))
        }
        if !meaning.products.isEmpty {
            let names = language.list(meaning.products.map(\.text))
            clauses.append(FindPhrase.products.text(language, names))
        }
        if let sequence = meaning.sequence {
            clauses.append(FindPhrase.entry.text(language, "\(sequence)"))
        }
        return clauses
    }

    /// What leads on from there.
    private func command(_ meaning: FoundMeaning, of id: SoughtID) -> String? {
        // The id is a UUID, which no shell reads as more than a name.
        if meaning.kind == .order { return "usher orders show \(id.text)" }
        guard meaning.kind == .transaction, meaning.accounts.isEmpty else { return nil }
        let option =
            meaning.environment.map { $0 == .production ? "" : " --environment \($0.rawValue)" }
        return ShellCommand("claims give" + (option ?? ""), id.text, "ACCOUNT").text
    }
}

/// What `usher find` says.
enum FindPhrase: String, CaseIterable, UsherText, Wording {
    case accounts = "account {0}"
    case presentedBy = "also presented by {0}"
    case mergedInto = "merged into {0}"
    case products = "product {0}"
    case entry = "ledger entry {0}"
    case nothing = """
        nothing is recorded under '{0}' [find.nothing]
          an order number of Apple's e-mails:
            {1}
          a transaction id that never arrived here:
            {2}
          a file with signed evidence:
            usher inspect FILE
          otherwise: "Restore purchases" in the app, which submits what the device has
        """
}

/// What an id is: the kinds of `FoundMeaning`.
enum FoundKindPhrase: String, CaseIterable, UsherText {
    case transaction, lineage, token, claim, order, grant, block, merge, ticket, account
    case appleID = "apple-id"
    case lineItem = "line-item"
    case appleOrder = "apple-order"

    var english: String {
        switch self {
        case .transaction: "transaction"
        case .lineage: "original transaction"
        case .token: "appAccountToken"
        case .claim: "claim"
        case .grant: "grant"
        case .block: "block"
        case .merge: "merge"
        case .ticket: "ticket"
        case .order: "order"
        case .account: "account"
        case .appleID: "Apple ID"
        case .lineItem: "webOrderLineItemId"
        case .appleOrder: "order of the App Store"
        }
    }
}
