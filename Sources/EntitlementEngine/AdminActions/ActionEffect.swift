package import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

/// What an action changes, by what it has appended (spec 3.1): the feed's comparison of before and
/// after, and the claims.
extension EngineTransaction {
    /// Last of all: whether it can be undone is found by undoing it.
    func effect(after last: LedgerSequence) throws(LedgerError) -> EffectAnswer {
        let entries = try entries(after: last)
        var effect = EffectAnswer(at: now)
        guard !entries.isEmpty else { return effect }
        var feed = FeedDerivation(rehearsing: transaction, after: last, at: now, policy)
        _ = try feed.take(entries)
        let batch = try feed.batch.withoutErased(in: transaction)
        effect.told = batch.changes.map(ToldChange.init)
        for (subject, new) in batch.outlooks {
            let old = batch.stored[subject] ?? FeedOutlook()
            let account = subject.account ?? (new.account ?? old.account).map(policy.name)
            let former = Dictionary(uniqueKeysWithValues: old.items.map { ($0.key, $0) })
            let present = Dictionary(uniqueKeysWithValues: new.items.map { ($0.key, $0) })
            for key in Set(former.keys).union(present.keys) {
                let change = EffectChange(key, of: account, from: former[key], to: present[key])
                if let change { effect.changes.append(change) }
            }
        }
        effect.changes += batch.changes.filter { $0.kind == .ownerChanged }
            .map(EffectChange.init(owners:))
        effect.changes += try claims(
            of: batch.outlooks.keys.compactMap(\.account), decidedAfter: last)
        effect.changes.sort(by: EffectChange.precedes)
        effect.takesAway = effect.changes.contains(where: \.takesAway)
        effect.undo = try undo(of: entries)
        return effect
    }

    /// The claims that stand otherwise than before.
    private func claims(
        of accounts: [AccountID], decidedAfter last: LedgerSequence
    ) throws(LedgerError) -> [EffectChange] {
        var changes: [LedgerSequence: EffectChange] = [:]
        for account in accounts {
            let facts = try transaction.facts(withDenialsFor: account)
            var before: [LedgerSequence: ClaimStanding] = [:]
            for record in facts.known(upTo: last).claimRecords {
                before[record.claim.sequence] = record.answer.outcome
            }
            for record in facts.claimRecords {
                let (claim, standing) = (record.claim, record.answer.outcome)
                guard before[claim.sequence] != standing else { continue }
                changes[claim.sequence] = EffectChange(
                    claim: claim.sequence, of: policy.name(claim.value.account),
                    in: claim.value.transaction.environment, from: before[claim.sequence],
                    to: standing)
            }
        }
        return Array(changes.values)
    }
}

/// How an action is taken back.
extension EngineTransaction {
    /// The command without its reason, word by word; nil where there is none that would do it now.
    private func undo(of entries: [Recorded<LedgerEntry>]) throws(LedgerError) -> [String]? {
        for case .orderEvent(let event) in entries.map(\.value)
        where OrderEventKind.rulings.contains(event.kind) {
            guard case .done = try rule(on: event.order, .undo, .undoing).value else { return nil }
            return ["usher", "orders", "undo", event.order.text]
        }
        let (place, entry) = (entries[0].sequence, entries[0].value)
        switch entry {
        case .ruling(let ruling): return try undo(of: ruling, at: place, entries)
        case .accountMerge(let merge) where merge.undoes == nil:
            var recorder = MergeRecorder(self)
            let undoing = AccountMerge(
                from: merge.from, into: merge.into, undoes: place, isUpToNow: merge.isUpToNow,
                actor: AdminActionCause.undoing.actor, reason: AdminActionCause.undoing.reason)
            guard case .done = try recorder.record(undoing) else { return nil }
            return ["usher", "unmerge", "\(place)"]
        case .grant(let grant): return ["usher", "revoke", grant.id.text]
        case .block(let block) where block.purpose.closes:
            return ["usher", "reopen", block.account.text]
        case .block(let block): return ["usher", "unblock", block.id.text]
        case .creditSpend: return ["usher", "credits", "reverse", "\(place)"]
        case .creditHold: return ["usher", "credits", "release", "\(place)"]
        case .refundConsent(let consent):
            let flag = consent.isGiven ? "--withdrawn" : "--given"
            return ["usher", "refunds", "consent", consent.account.text, flag]
        default: return nil
        }
    }

    /// It takes the decision that followed first, by a claim on the same unit.
    private func undo(
        of ruling: Ruling, at place: LedgerSequence, _ entries: [Recorded<LedgerEntry>]
    ) throws(LedgerError) -> [String]? {
        let decision = entries.first { entry in
            guard case .decision(let decision) = entry.value else { return false }
            return decision.cause == place
        }
        let claims = try transaction.facts(about: ruling.unit).claimRecords.filter {
            $0.claim.sequence == ruling.claim || $0.decision?.value.unit == ruling.unit
        }
        let own = claims.last {
            $0.claim.sequence == ruling.claim || $0.claim.value.account == ruling.account
        }
        guard let decision, let claim = own ?? claims.first else { return nil }
        let undoing = RulingRequest(
            verb: .undo, claim: claim.claim.sequence, decision: decision.sequence, cause: .undoing)
        guard case .done = try rule(undoing).value else { return nil }
        return [
            "usher", "claims", "undo", "\(claim.claim.sequence)", "--decision",
            "\(decision.sequence)",
        ]
    }
}

extension AdminActionCause {
    /// Of what is taken back again at once.
    fileprivate static let undoing = AdminActionCause(actor: "usher", reason: "preview")
}

extension EffectChange {
    /// By account, then by what it is about.
    fileprivate static func precedes(_ one: EffectChange, _ other: EffectChange) -> Bool {
        one.place.lexicographicallyPrecedes(other.place)
    }

    private var place: [String] {
        let kind = Kind.allCases.firstIndex(of: kind) ?? 0
        return [account?.text ?? "", "\(kind)", environment?.rawValue ?? "", subject]
    }
}

extension EffectAnswer {
    /// With each change in words.
    package func said(in language: Language) -> EffectAnswer {
        var effect = self
        for place in effect.changes.indices {
            effect.changes[place].sentence = effect.changes[place].sentences(in: language)[0]
        }
        return effect
    }
}

extension EffectChange {
    /// What changes now, if anything does, and then at each later instant.
    package func sentences(in language: Language) -> [String] {
        var sentences: [String] = []
        if before != after || later.isEmpty {
            sentences.append(
                words(from: before, to: after, since: EffectPhrase.now.text(language), language))
        }
        return sentences
            + later.map { words(from: $0.before, to: $0.after, since: $0.at.date, language) }
    }

    private func words(
        from old: ChangeValue?, to new: ChangeValue?, since when: String, _ language: Language
    ) -> String {
        let account = (account?.text ?? "-").shown
        let subject = subject.shown
        switch kind {
        case .right: return right(account, subject, old, new, when, language)
        case .balance:
            return EffectPhrase.balance.text(
                language, account, subject, when, "\(new?.balance ?? 0)", "\(old?.balance ?? 0)")
        case .lapse:
            let phrase: EffectPhrase = new == nil ? .lapsesNot : .lapses
            let lapse = new ?? old
            return phrase.text(
                language, account, subject, lapse?.until?.date ?? "", "\(lapse?.balance ?? 0)")
        case .finding:
            let phrase: EffectPhrase = new == nil ? .findingClosed : .findingOpened
            return phrase.text(language, account, subject, when)
        case .order:
            func state(_ value: ChangeValue?) -> String {
                OrderState.words(value?.state ?? "-", language)
            }
            return EffectPhrase.order.text(language, subject, state(new), state(old), when)
        case .owners:
            func owners(_ value: ChangeValue?) -> String {
                let names = value?.owners ?? []
                return names.isEmpty
                    ? EffectPhrase.nobody.text(language)
                    : names.map(\.text.shown).joined(separator: ", ")
            }
            return EffectPhrase.owners.text(language, subject, owners(new), owners(old))
        case .claim:
            func standing(_ value: ChangeValue?) -> String {
                ClaimDenial.words(value?.state ?? "-", language)
            }
            return EffectPhrase.claim.text(language, subject, account, standing(new), standing(old))
        }
    }

    private func right(
        _ account: String, _ name: String, _ old: ChangeValue?, _ new: ChangeValue?,
        _ when: String, _ language: Language
    ) -> String {
        let (had, has) = (old?.decision ?? false, new?.decision ?? false)
        let (former, until) = (old?.until?.date, new?.until?.date)
        switch (had, has) {
        case (true, false): return EffectPhrase.loses.text(language, account, name, when)
        case (false, true):
            guard let until else { return EffectPhrase.gains.text(language, account, name, when) }
            return EffectPhrase.gainsUntil.text(language, account, name, when, until)
        case (_, _) where former == until:
            func state(_ value: ChangeValue?) -> String {
                value?.state.map { EntitlementState.words($0, language) }
                    ?? EffectPhrase.noPurchase.text(language)
            }
            return EffectPhrase.state.text(
                language, account, name, when, state(new), state(old))
        case (true, true):
            guard let until else { return EffectPhrase.hasForever.text(language, account, name) }
            return EffectPhrase.hasUntil.text(language, account, name, until)
        case (false, false):
            guard let until else { return EffectPhrase.getsNot.text(language, account, name) }
            return EffectPhrase.gains.text(language, account, name, until)
        }
    }
}

/// What an action changes, in words.
enum EffectPhrase: String, CaseIterable, EngineText, Wording {
    case now
    case loses = "{0} loses {1} from {2}"
    case gains = "{0} has {1} from {2}"
    case gainsUntil = "{0} has {1} from {2} until {3}"
    case hasUntil = "{0} has {1} until {2}"
    case hasForever = "{0} has {1} without an end"
    case getsNot = "{0} does not get {1} any more"
    case state = "{1} of {0} from {2}: {3}, not {4}"
    case balance = "{0} has {3} {1} from {2}, not {4}"
    case lapses = "{3} {1} of {0} lapse on {2}"
    case lapsesNot = "{3} {1} of {0} do not lapse on {2}"
    case findingOpened = "a finding about {0} opens: {1}"
    case findingClosed = "a finding about {0} closes: {1}"
    case order = "order {0} from {3}: {1}, not {2}"
    case owners = "{0} is owned by {1}, not by {2}"
    case nobody
    case noPurchase = "no purchase"
    case claim = "claim {0} of {1}: {2}, not {3}"
}

/// Codes of orders in words.
extension OrderState: EngineText {
    package var english: String {
        switch self {
        case .created: "created"
        case .paying: "paying"
        case .paid: "paid"
        case .delivered: "delivered"
        case .finished: "finished"
        case .deferred: "waiting for approval"
        case .notAllowed: "payments disabled"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case .noReceipt: "no receipt yet"
        case .scheduled: "scheduled for the renewal"
        case .abandoned: "abandoned"
        case .review: "in review"
        case .refunded: "refunded"
        }
    }
}
