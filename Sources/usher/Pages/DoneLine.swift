internal import EntitlementModel
internal import StrictJSON

/// The line that says what an admin action has done.
struct DoneLine {
    let record: JSONValue
    let language: Language

    var grant: String {
        let account = record.word("account") ?? ""
        let id = record.word("grant") ?? ""
        let undo = ShellCommand("revoke", id).text
        let page = Page(language: language, paint: Paint(isOn: false), drawsBranches: false)
        guard let name = record.word("entitlement") else {
            return AdminActionPhrase.creditGranted.text(language, account, gift, "", id, undo)
        }
        return AdminActionPhrase.granted.text(language, account, name, page.span(record), id, undo)
    }

    var revocation: String {
        AdminActionPhrase.revoked.text(
            language, record.word("grant") ?? "", gift, record.word("account") ?? "")
    }

    var block: String {
        let id = record.word("block") ?? ""
        return AdminActionPhrase.blocked.text(
            language, record.word("account") ?? "", id, ShellCommand("unblock", id).text)
    }

    var lifting: String {
        AdminActionPhrase.unblocked.text(
            language, record.word("account") ?? "", record.word("block") ?? "")
    }

    /// Whose the unit is now; the first decision is the ruling's own.
    var ruling: String {
        let name =
            record.word("lineage").map { AccountPhrase.lineage.text(language, $0) }
            ?? AccountPhrase.transaction.text(language, record.word("transaction") ?? "")
        let decision = record.list("decisions").first
        let owners = decision?.words("owners_after") ?? []
        guard !owners.isEmpty else { return AdminActionPhrase.ruledNobody.text(language, name) }
        let phrase: AdminActionPhrase = record.word("verb") == "refuse" ? .ruledDenied : .ruledFor
        return phrase.text(language, name, language.list(owners))
    }

    var merge: String {
        let number = record.number("merge") ?? ""
        return AdminActionPhrase.merged.text(
            language, record.word("from") ?? "", record.word("into") ?? "", number,
            ShellCommand("unmerge", number).text)
    }

    var unmerge: String {
        AdminActionPhrase.unmerged.text(
            language, record.word("from") ?? "", record.word("into") ?? "",
            record.number("undoes") ?? "")
    }

    var reload: String {
        let digest = String((record.word("policy") ?? "").prefix(12))
        let isNew = record.word("outcome") == "activated"
        let line = (isNew ? AdminActionPhrase.policyActivated : .policyUnchanged).text(
            language, digest)
        guard record["losses"] != nil else { return line }
        return line + "\n" + PolicyPhrase.notCounted.text(language)
    }

    private var gift: String {
        record.word("entitlement")
            ?? "\(record.number("units") ?? "") \(record.word("credit") ?? "")"
    }
}
