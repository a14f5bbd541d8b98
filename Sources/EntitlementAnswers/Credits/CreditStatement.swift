package import EntitlementModel

/// The entries of the balances of an account in `[from, until)`: what each leaves, so that opening
/// balance and lines are together the closing balance.
package struct CreditStatement: WireObject {
    package struct Credit: WireObject {
        package var credit: CreditName
        package var opening: Int128
        package var lines: [Line]
        package var closing: Int128

        package static var shapeName: String { "CreditStatementPart" }

        package static func members(
            _ shape: inout some ShapeVisitor<Self>
        ) throws(ShapeError) -> Self {
            Credit(
                credit: try shape.value("credit", \.credit),
                opening: try shape.value("opening", \.opening),
                lines: try shape.value("lines", \.lines),
                closing: try shape.value("closing", \.closing))
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
        ["credit,at,units,balance,cause,transaction,grant,entry"]
            + credits.flatMap { credit in
                credit.lines.map { line in
                    [
                        Self.quoted(credit.credit.text), line.entry.at.rfc3339,
                        "\(line.entry.units)", "\(line.balance)", line.entry.cause.rawValue,
                        Self.quoted(line.entry.transaction?.text ?? ""),
                        Self.quoted(line.entry.grant?.text ?? ""),
                        line.entry.action.map { "\($0)" } ?? "",
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
        credit = balance.credit
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
