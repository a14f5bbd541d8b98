internal import EntitlementDerivation
package import EntitlementModel
internal import EntitlementSpecification
package import TestSupport

/// A history as the ledger would hold it: claims are judged as they are recorded, by the facts
/// and the policy before them.
///
/// Decisions are the specification's; the derivation's are compared with them, so that one
/// disagreement does not become many.
package struct Playback: Sendable {
    package private(set) var policies: PolicyHistory
    package internal(set) var facts = FactSet()
    package internal(set) var disagreements: [Disagreement] = []
    package private(set) var judgements = 0
    var coverage = Coverage()
    private var sequence: Int64 = 1

    package init(_ history: History) {
        policies = PolicyHistory(history.firstPolicy)
        for event in history.events { play(event) }
    }

    private mutating func play(_ event: Dated<HistoryEvent>) {
        let instant = event.recordedAt
        switch event.value.folded(by: policies.current) {
        case .policy(let policy): policies.activate(policy, at: instant)
        case .transaction(let snapshot):
            facts.transactions.append(next(snapshot, instant))
            succeed(recordedAt: instant)
        case .renewal(let snapshot): facts.renewals.append(next(snapshot, instant))
        case .claim(let claim): judge(claim, recordedAt: instant)
        case .presentation(let account, let moment, let named):
            present(named, by: account, moment, recordedAt: instant)
        case .ruling(let key, let ruling): rule(ruling, on: key, recordedAt: instant)
        case .grant(let grant): facts.grants.append(next(grant, instant))
        case .grantRevocation(var revocation):
            // As it was given, whatever the spelling that counts by now.
            let grant = facts.grants.last { $0.value.id == revocation.grant }
            revocation.account = grant?.value.account ?? revocation.account
            facts.grantRevocations.append(next(revocation, instant))
        case .block(let block): facts.blocks.append(next(block, instant))
        case .blockRemoval(var removal):
            let block = facts.blocks.last { $0.value.id == removal.block }
            removal.account = block?.value.account ?? removal.account
            facts.blockRemovals.append(next(removal, instant))
        case .accountToken(let registration):
            facts.accountTokens.append(next(registration, instant))
        case .merge(let from, let into, let isUpToNow):
            merge(from, into: into, isUpToNow: isUpToNow, recordedAt: instant)
        case .mergeUndo(let from, let into): undoMerge(from, into: into, recordedAt: instant)
        case .credit(let action): follow(action, recordedAt: instant)
        case .refundConsent(let account, let isGiven):
            let specification = Specification(policies: policies, facts: facts)
            let consent = RefundConsent(
                account: specification.account(standingFor: account), isGiven: isGiven,
                actor: "uid:7", reason: "a test")
            facts.refundConsents.append(next(consent, instant))
        case .promise(let promise): facts.orderPromises.append(next(promise, instant))
        }
    }

    /// With every account under the name that the policy folds it to.
    var namedFacts: FactSet {
        Specification(policies: policies, facts: facts).facts
    }

    /// Where the next entry will stand.
    var nextSequence: LedgerSequence { LedgerSequence(sequence + 1) }

    mutating func next<Value>(_ value: Value, _ instant: Instant) -> Recorded<Value> {
        sequence += 1
        return Recorded(
            sequence: LedgerSequence(sequence), recordedAt: instant, value: value)
    }

    /// The claim itself, and the claim of the account that its token names. Evidence of an
    /// account that was merged claims for the one that it was merged into.
    mutating func judge(_ handedIn: Claim, recordedAt: Instant) {
        let specification = Specification(policies: policies, facts: facts)
        var claim = handedIn
        claim.account = specification.account(
            standingFor: handedIn.account, boughtAt: specification.bought(handedIn.transaction))
        if claim.account != handedIn.account { coverage.visit("evidence of a merged account") }
        let judged = EntitlementDerivation.judge(
            claim, recordedAt: recordedAt, policies: policies, facts: facts)
        var expected: [(Claim, SpecifiedJudgement)] = []
        if let judgement = specification.judgement(of: claim, recordedAt: recordedAt) {
            record(claim, judgement, by: judged.first?.rule, recordedAt: recordedAt)
            switch judged.first?.rule.name {
            case "a restore takes nothing that was bought in the last 24 hours":
                coverage.visit("a purchase kept for a day")
            case "bought before claims_from": coverage.visit("waiting because of claims_from")
            case "a person took it from the account": coverage.visit("denied by a person's word")
            default: break
            }
            expected.append((claim, judgement))
            if let named = judgement.named {
                var follower = claim
                follower.account = named
                let after = Specification(policies: policies, facts: facts)
                if let next = after.judgement(of: follower, recordedAt: recordedAt) {
                    record(
                        follower, next, by: judged.dropFirst().first?.rule,
                        recordedAt: recordedAt)
                    expected.append((follower, next))
                }
            }
        }
        judgements += expected.count
        for (_, judgement) in expected { visit(judgement) }
        let specified = expected.map { describe($0.0.account, $0.1) }.joined(separator: "; ")
        let derived = judged.map(describe).joined(separator: "; ")
        if specified != derived {
            disagreements.append(
                Disagreement(
                    "judgement of \(claim.account)'s \(claim.moment.rawValue) claim of "
                        + "\(claim.transaction.transactionID)",
                    at: recordedAt, derived: derived, specified: specified))
        }
    }

    private mutating func visit(_ judgement: SpecifiedJudgement) {
        coverage.visit("claim \(judgement.outcome.code)")
        let rule = policies.current.claimRules.first { $0.reference == judgement.rule }
        if rule?.verb == .inherit { coverage.visit("inheritance \(judgement.outcome.code)") }
        if judgement.outcome == .denied(.waiting), rule?.verb != .ask {
            coverage.visit("claim waiting beyond a limit")
        }
        guard !judgement.isRecorded, case .denied = judgement.outcome else { return }
        coverage.visit("claim \(judgement.outcome.code) again")
    }

    /// `rule` is the derivation's: only it has names for the rules that no policy wrote.
    private mutating func record(
        _ claim: Claim, _ judgement: SpecifiedJudgement, by rule: RuleReference?,
        recordedAt: Instant
    ) {
        guard judgement.isRecorded else { return }
        let recorded = next(claim, recordedAt)
        facts.claims.append(recorded)
        let decision = OwnershipDecision(
            cause: recorded.sequence, unit: judgement.unit,
            transactionID: claim.transaction.transactionID, outcome: judgement.outcome,
            rule: judgement.rule ?? rule ?? .builtIn("built-in"),
            policy: policies.current.digest, ownersBefore: judgement.ownersBefore,
            ownersAfter: judgement.ownersAfter, from: judgement.from)
        facts.decisions.append(next(decision, recordedAt))
    }
}

private func describe(_ account: AccountID, _ judgement: SpecifiedJudgement) -> String {
    let owners = judgement.ownersAfter.map(\.text).joined(separator: "+")
    let from = judgement.outcome == .accepted ? "\(judgement.from.milliseconds)" : "-"
    return "\(account) \(judgement.outcome.code) \(judgement.unit.text) -> \(owners) "
        + "from \(from) by \(describe(judgement.rule)) \(judgement.isRecorded)"
}

private func describe(_ judged: JudgedClaim) -> String {
    let owners = judged.ownersAfter.map(\.text).joined(separator: "+")
    let from = judged.outcome == .accepted ? "\(judged.from.milliseconds)" : "-"
    return "\(judged.claim.account) \(judged.outcome.code) \(judged.unit.text) -> \(owners) "
        + "from \(from) by \(describe(judged.rule)) \(judged.isRecorded)"
}

private func describe(_ rule: RuleReference?) -> String {
    guard let rule, rule.file != "built-in" else { return "built-in" }
    return rule.name
}

extension HistoryEvent {
    /// As the service takes it from whoever calls: what names an account is folded there, and what
    /// was recorded under another policy keeps its bytes (spec 1.1).
    fileprivate func folded(by policy: Policy) -> HistoryEvent {
        func name(_ account: AccountID) -> AccountID {
            guard policy.app.accountToken == .isAccountID,
                let token = AppAccountToken(account.text)
            else { return account }
            return AccountID(unchecked: token.text)
        }
        switch self {
        case .policy, .transaction, .renewal, .promise: return self
        case .presentation(let account, let moment, let named):
            return .presentation(account.map(name), moment, named)
        case .claim(var claim):
            claim.account = name(claim.account)
            return .claim(claim)
        case .ruling(let key, let ruling): return .ruling(key, ruling.naming(name))
        case .grant(var grant):
            grant.account = name(grant.account)
            return .grant(grant)
        case .grantRevocation(var revocation):
            revocation.account = name(revocation.account)
            return .grantRevocation(revocation)
        case .block(var block):
            block.account = name(block.account)
            return .block(block)
        case .blockRemoval(var removal):
            removal.account = name(removal.account)
            return .blockRemoval(removal)
        case .accountToken(var registration):
            registration.account = name(registration.account)
            return .accountToken(registration)
        case .merge(let from, let into, let isUpToNow):
            return .merge(from: name(from), into: name(into), isUpToNow: isUpToNow)
        case .mergeUndo(let from, let into):
            return .mergeUndo(from: name(from), into: name(into))
        case .credit(let action): return .credit(action.naming(name))
        case .refundConsent(let account, let isGiven):
            return .refundConsent(name(account), isGiven: isGiven)
        }
    }
}

extension HistoryCredit {
    fileprivate func naming(_ name: (AccountID) -> AccountID) -> HistoryCredit {
        switch self {
        case .spend(let account, let environment, let parts):
            .spend(name(account), environment, parts)
        case .hold(let account, let environment, let parts, let until):
            .hold(name(account), environment, parts, until: until)
        case .gift(let account, let environment, let gift, let until):
            .gift(name(account), environment, gift, until: until)
        case .thaw(let account): .thaw(name(account))
        case .endHold, .reverse, .endGift: self
        }
    }
}

extension HistoryRuling {
    fileprivate func naming(_ name: (AccountID) -> AccountID) -> HistoryRuling {
        switch self {
        case .approve(let account): .approve(name(account))
        case .refuse(let account): .refuse(name(account))
        case .transfer(let account): .transfer(name(account))
        case .release(let account): .release(account.map(name))
        case .undo: self
        }
    }
}
