/// A right given by hand (spec 1.1).
package struct Grant: Hashable, Sendable {
    package var id: GrantID
    package var account: AccountID
    package var environment: StoreEnvironment
    package var gift: GrantedGift
    /// Entitlements hold in `[from, until)`; nil until is for ever. Credits arrive at `from`.
    package var from: Instant
    package var until: Instant?
    package var actor: String
    package var reason: String

    package init(
        id: GrantID, account: AccountID, environment: StoreEnvironment, gift: GrantedGift,
        from: Instant, until: Instant?, actor: String, reason: String
    ) {
        self.id = id
        self.account = account
        self.environment = environment
        self.gift = gift
        self.from = from
        self.until = until
        self.actor = actor
        self.reason = reason
    }
}

/// An item of a grant.
package enum GrantedGift: Hashable, Sendable {
    case entitlement(EntitlementName)
    case credit(CreditName, units: Int64)

    /// How many units are given at once, as in a policy. A ledger may hold more: until this was
    /// checked, any positive number was taken.
    package static let possibleUnits: ClosedRange<Int64> = 1...1_000_000_000
}

/// The end of a grant before its time.
package struct GrantRevocation: Hashable, Sendable {
    package var grant: GrantID
    package var account: AccountID
    package var actor: String
    package var reason: String
    package var effect: Effect

    /// The effect on what was given.
    package enum Effect: Hashable, Sendable {
        /// The rest of it ends.
        case ends
        /// All of it is taken back: a gift for an order is undone.
        case undone
        /// The payment of the order takes the place of the gift that was given for it then: both
        /// are one delivery (spec 1.7).
        case paid(TransactionKey, given: Instant)
    }

    package init(
        grant: GrantID, account: AccountID, actor: String, reason: String, effect: Effect = .ends
    ) {
        self.grant = grant
        self.account = account
        self.actor = actor
        self.reason = reason
        self.effect = effect
    }

    /// The payment that takes the place of the gift.
    package var payment: TransactionKey? {
        guard case .paid(let payment, _) = effect else { return nil }
        return payment
    }
}

/// A stop put on an account by a service; the stops of all services are OR-ed (spec 1.1).
package struct Block: Hashable, Sendable {
    /// What it is for.
    package enum Purpose: Hashable, Sendable {
        case stop
        /// The account is closed: it claims nothing either (spec 1.6). Its scope is everything.
        case closure
        /// The same until it is erased (spec 1.14).
        case erasure(at: Instant, reference: ErasureReference)

        package var closes: Bool { self != .stop }

        package var due: Instant? {
            if case .erasure(let due, _) = self { due } else { nil }
        }

        package var reference: ErasureReference? {
            if case .erasure(_, let reference) = self { reference } else { nil }
        }
    }

    package var id: BlockID
    package var account: AccountID
    package var scope: BlockScope
    package var purpose: Purpose
    package var actor: String
    package var reason: String

    package init(
        id: BlockID, account: AccountID, scope: BlockScope = .everything,
        purpose: Purpose = .stop, actor: String, reason: String
    ) {
        self.id = id
        self.account = account
        self.scope = scope
        self.purpose = purpose
        self.actor = actor
        self.reason = reason
    }
}

/// The scope of a block: all rights and credits of its account, or those that it names.
package struct BlockScope: Hashable, Sendable {
    /// Sorted, each once.
    package let entitlements: [EntitlementName]
    /// Sorted, each once.
    package let credits: [CreditName]

    package static let everything = BlockScope(entitlements: [], credits: [])

    /// Naming nothing is stopping everything.
    package init(entitlements: [EntitlementName], credits: [CreditName]) {
        self.entitlements = Set(entitlements).sorted()
        self.credits = Set(credits).sorted()
    }

    package var isEverything: Bool { entitlements.isEmpty && credits.isEmpty }

    package func includes(_ entitlement: EntitlementName) -> Bool {
        isEverything || entitlements.contains(entitlement)
    }

    package func includes(_ credit: CreditName) -> Bool {
        isEverything || credits.contains(credit)
    }
}

/// The lifting of one block, by its id.
package struct BlockRemoval: Hashable, Sendable {
    package var block: BlockID
    package var account: AccountID
    package var actor: String
    package var reason: String

    package init(block: BlockID, account: AccountID, actor: String, reason: String) {
        self.block = block
        self.account = account
        self.actor = actor
        self.reason = reason
    }
}

/// "This appAccountToken means this account" (spec 1.6).
package struct AccountTokenRegistration: Hashable, Sendable {
    package var token: AppAccountToken
    package var account: AccountID
    package var actor: String
    package var reason: String

    package init(token: AppAccountToken, account: AccountID, actor: String, reason: String) {
        self.token = token
        self.account = account
        self.actor = actor
        self.reason = reason
    }
}

/// "These two accounts are one person's": what the first has, the second has from now on
/// (spec 1.6). What follows from it are facts of their own, recorded after it in its commit.
///
/// Nothing merges automatically: an authorised caller decides.
package struct AccountMerge: Hashable, Sendable {
    /// The account that is left without what it had.
    package var from: AccountID
    package var into: AccountID
    /// The merge that this takes back; nil for a merge.
    package var undoes: LedgerSequence?
    /// Whether later purchases under the first account's ID do not belong to the second one.
    package var isUpToNow: Bool
    package var actor: String
    package var reason: String
    /// By environment, then by credit, each once; units are not zero (spec 1.7).
    package var credits: [CarriedCredit]
    /// `ClaimRules.version` of the program that decided what follows from it.
    package var rules: Int64

    package init(
        from: AccountID, into: AccountID, undoes: LedgerSequence? = nil,
        isUpToNow: Bool = false, actor: String, reason: String, credits: [CarriedCredit] = [],
        rules: Int64 = ClaimRules.version
    ) {
        self.isUpToNow = isUpToNow
        self.from = from
        self.into = into
        self.undoes = undoes
        self.actor = actor
        self.reason = reason
        self.credits = credits
        self.rules = rules
    }
}
