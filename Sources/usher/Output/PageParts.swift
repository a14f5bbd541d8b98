internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel

/// What several pages say in the same way.
extension Page {
    /// Branches for the first of many, and how many more there are.
    mutating func tree<Item>(_ items: [Item], atMost limit: Int, _ branch: (Item) -> Branch) {
        let rest = items.count - limit
        let more = PolicyPhrase.more.text(language, "\(rest)")
        tree(items.prefix(limit).map(branch) + (rest > 0 ? [Branch(more)] : []))
    }

    /// `until …`, `for ever` and the like.
    func span(_ interval: Interval) -> String {
        span(from: interval.start == .distantPast ? nil : interval.start, until: interval.end)
    }

    func span(from: Instant?, until: Instant?) -> String {
        switch (from?.date, until?.date) {
        case (nil, nil): AccountPhrase.always.text(language)
        case (let from?, nil): AccountPhrase.since.text(language, from)
        case (nil, let until?): AccountPhrase.until.text(language, until)
        case (let from?, let until?): AccountPhrase.fromUntil.text(language, from, until)
        }
    }

    /// `rule 'name' at file:line`; built-in rules have no line.
    func rule(_ rule: RuleReference) -> String {
        guard rule.line > 0 else {
            return Phrase.builtInRule.text(language, rule.name(in: language))
        }
        return Phrase.rule.text(language, rule.name, "\(rule.file):\(rule.line)")
    }

    /// The state with the reason of an expiry, coloured by what it usually gives.
    func state(_ state: EntitlementState?, _ reason: ExpiryReason?) -> String? {
        guard let state else { return nil }
        var text = state.text(language)
        if let reason {
            text = Phrase.labelled.text(
                language, text, reason.text(language))
        }
        guard state.isRunning else { return paint(text, .bad) }
        return paint(text, [.active, .renewing].contains(state) ? .good : .care)
    }

    /// The state, and until when it is paid for.
    func standing(
        _ state: EntitlementState?, _ reason: ExpiryReason?, paidUntil: Instant?
    ) -> String? {
        guard let state = self.state(state, reason) else { return nil }
        let paid = paidUntil.map { AccountPhrase.paidUntil.text(language, $0.date) }
        return language.clauses([state, paid].compactMap(\.self))
    }

    /// What comes after the paid end, as Apple said it last: `renews DATE as PRODUCT, for PRICE`.
    func renewal(_ outlook: RenewalOutlook, of product: ProductID?) -> String {
        guard let willRenew = outlook.willRenew else { return RenewalPhrase.unknown.text(language) }
        guard willRenew else { return ExplainPhrase.doesNotRenew.text(language) }
        let plan = outlook.product == product ? nil : outlook.product?.text
        let parts: [String?] = [
            outlook.at.map { at in
                plan.map { RenewalPhrase.renewsAs.text(language, at.date, $0) }
                    ?? RenewalPhrase.renewsAt.text(language, at.date)
            } ?? ExplainPhrase.renews.text(language),
            outlook.at == nil ? plan.map { ExplainPhrase.renewsAs.text(language, $0) } : nil,
            outlook.price.map { RenewalPhrase.price.text(language, $0.text) },
            outlook.offer.map(offer),
        ]
        return language.list(parts.compactMap(\.self))
    }

    /// What Apple calls the offer, with its name and length where it has them.
    func offer(_ offer: Offer) -> String {
        let parts: [String?] = [
            OfferPhrase.words(OfferWord(offer).rawValue, language), offer.period?.shown,
            offer.identifier?.shown,
        ]
        return RenewalPhrase.offer.text(
            language, parts.compactMap(\.self).joined(separator: " "))
    }

    /// The name of a unit: a lineage, or a single transaction.
    func unitName(_ unit: OwnedUnit) -> String {
        let name =
            switch unit {
            case .lineage(let key):
                AccountPhrase.lineage.text(language, key.originalTransactionID.text)
            case .purchase(let key):
                AccountPhrase.transaction.text(language, key.transactionID.text)
            }
        guard unit.environment != .production else { return name }
        return language.list([name, unit.environment.rawValue])
    }

    func owners(_ owners: [OwnershipSpan]) -> [Branch] {
        guard !owners.isEmpty else {
            return [branch(AccountPhrase.ownedByNobody)]
        }
        return owners.map { owner in
            // How long a purchase is somebody's says nothing of what it gives.
            Branch(
                owner.interval == .always
                    ? AccountPhrase.ownedAlways.text(
                        language, owner.account.text, "\(owner.decision)")
                    : AccountPhrase.ownedBy.text(
                        language, owner.account.text, span(owner.interval), "\(owner.decision)"))
        }
    }

    func claim(_ claim: ClaimAnswer) -> Branch {
        let line = AccountPhrase.claim.text(
            language, paint("\(claim.claim)", .strong), claim.account.text,
            claim.transaction.text, claim.moment.text(language),
            claim.recordedAt.date)
        var branches = [Branch(outcome(claim.outcome))]
        if let approval = claim.approval {
            branches.append(action(approval.actor, approval.reason))
        }
        if let decision = claim.decision {
            branches.append(Branch(rule(decision.rule)))
            // The decision of a claim that a person approved is the one to wait.
            let owners =
                claim.approval == nil ? decision.ownersAfter.map(\.text) : [claim.account.text]
            branches.append(
                Branch(
                    owners.isEmpty
                        ? AccountPhrase.noOwner.text(language)
                        : AccountPhrase.owners.text(language, language.list(owners))))
        }
        return Branch(line, branches)
    }

    /// How a claim stands: in words, and by its code.
    func outcome(_ standing: ClaimStanding) -> String {
        let code = standing.rawValue
        let words =
            ClaimStandingPhrase(rawValue: code)?.text(language)
            ?? ClaimDenial.words(code, language)
        let text = words == code ? code : "\(words) [\(code)]"
        switch standing {
        case .accepted, .alreadyOwned, .approved: return paint(text, .good)
        case .waiting, .unknownTransaction, .ownedByOther: return paint(text, .care)
        case .kept, .cooldown, .limit, .denied, .token: return paint(text, .bad)
        }
    }

    func grant(_ grant: GrantAnswer) -> Branch {
        var branches = [action(grant.actor, grant.reason)]
        if let end = grant.revoked {
            branches.append(Branch(paint(over(.grantOver, end), .care)))
        }
        let line = AccountPhrase.given.text(
            language, grant.gift.name, span(from: grant.from, until: grant.until), grant.id.text)
        return Branch(line, branches)
    }

    func block(_ block: BlockAnswer) -> Branch {
        let line = AccountPhrase.blockStanding.text(
            language, block.recordedAt.date, block.id.text)
        var branches = [action(block.actor, block.reason)]
        if !block.stops.isEmpty {
            let names = block.stops.joined(separator: ", ")
            branches.append(branch(AccountPhrase.blockStops, names))
        }
        if let end = block.lifted {
            branches.append(Branch(over(.blockOver, end)))
            return Branch(line, branches)
        }
        return Branch(paint(line, .bad), branches)
    }

    /// Who did something, and why.
    func action(_ actor: String, _ reason: String) -> Branch {
        branch(AccountPhrase.givenBy, actor, reason)
    }

    private func over(_ phrase: AccountPhrase, _ end: Ending) -> String {
        phrase.text(language, end.at.date, end.actor, end.reason)
    }
}

extension Title {
    /// In the reader's language where it has one, safe to print.
    func text(_ language: Language) -> String {
        ((language == .chinese ? chinese : nil) ?? english).shown
    }
}

/// How a claim stands beyond what `ClaimDenial` names.
enum ClaimStandingPhrase: String, CaseIterable, UsherText {
    case accepted
    case alreadyOwned = "already-owned"
    case approved
    case unknownTransaction = "unknown-transaction"

    var english: String {
        switch self {
        case .accepted: "accepted"
        case .alreadyOwned: "already the owner"
        case .approved: "approved by a ruling"
        case .unknownTransaction: "the purchase is not known yet"
        }
    }
}

/// What pages say of the renewals to come.
enum RenewalPhrase: String, CaseIterable, UsherText, Wording {
    case renewsAt = "renews {0}"
    case renewsAs = "renews {0} as {1}"
    case unknown = "Apple has not said whether it renews"
    case price = "for {0}"
    case paidLast = "last paid {0}"
    case offer = "offer: {0}"
}

/// What a period was bought with: the words of conditions on `offer`.
enum OfferPhrase: String, CaseIterable, UsherText {
    case introductory, promotional, retention
    case freeTrial = "free-trial"
    case offerCode = "offer-code"
    case winBack = "win-back"
    /// Of a type that Apple added since.
    case other

    var english: String {
        switch self {
        case .introductory: "introductory offer"
        case .promotional: "promotional offer"
        case .freeTrial: "free trial"
        case .offerCode: "offer code"
        case .winBack: "win-back offer"
        case .retention: "retention offer"
        case .other: "an offer"
        }
    }
}
