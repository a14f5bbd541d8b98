package import EntitlementModel

/// The access rules after the policy's own, in order (spec 1.5).
package let builtInAccessRules: [AccessRule] = {
    var unknownOwnership = Condition()
    unknownOwnership.ownerships = [.unknown]
    var usable = Condition()
    usable.states = [.active, .grace, .renewing]
    return [
        AccessRule(
            reference: .builtIn(.unknownOwnership), when: unknownOwnership,
            effect: .withhold),
        AccessRule(
            reference: .builtIn(.usable), when: usable, effect: .grant),
        AccessRule(
            reference: .builtIn(.otherwise), when: Condition(),
            effect: .withhold),
    ]
}()

/// The claim rules after the policy's own, in order (spec 1.6). The first is about units without an
/// owner, the others about units of another account.
package let builtInClaimRules: [ClaimRule] = {
    var otherToken = Condition()
    otherToken.tokens = [.other]
    var accountScoped = Condition()
    accountScoped.kinds = [.consumable, .nonRenewing]
    var ownPurchase = Condition()
    ownPurchase.moments = [.purchase]
    ownPurchase.tokens = [.matches]
    var listed = Condition()
    listed.moments = [.listed]
    return [
        ClaimRule(reference: .token, when: otherToken, verb: .deny),
        ClaimRule(reference: .accountScoped, when: accountScoped, verb: .keep),
        ClaimRule(
            reference: .builtIn(.lapsedMoves),
            when: ownPurchase, verb: .transferIfInactive),
        ClaimRule(reference: .listed, when: listed, verb: .keep),
        ClaimRule(
            reference: .builtIn(.ownerKeeps), when: Condition(), verb: .keep),
    ]
}()

/// The rule behind the policy's own `refund_answers` (spec 1.12).
package let builtInRefundRule = RefundRule(
    reference: .builtIn(.nothingTold), when: Condition(), answer: .nothing)

extension RuleReference {
    /// Whether a person decided, or has to decide without a loss for anybody.
    var isOfAPersonsWord: Bool { self == .takenByHand || self == .beforeClaims }

    /// The appAccountToken of an unowned purchase names another account.
    static let token = RuleReference.builtIn(.token)
    /// A consumable is delivered once, to one account.
    static let accountScoped = RuleReference.builtIn(.accountScoped)
    /// A purchase shared by the family is never moved by a purchase claim of another account.
    static let familyShared = RuleReference.builtIn(.familyShared)
    /// On the day of a purchase no restore takes it from the account that presented it.
    static let freshPurchase = RuleReference.builtIn(.freshPurchase)
    /// The device lists what another account has.
    package static let listed = RuleReference.builtIn(.listed)
    /// A person took the purchase from the account.
    static let takenByHand = RuleReference.builtIn(.takenByHand)
    /// Somebody who was erased had it, and the policy asks a person.
    static let ownerErased = RuleReference.builtIn(.ownerErased)
    /// The account is closed.
    static let closedAccount = RuleReference.builtIn(.closedAccount)
    /// A purchase of before `claims_from`.
    static let beforeClaims = RuleReference.builtIn(.beforeClaims)
    /// It had no owner, and no rule denies it.
    package static let firstClaim = RuleReference.builtIn(.firstClaim)
    /// The claimant owned it already.
    static let ownClaim = RuleReference.builtIn(.ownClaim)
    /// Two accounts were merged, or a merge was undone: deliveries follow such a decision.
    package static let merged = RuleReference.builtIn(.merged)
    /// The lineage continues an older one, and gets its owners (spec 1.4).
    package static let succession = RuleReference.builtIn(.succession)
    /// A person decided.
    package static let byHand = RuleReference.builtIn(.byHand)
    /// The account owned the purchase once, and does not now.
    static let formerOwner = RuleReference.builtIn(.formerOwner)
    /// No fact gives the right, so no rule was asked.
    static let nothing = RightSpan.nothing(.always).rule
    static let grantedByHand = RuleReference.builtIn(.grantedByHand)
    static let grantEnded = RuleReference.builtIn(.grantEnded)
    static let blocked = RuleReference.builtIn(.blocked)
}
