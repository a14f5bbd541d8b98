internal import EntitlementAnswers
internal import EntitlementModel
internal import PolicyLoading

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

    func reload(_ reload: ReloadAnswer) -> [String] {
        let digest = String(reload.policy.hexadecimal.prefix(12))
        let phrase: AdminActionPhrase =
            reload.outcome == .activated ? .policyActivated : .policyUnchanged
        let line = phrase.text(language, digest)
        let counted = reload.losing.map { PolicyPhrase.counted.text(language, "\($0)") }
        let missing = reload.missingFiles.map { files in
            PolicyPhrase.filesGone.text(language, language.list(files.map(\.shown)))
        }
        return [line, counted, missing].compactMap(\.self)
    }

    func rollback(_ rollback: RollbackAnswer) -> String {
        AdminActionPhrase.policyRolledBack.text(
            language, String(rollback.policy.hexadecimal.prefix(12)),
            String(rollback.replaced.hexadecimal.prefix(12)))
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

/// What a policy may take away, and what is to be done about it.
extension Page {
    /// How many losses a page names.
    private static var namedLosses: Int { 20 }

    mutating func write(_ comparison: PolicyComparisonResult) {
        let replaces = String(comparison.replaces.hexadecimal.prefix(12))
        write(missingFiles: comparison.missingFiles)
        switch comparison.outcome {
        case .unchanged: add(PolicyPhrase.unchanged.text(language))
        case .activates:
            let phrase: PolicyPhrase = comparison.losses.isEmpty ? .activates : .harmless
            add(phrase.text(language, replaces))
        case .accepted, .waits:
            let phrase: PolicyPhrase = comparison.outcome == .waits ? .waits : .accepted
            add(
                paint(
                    phrase.text(language, "\(comparison.losses.count)", replaces), .care))
            writeLosses(
                comparison.losses.prefix(Self.namedLosses).map {
                    $0.sentence(in: language)
                }, of: comparison.losses.count)
            if let other = comparison.acceptedAfter {
                add(PolicyPhrase.otherAcceptance.text(language, other.hexadecimal))
            }
            if let accepted = comparison.acceptedAtMost {
                add(PolicyPhrase.tooMany.text(language, "\(accepted)"))
            }
            if comparison.outcome == .waits {
                add(PolicyPhrase.howToAccept.text(language, comparison.replaces.hexadecimal))
            }
        }
    }

    private mutating func write(missingFiles files: [String]) {
        guard !files.isEmpty else { return }
        let names = language.list(files.map(\.shown))
        add(paint(PolicyPhrase.missingFiles.text(language, names), .care))
    }

    /// What `/status` says of a policy that waits.
    mutating func write(waiting: WaitingPolicyAnswer) {
        write(missingFiles: waiting.missingFiles ?? [])
        let replaces = waiting.replaces.hexadecimal
        add(
            paint(
                waiting.losses == 0
                    ? PolicyPhrase.waitsForPerson.text(language, String(replaces.prefix(12)))
                    : PolicyPhrase.waits.text(
                        language, "\(waiting.losses)", String(replaces.prefix(12))), .care))
        writeLosses(waiting.firstLosses.map(sentence), of: Int(waiting.losses))
        if let other = waiting.acceptedAfter {
            add(PolicyPhrase.otherAcceptance.text(language, other.hexadecimal))
        }
        if waiting.isRolledBack == true { add(PolicyPhrase.rolledBack.text(language)) }
        if waiting.isSuperseded == true { add(SchedulePhrase.superseded.text(language)) }
        if let losing = waiting.losing {
            add(PolicyPhrase.counted.text(language, "\(losing)"))
            if let accepted = waiting.acceptedAtMost {
                add(PolicyPhrase.tooMany.text(language, "\(accepted)"))
            }
        } else if waiting.isRolledBack != true, waiting.isSuperseded != true {
            add(PolicyPhrase.notCounted.text(language))
        }
        add(PolicyPhrase.howToAccept.text(language, replaces))
    }

    /// In the reader's language; a service of another version may know other kinds.
    private func sentence(_ loss: LossAnswer) -> String {
        guard let kind = PolicyLoss.Kind(rawValue: loss.kind) else { return loss.detail }
        return PolicyLoss(kind, names: loss.names).sentence(in: language)
    }

    private mutating func writeLosses(_ sentences: [String], of count: Int) {
        var branches = sentences
        if count > sentences.count {
            branches.append(PolicyPhrase.more.text(language, "\(count - sentences.count)"))
        }
        tree(branches.map { Branch($0) })
    }
}
