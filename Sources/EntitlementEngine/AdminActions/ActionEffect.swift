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
        let owners = batch.changes.filter { $0.kind == .ownerChanged }
        let units = try units(of: Set(owners.compactMap(\.account)))
        effect.changes += owners.map { owners in
            var change = EffectChange(owners: owners)
            change.unit = units[owners.subject]
            return change
        }
        effect.changes += try claims(
            of: batch.outlooks.keys.compactMap(\.account), decidedAfter: last)
        let records = Set(entries.compactMap { record(by: $0.value) })
        effect.changes += records
        effect.changes.sort(by: EffectChange.precedes)
        effect.takesAway = effect.changes.contains(where: \.takesAway)
        effect.undo = try undo(of: entries)
        return effect
    }

    /// What the accounts own or have owned, under the names of the feed.
    private func units(of accounts: Set<AccountID>) throws(LedgerError) -> [String: UnitAnswer] {
        var found: [String: UnitAnswer] = [:]
        for account in accounts {
            let facts = policy.folding(try transaction.facts(withDenialsFor: account))
            let units = policy.view(of: account, facts: facts).timeline.units
            let bought = policy.deriver.purchases(of: units, at: now, facts)
            for unit in units {
                found[unit.unit.feedName] = UnitAnswer(
                    unit, appleID: nil, purchase: bought[unit.unit], renewal: nil, at: now)
            }
        }
        return found
    }

    /// What an entry says that no answer shows by itself.
    private func record(by entry: LedgerEntry) -> EffectChange? {
        func said(
            _ word: String, _ account: AccountID, _ subject: String
        ) -> EffectChange {
            EffectChange(word, of: policy.name(account), subject)
        }
        return switch entry {
        case .block(let block): said("blocked", block.account, block.id.text)
        case .blockRemoval(let removal): said("unblocked", removal.account, removal.block.text)
        case .refundConsent(let consent):
            said(
                consent.isGiven ? "consent-given" : "consent-withdrawn", consent.account, "refunds")
        case .creditThaw(let thaw): said("thawed", thaw.account, thaw.credit.text)
        default: nil
        }
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
        default: return try undo(ofClaimIn: entries)
        }
    }

    /// Of evidence: that of the one claim which got its account something.
    private func undo(
        ofClaimIn entries: [Recorded<LedgerEntry>]
    ) throws(LedgerError) -> [String]? {
        let decisions = entries.compactMap { entry -> Recorded<OwnershipDecision>? in
            guard case .decision(let decision) = entry.value,
                decision.ownersBefore != decision.ownersAfter
            else { return nil }
            return Recorded(
                sequence: entry.sequence, recordedAt: entry.recordedAt, value: decision)
        }
        guard let decision = decisions.first, decisions.count == 1 else { return nil }
        let undoing = RulingRequest(
            verb: .undo, claim: decision.value.cause, decision: decision.sequence, cause: .undoing)
        guard case .done = try rule(undoing).value else { return nil }
        return [
            "usher", "claims", "undo", "\(decision.value.cause)", "--decision",
            "\(decision.sequence)",
        ]
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
            effect.changes[place].sentence =
                effect.changes[place].sentences(in: language, at: at)[0]
        }
        return effect
    }
}

extension EffectChange {
    /// What changes now, if anything does, and then at each later instant.
    package func sentences(in language: Language, at instant: Instant) -> [String] {
        var sentences: [String] = []
        if before != after || later.isEmpty {
            sentences.append(
                words(
                    from: before, to: after, since: EffectPhrase.now.text(language), at: instant,
                    language))
        }
        return sentences
            + later.map {
                words(from: $0.before, to: $0.after, since: $0.at.date, at: instant, language)
            }
    }

    private func words(
        from old: ChangeValue?, to new: ChangeValue?, since when: String, at instant: Instant,
        _ language: Language
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
            let words = self.subject.split(separator: " ", maxSplits: 1).map(String.init)
            let kind = Finding.Kind.words(words[0], language)
            let finding =
                words.count == 1
                ? kind : EffectPhrase.findingAbout.text(language, kind, words[1].shown)
            return phrase.text(language, account, finding, when)
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
            let moved = EffectPhrase.owners.text(
                language, unit?.words(in: language) ?? subject, owners(new), owners(old))
            guard let end = unit?.ended(at: instant, language) else { return moved }
            return EffectPhrase.movedEnded.text(language, moved, end)
        case .claim:
            func standing(_ value: ChangeValue?) -> String {
                ClaimDenial.words(value?.state ?? "-", language)
            }
            guard old != nil else {
                return EffectPhrase.claimMade.text(language, subject, account, standing(new))
            }
            return EffectPhrase.claim.text(language, subject, account, standing(new), standing(old))
        case .record:
            let phrase = new?.state.flatMap { EffectPhrase.records[$0] }
            return phrase?.text(language, account, subject) ?? subject
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
            let isStillNot = !has && when == EffectPhrase.now.text(language)
            return (isStillNot ? EffectPhrase.stillNot : .state).text(
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
    case stillNot = "{0} still does not have {1}: {3} (so far: {4})"
    case owners = "{0}: from {2} to {1}"
    case movedEnded = "{0}; {1}"
    case findingAbout = "{0} ({1})"
    case bought = "{0}, bought {1}"
    case ended = "it ended on {0} ({1})"
    case blockBegins = "{0} is blocked"
    case blockEnds = "a block of {0} ends"
    case consents = """
        {0} agrees that Apple is told what was used of what is to be refunded; what has been sent \
        cannot be taken back
        """
    case consentsNot = "{0} does not agree that Apple is told what was used"
    case thaws = "{0} can spend {1} again that a refund has frozen"
    case nobody
    case noPurchase = "no purchase"
    case claim = "claim {0} of {1}: {2}, not {3}"
    case claimMade = "claim {0} of {1} is made: {2}"

    /// By the words for what is recorded.
    fileprivate static let records: [String: EffectPhrase] = [
        "blocked": .blockBegins, "unblocked": .blockEnds, "consent-given": .consents,
        "consent-withdrawn": .consentsNot, "thawed": .thaws,
    ]
}

extension UnitAnswer {
    /// As people call it: its title, and when it was bought.
    package func words(in language: Language) -> String {
        let product = purchase?.product ?? states.last?.product
        let name = purchase?.title?.text(language) ?? product?.text ?? unit.feedName
        guard let day = boughtAt?.date.prefix(10) else { return name }
        return EffectPhrase.bought.text(language, name, String(day))
    }

    /// Since when it gives nothing any more, and why; nil for what runs.
    package func ended(at instant: Instant, _ language: Language) -> String? {
        guard let end = ended(at: instant), let state = state(at: instant) else { return nil }
        let revocation = state.state == .revoked ? purchase?.takenBack(at: instant) : nil
        let why =
            revocation?.text(language) ?? state.expiryReason?.text(language)
            ?? state.state.text(language)
        return EffectPhrase.ended.text(language, String(end.date.prefix(10)), why)
    }
}

/// How Apple took a purchase back.
package enum TakenBack: String, CaseIterable, EngineText, Wording {
    case refunded = "refunded by Apple"
    case family = "removed from Family Sharing by the organiser"
    case assigned = "no longer assigned by the organisation"
    /// Apple did not say which.
    case unsaid = "refunded or taken back by Apple"

    fileprivate init(_ type: String?, isFamilyShared: Bool) {
        switch type.flatMap(RevocationType.init(rawValue:)) {
        case .full, .prorated: self = .refunded
        case .family: self = .family
        case .assigned: self = .assigned
        case nil: self = isFamilyShared ? .unsaid : .refunded
        }
    }
}

extension PurchaseFact {
    package var takenBack: TakenBack {
        TakenBack(revocationType, isFamilyShared: ownership == Ownership.familyShared.word)
    }
}

extension PurchaseAnswer {
    /// Nil for what Apple has not taken back by then.
    package func takenBack(at instant: Instant) -> TakenBack? {
        guard let revokedAt, revokedAt <= instant else { return nil }
        return TakenBack(revocationType, isFamilyShared: isFamilyShared)
    }
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
