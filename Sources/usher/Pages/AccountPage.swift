internal import EntitlementModel
internal import StrictJSON

/// The page of `usher show`: everything that is known of an account.
extension Page {
    mutating func write(account answer: JSONValue) {
        add(
            AccountPhrase.title.text(
                language, paint(answer.word("account") ?? "", .strong), answer.date("at") ?? ""))
        let before = lines.count
        section(.rights, answer.list("rights")) { page, rights in
            page.table(rights.map(page.right))
        }
        section(.purchases, answer.list("units")) { page, units in
            page.tree(units.map { page.unit($0, at: answer.instant("at")) })
        }
        section(.balances, answer.list("balances")) { page, balances in
            page.table(balances.map(page.balance))
        }
        section(.grants, answer.list("grants")) { page, grants in page.tree(grants.map(page.grant))
        }
        section(.blocks, answer.list("blocks")) { page, blocks in page.tree(blocks.map(page.block))
        }
        section(.claims, answer.list("claims")) { page, claims in page.tree(claims.map(page.claim))
        }
        section(.findings, answer.list("findings")) { page, findings in
            page.tree(findings.map(page.finding))
        }
        if lines.count == before { add(AccountPhrase.nothingKnown.text(language)) }
    }

    /// A title and what belongs below it; nothing where there is nothing.
    private mutating func section(
        _ title: AccountPhrase, _ items: [JSONValue],
        _ write: (inout Page, [JSONValue]) -> Void
    ) {
        guard !items.isEmpty else { return }
        heading(title.text(language))
        write(&self, items)
    }

    private func right(_ answer: JSONValue) -> [String] {
        let isGranted = answer["decision"]?.bool == true
        let source = answer["source"]?.word("product") ?? answer["source"]?.word("grant") ?? ""
        return [
            answer.word("entitlement") ?? "", answer.word("environment") ?? "",
            isGranted
                ? paint(AccountPhrase.yes.text(language), .good)
                : paint(AccountPhrase.no.text(language), .bad),
            answer.date("until").map { AccountPhrase.until.text(language, $0) }
                ?? (isGranted ? AccountPhrase.always.text(language) : ""),
            state(answer) ?? "", source,
        ]
    }

    private func unit(_ unit: JSONValue, at instant: Instant?) -> Branch {
        let states = unit.list("states")
        let now = states.last { state in instant.map { state.contains($0) } ?? false }
        let product = (now ?? states.last)?.word("product")
        let title = [
            product.map { paint($0, .strong) }, CodeWords.kind(unit.word("kind") ?? "", language),
            unitName(unit),
        ]
        var branches: [Branch] = []
        if let standing = now.flatMap(standing) { branches.append(Branch(standing)) }
        branches += owners(of: unit)
        if let appleID = unit.word("apple_id") {
            branches.append(Branch(AccountPhrase.appleID.text(language, appleID)))
        }
        return Branch(language.list(title.compactMap(\.self)), branches)
    }

    private func balance(_ balance: JSONValue) -> [String] {
        [
            balance.word("credit") ?? "", balance.number("balance") ?? "",
            AccountPhrase.entries.text(language, "\(balance.list("entries").count)"),
        ]
    }
}
