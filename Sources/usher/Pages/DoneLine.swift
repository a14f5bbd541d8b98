internal import EntitlementAnswers
internal import EntitlementModel

/// The line that says what an admin action has done.
struct DoneLine {
    let language: Language

    func grant(_ grant: GrantAnswer) -> String {
        let (account, id) = (grant.account.text, grant.id.text)
        let undo = ShellCommand("revoke", id).text
        let page = Page(language: language, paint: Paint(isOn: false), drawsBranches: false)
        guard let name = grant.gift.entitlement else {
            return AdminActionPhrase.creditGranted.text(
                language, account, grant.gift.name, "", id, undo)
        }
        return AdminActionPhrase.granted.text(
            language, account, name.text, page.span(from: grant.from, until: grant.until), id,
            undo)
    }

    func revocation(_ grant: GrantAnswer) -> String {
        AdminActionPhrase.revoked.text(
            language, grant.id.text, grant.gift.name, grant.account.text)
    }

    func block(_ block: BlockAnswer) -> String {
        AdminActionPhrase.blocked.text(
            language, block.account.text, block.id.text,
            ShellCommand("unblock", block.id.text).text)
    }

    func lifting(_ block: BlockAnswer) -> String {
        AdminActionPhrase.unblocked.text(language, block.account.text, block.id.text)
    }

    /// Whose the unit is now; the first decision is the ruling's own.
    func ruling(_ ruling: RulingAnswer) -> String {
        let name =
            ruling.unit.lineageID.map { AccountPhrase.lineage.text(language, $0.text) }
            ?? AccountPhrase.transaction.text(language, ruling.unit.purchaseID?.text ?? "")
        let owners = ruling.decisions.first?.ownersAfter.map(\.text) ?? []
        guard !owners.isEmpty else { return AdminActionPhrase.ruledNobody.text(language, name) }
        let phrase: AdminActionPhrase = ruling.verb == .refuse ? .ruledDenied : .ruledFor
        return phrase.text(language, name, language.list(owners))
    }

    func merge(_ merge: MergeAnswer) -> String {
        AdminActionPhrase.merged.text(
            language, merge.from.text, merge.into.text, "\(merge.merge)",
            ShellCommand("unmerge", "\(merge.merge)").text)
    }

    func unmerge(_ merge: MergeAnswer) -> String {
        AdminActionPhrase.unmerged.text(
            language, merge.from.text, merge.into.text, merge.undoes.map { "\($0)" } ?? "")
    }

    func reload(_ reload: ReloadAnswer) -> String {
        let digest = String(reload.policy.hexadecimal.prefix(12))
        let phrase: AdminActionPhrase =
            reload.outcome == .activated ? .policyActivated : .policyUnchanged
        let line = phrase.text(language, digest)
        guard reload.losses != nil else { return line }
        return line + "\n" + PolicyPhrase.notCounted.text(language)
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
