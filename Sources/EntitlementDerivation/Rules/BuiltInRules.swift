package import EntitlementModel

/// The access rules that stand behind the policy's own, in order (spec 1.5).
package let builtInAccessRules: [AccessRule] = {
    var unknownOwnership = Condition()
    unknownOwnership.ownerships = [.unknown]
    var usable = Condition()
    usable.states = [.active, .grace, .renewing]
    return [
        AccessRule(
            reference: .builtIn("unknown ownership gives nothing"), when: unknownOwnership,
            effect: .withhold),
        AccessRule(
            reference: .builtIn("active, grace and renewing give"), when: usable, effect: .grant),
        AccessRule(
            reference: .builtIn("everything else gives nothing"), when: Condition(),
            effect: .withhold),
    ]
}()

/// The claim rules that stand behind the policy's own, in order (spec 1.6). The first is about
/// units that nobody owns, the others about units that another account owns.
package let builtInClaimRules: [ClaimRule] = {
    var otherToken = Condition()
    otherToken.tokens = [.other]
    var accountScoped = Condition()
    accountScoped.kinds = [.consumable, .nonRenewing]
    var ownPurchase = Condition()
    ownPurchase.moments = [.purchase]
    ownPurchase.tokens = [.matches]
    return [
        ClaimRule(reference: .token, when: otherToken, verb: .deny),
        ClaimRule(reference: .accountScoped, when: accountScoped, verb: .keep),
        ClaimRule(
            reference: .builtIn("a lapsed subscription bought by its new account moves"),
            when: ownPurchase, verb: .transferIfInactive),
        ClaimRule(
            reference: .builtIn("the owner keeps it"), when: Condition(), verb: .keep),
    ]
}()

/// The rule behind the policy's own `refund_answers` (spec 1.12).
package let builtInRefundRule = RefundRule(
    reference: .builtIn("Apple is told nothing"), when: Condition(), answer: .nothing)

extension RuleReference {
    /// The appAccountToken of an unowned purchase names another account.
    static let token = RuleReference.builtIn("the token names another account")
    /// A consumable is delivered once, to one account.
    static let accountScoped = RuleReference.builtIn("account-scoped purchases do not move")
    /// What the family shares is never moved by a purchase claim of somebody else.
    static let familyShared = RuleReference.builtIn("a purchase moves nothing that is shared")
    /// Nobody owned it, and no rule denies it.
    package static let firstClaim = RuleReference.builtIn("the first accepted claim owns it")
    /// The claimant owned it already.
    static let ownClaim = RuleReference.builtIn("the owner's own claim changes nothing")
    /// Two accounts were merged, or a merge was undone: deliveries follow such a decision.
    package static let merged = RuleReference.builtIn("the accounts were merged")
    /// A lineage goes on from an older one, whose owners it gets (spec 1.4).
    package static let succession = RuleReference.builtIn("succession")
    /// A person decided.
    package static let byHand = RuleReference.builtIn("ruled by hand")
    /// The account owned the purchase once, and does not now.
    static let formerOwner = RuleReference.builtIn("no longer owned")
    /// No fact gives the right, so no rule was asked.
    static let nothing = RightSpan.nothing(.always).rule
    static let grantedByHand = RuleReference.builtIn("granted by hand")
    static let grantEnded = RuleReference.builtIn("the grant has ended")
    static let blocked = RuleReference.builtIn("account is blocked")
}
