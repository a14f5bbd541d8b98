internal import EntitlementAnswers
internal import EntitlementModel

/// The page of `usher show`: everything that is known of an account.
extension Page {
    mutating func write(account report: AccountReport) {
        let at = report.frame.at
        add(
            AccountPhrase.title.text(
                language, paint(report.frame.account.text, .strong), at.date))
        let before = lines.count
        section(.rights, report.rights) { $0.table($1.map($0.right)) }
        section(.purchases, report.units) { page, units in
            page.tree(units.map { page.unit($0, at: at) })
        }
        section(.balances, report.balances) { $0.table($1.map($0.balance)) }
        section(.grants, report.grants) { $0.tree($1.map($0.grant)) }
        section(.blocks, report.blocks) { $0.tree($1.map($0.block)) }
        section(.claims, report.claims) { $0.tree($1.map($0.claim)) }
        section(.findings, report.findings) { $0.tree($1.map($0.finding)) }
        if lines.count == before { add(AccountPhrase.nothingKnown.text(language)) }
    }

    /// A title and what belongs below it; nothing where there is nothing.
    private mutating func section<Item>(
        _ title: AccountPhrase, _ items: [Item], _ write: (inout Page, [Item]) -> Void
    ) {
        guard !items.isEmpty else { return }
        heading(title.text(language))
        write(&self, items)
    }

    private func right(_ answer: Answer) -> [String] {
        let source = answer.source.map(SourceAnswer.init)
        return [
            answer.entitlement.text, answer.environment.rawValue,
            answer.decision
                ? paint(AccountPhrase.yes.text(language), .good)
                : paint(AccountPhrase.no.text(language), .bad),
            answer.until.map { AccountPhrase.until.text(language, $0.date) }
                ?? (answer.decision ? AccountPhrase.always.text(language) : ""),
            state(answer.state, answer.expiryReason) ?? "",
            source?.product?.text ?? source?.grant?.text ?? "",
        ]
    }

    private func unit(_ unit: UnitAnswer, at instant: Instant) -> Branch {
        let now = unit.states.last { $0.interval.contains(instant) }
        let product = (now ?? unit.states.last)?.product
        let title = [
            product.map { paint($0.text, .strong) }, ProductKind.words(unit.kind.word, language),
            unitName(unit.unit),
        ]
        var branches: [Branch] = []
        if let now, let standing = standing(now.state, now.expiryReason, paidUntil: now.paidUntil) {
            branches.append(Branch(standing))
        }
        branches += owners(unit.owners)
        if let appleID = unit.appleID {
            branches.append(Branch(AccountPhrase.appleID.text(language, appleID.text)))
        }
        return Branch(language.list(title.compactMap(\.self)), branches)
    }

    private func balance(_ balance: CreditBalance) -> [String] {
        [
            balance.credit.text, "\(balance.balance)",
            AccountPhrase.entries.text(language, "\(balance.entries.count)"),
        ]
    }
}
