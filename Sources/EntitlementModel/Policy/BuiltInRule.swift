/// A rule that stands behind those of every policy, or decides where none is asked. The raw value
/// is its name in answers, in the feed and in stories, and stays the same; pages show people the
/// name in their language.
package enum BuiltInRule: String, CaseIterable, Hashable, Sendable {
    /// No fact gives the right, so no rule was asked.
    case nothing = "nothing gives it"
    case unknownOwnership = "unknown ownership gives nothing"
    case usable = "active, grace and renewing give"
    case otherwise = "everything else gives nothing"
    case grantedByHand = "granted by hand"
    case grantEnded = "the grant has ended"
    case blocked = "account is blocked"
    /// The appAccountToken of an unowned purchase names another account.
    case token = "the token names another account"
    /// A consumable is delivered once, to one account.
    case accountScoped = "account-scoped purchases do not move"
    /// What the family shares is never moved by a purchase claim of somebody else.
    case familyShared = "a purchase moves nothing that is shared"
    case lapsedMoves = "a lapsed subscription bought by its new account moves"
    /// On the day of a purchase no restore takes it from the account that presented it.
    case freshPurchase = "a restore takes nothing that was bought in the last 24 hours"
    case listed = "what the device lists takes nothing from another account"
    case ownerKeeps = "the owner keeps it"
    /// A release or an undone decision took it from the account.
    case takenByHand = "a person took it from the account"
    /// The back end before Usher has delivered it, perhaps.
    case beforeClaims = "bought before claims_from"
    /// Nobody owned it, and no rule denies it.
    case firstClaim = "the first accepted claim owns it"
    /// The claimant owned it already.
    case ownClaim = "the owner's own claim changes nothing"
    /// Two accounts were merged, or a merge was undone: deliveries follow such a decision.
    case merged = "the accounts were merged"
    /// A lineage goes on from an older one, whose owners it gets (spec 1.4).
    case succession = "succession"
    /// A person decided.
    case byHand = "ruled by hand"
    /// The account owned the purchase once, and does not now.
    case formerOwner = "no longer owned"
    /// What stands behind `refund_answers` (spec 1.12).
    case nothingTold = "Apple is told nothing"

    /// The rule that has this name in one of the languages.
    package init?(named name: String) {
        let rule = Self.allCases.first { rule in
            Language.allCases.contains { rule.text($0) == name }
        }
        guard let rule else { return nil }
        self = rule
    }
}
