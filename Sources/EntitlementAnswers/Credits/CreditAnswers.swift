package import EntitlementModel

/// So many units of one credit, as callers write them.
package struct CreditAmount: WireObject, Hashable {
    package var credit: CreditName
    package var amount: Int64

    package init(_ part: CreditPart) {
        credit = part.credit
        amount = part.units
    }

    package var part: CreditPart { CreditPart(credit, amount) }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        CreditAmount(
            CreditPart(try shape.value("credit", \.credit), try shape.value("amount", \.amount)))
    }
}

/// An action on credits: a spend, a hold, its end, a reversal or a lifted freeze. A repeated call
/// gets the first answer.
package struct CreditActionAnswer: WireObject {
    package enum Action: String, WireWord {
        case spend, hold, capture, release, reversal, thaw
    }

    /// A balance right after it.
    package struct Balance: WireObject {
        package var credit: CreditName
        package var balance: Int128
        package var held: Int128

        package init(credit: CreditName, balance: Int128, held: Int128) {
            self.credit = credit
            self.balance = balance
            self.held = held
        }

        package static var shapeName: String { "BalanceAfter" }

        package static func members(
            _ shape: inout some ShapeVisitor<Self>
        ) throws(ShapeError) -> Self {
            Balance(
                credit: try shape.value("credit", \.credit),
                balance: try shape.value("balance", \.balance),
                held: try shape.value("held", \.held))
        }
    }

    package var action: Action
    /// The entry: the id of a spend, of the spend that a capture makes, or of a reversal. That of a
    /// hold stays the same when a merge moves it. Nil where nothing was to be lifted.
    package var id: LedgerSequence?
    package var at: Instant
    package var account: AccountID
    package var environment: StoreEnvironment
    /// By credit.
    package var credits: [CreditAmount] = []
    package var balances: [Balance] = []
    /// The hold that ends.
    package var hold: LedgerSequence?
    /// The spend that is reversed.
    package var spend: LedgerSequence?
    /// When a hold expires.
    package var until: Instant?
    package var reference: String?
    package var reason: String?
    /// The refunded purchases whose freezes were lifted.
    package var lifted: [TransactionID] = []

    package init(
        action: Action, account: AccountID, environment: StoreEnvironment, at: Instant
    ) {
        self.action = action
        self.account = account
        self.environment = environment
        self.at = at
    }

    package static var shapeName: String { "CreditAction" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let action = try shape.value("action", \.action)
        let id = try shape.nullable("id", \.id)
        let at = try shape.value("at", \.at)
        let account = try shape.value("account", \.account)
        let environment = try shape.value("environment", \.environment)
        var answer = CreditActionAnswer(
            action: action, account: account, environment: environment, at: at)
        answer.id = id
        answer.credits = try shape.value("credits", \.credits)
        answer.balances = try shape.value("balances", \.balances)
        answer.hold = try shape.optional("hold", \.hold)
        answer.spend = try shape.optional("spend", \.spend)
        answer.until = try shape.optional("until", \.until)
        answer.reference = try shape.optional("reference", \.reference)
        answer.reason = try shape.optional("reason", \.reason)
        answer.lifted = try shape.optional("lifted", \.liftedIfAny) ?? []
        return answer
    }

    private var liftedIfAny: [TransactionID]? { action == .thaw ? lifted : nil }
}

extension CreditActionAnswer {
    /// What an entry says, without the balances.
    ///
    /// - Parameter holds: the account's holds, to find the one that is ended.
    package init(_ entry: Recorded<LedgerEntry>, holds: [Recorded<CreditHold>]) {
        switch entry.value {
        case .creditSpend(let spend):
            self.init(
                action: .spend, account: spend.account, environment: spend.environment,
                at: entry.recordedAt)
            credits = spend.parts.map { CreditAmount($0) }
            (reference, reason) = (spend.reference, spend.reason)
        case .creditHold(let hold):
            self.init(
                action: .hold, account: hold.account, environment: hold.environment,
                at: entry.recordedAt)
            credits = hold.parts.map { CreditAmount($0) }
            (until, reference, reason) = (hold.until, hold.reference, hold.reason)
        case .holdEnd(let end):
            let hold = holds.first { $0.sequence == end.hold }
            self.init(
                action: end.captured.isEmpty ? .release : .capture, account: end.account,
                environment: hold?.value.environment ?? .production, at: entry.recordedAt)
            let parts = end.captured.isEmpty ? hold?.value.parts ?? [] : end.captured
            credits = parts.map { CreditAmount($0) }
            self.hold = hold?.value.origin ?? end.hold
            (reference, reason) = (end.reference, end.reason)
        case .spendReversal(let reversal):
            self.init(
                action: .reversal, account: reversal.account,
                environment: reversal.environment, at: entry.recordedAt)
            credits = reversal.parts.map { CreditAmount($0) }
            (spend, reason) = (reversal.spend, reversal.reason)
        case .creditThaw(let thaw):
            self.init(
                action: .thaw, account: thaw.account, environment: thaw.environment,
                at: entry.recordedAt)
            (lifted, reason) = ([thaw.transaction.transactionID], thaw.reason)
        default: preconditionFailure("an action on credits is one of these entries")
        }
        id = entry.sequence
    }
}

/// `GET /v1/spends/{spend}` and `GET /v1/holds/{hold}`: the amount spent or held, and the rest of
/// it.
package struct SpendStanding: WireObject {
    package enum State: String, WireWord {
        case held, captured, released, expired, spent, reversed
    }

    package var id: LedgerSequence
    package var state: State
    package var at: Instant
    package var account: AccountID
    package var environment: StoreEnvironment
    /// As it was made.
    package var credits: [CreditAmount]
    /// What could still be captured, or given back.
    package var left: [CreditAmount]
    /// The hold that was captured, of a spend that a capture has made.
    package var hold: LedgerSequence?
    /// When a hold expires or has expired.
    package var until: Instant?
    /// The entry that has ended a hold: of a capture, the spend that it has made.
    package var end: LedgerSequence?
    package var reference: String?
    package var reason: String?
    package var revision: LedgerSequence

    package init(
        id: LedgerSequence, state: State, at: Instant, account: AccountID,
        environment: StoreEnvironment, credits: [CreditPart], left: [CreditPart],
        revision: LedgerSequence
    ) {
        self.id = id
        self.state = state
        self.at = at
        self.account = account
        self.environment = environment
        self.credits = credits.map { CreditAmount($0) }
        self.left = left.map { CreditAmount($0) }
        self.revision = revision
    }

    package static var shapeName: String { "SpendStanding" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        var standing = SpendStanding(
            id: try shape.value("id", \.id), state: try shape.value("state", \.state),
            at: try shape.value("at", \.at), account: try shape.value("account", \.account),
            environment: try shape.value("environment", \.environment),
            credits: try shape.value("credits", \.credits).map(\.part),
            left: try shape.value("left", \.left).map(\.part), revision: .zero)
        standing.hold = try shape.optional("hold", \.hold)
        standing.until = try shape.optional("until", \.until)
        standing.end = try shape.optional("end", \.end)
        standing.reference = try shape.optional("reference", \.reference)
        standing.reason = try shape.optional("reason", \.reason)
        standing.revision = try shape.value("revision", \.revision)
        return standing
    }
}

/// The entries of the balances of an account in `[from, until)`: what each leaves, so that opening
/// balance and lines are together the closing balance.
package struct CreditStatement: WireObject {
    package struct Credit: WireObject {
        package var credit: CreditName
        package var opening: Int128
        package var lines: [Line]
        package var closing: Int128
        /// What lapses when, unless it is spent before; nil if nothing does.
        package var lapses: [CreditLapse]?

        package static var shapeName: String { "CreditStatementPart" }

        package static func members(
            _ shape: inout some ShapeVisitor<Self>
        ) throws(ShapeError) -> Self {
            Credit(
                credit: try shape.value("credit", \.credit),
                opening: try shape.value("opening", \.opening),
                lines: try shape.value("lines", \.lines),
                closing: try shape.value("closing", \.closing),
                lapses: try shape.optional("lapses", \.lapses))
        }
    }

    package struct Line: WireObject {
        package var entry: CreditEntry
        /// After it.
        package var balance: Int128

        package static var shapeName: String { "CreditStatementLine" }

        package static func members(
            _ shape: inout some ShapeVisitor<Self>
        ) throws(ShapeError) -> Self {
            Line(
                entry: try shape.part(\.entry),
                balance: try shape.value("balance", \.balance))
        }
    }

    package var account: AccountID
    package var environment: StoreEnvironment
    /// Nil from the first entry on.
    package var from: Instant?
    /// Nil up to the instant that the balances were asked for.
    package var until: Instant?
    package var revision: LedgerSequence
    package var credits: [Credit]

    package static var shapeName: String { "CreditStatement" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        CreditStatement(
            account: try shape.value("account", \.account),
            environment: try shape.value("environment", \.environment),
            from: try shape.nullable("from", \.from),
            until: try shape.nullable("until", \.until),
            revision: try shape.value("revision", \.revision),
            credits: try shape.value("credits", \.credits))
    }
}

extension CreditStatement {
    package init(_ answer: AccountCredits, from: Instant?, until: Instant?) {
        account = answer.account
        environment = answer.frame.environment
        self.from = from
        self.until = until
        revision = answer.frame.revision
        credits = answer.balances.map { Credit($0, from: from, until: until) }
    }

    /// One line an entry, each with the balance after it; the first line names the columns.
    package var csv: [String] {
        ["credit,at,units,balance,cause,transaction,grant,entry,period_from,period_until"]
            + credits.flatMap { credit in
                credit.lines.map { line in
                    [
                        Self.quoted(credit.credit.text), line.entry.at.rfc3339,
                        "\(line.entry.units)", "\(line.balance)", line.entry.cause.rawValue,
                        Self.quoted(line.entry.transaction?.text ?? ""),
                        Self.quoted(line.entry.grant?.text ?? ""),
                        line.entry.action.map { "\($0)" } ?? "",
                        line.entry.period?.start.rfc3339 ?? "",
                        line.entry.period?.end?.rfc3339 ?? "",
                    ].joined(separator: ",")
                }
            }
    }

    /// Names are a caller's: no program may take one for a formula or for two columns.
    private static func quoted(_ name: String) -> String {
        let formula = name.first.map { "=+-@".contains($0) } ?? false
        let text = (formula ? "'" : "") + name.replacing("\"", with: "\"\"")
        return text.contains { ",\"'".contains($0) } ? "\"\(text)\"" : text
    }
}

extension CreditStatement.Credit {
    fileprivate init(_ balance: CreditBalance, from: Instant?, until: Instant?) {
        (credit, lapses) = (balance.credit, balance.lapses)
        var sum: Int128 = 0
        var opening: Int128 = 0
        lines = []
        for entry in balance.entries {
            if let until, entry.at >= until { break }
            sum += Int128(entry.units)
            if let from, entry.at < from {
                opening = sum
            } else {
                lines.append(CreditStatement.Line(entry: entry, balance: sum))
            }
        }
        self.opening = opening
        closing = sum
    }
}
