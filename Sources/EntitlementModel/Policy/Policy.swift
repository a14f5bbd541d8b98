/// What product managers wrote, checked and as values. Only `PolicyLoading` makes one from text.
package struct Policy: Hashable, Sendable {
    /// Names the policy's text: SHA-256 over the folder's files.
    package var digest: Digest256
    package var app: AppSettings
    package var trust = TrustSettings()
    package var environments: [StoreEnvironment: EnvironmentTrust] = [:]
    /// Access after the paid end while a renewal is in flight; never more than a tenth of the
    /// period (spec 1.4).
    package var leeway = Period(1, .hours)
    /// Account-scoped purchases before it were delivered by the back end before Usher, perhaps: a
    /// person decides on claims of them. Nil where there was none.
    package var claimsFrom: Instant?
    package var closedAccounts = ClosedAccountRule.end
    package var onReturn = ReturnRule.give
    package var entitlements: [EntitlementName: Title] = [:]
    package var credits: [CreditName: CreditDefinition] = [:]
    package var groups: [GroupName: SubscriptionGroup] = [:]
    package var products: [ProductID: Product] = [:]
    /// In order; the first that matches decides. Built-ins stand behind them.
    package var accessRules: [AccessRule] = []
    /// Of the app itself as a purchase, each with what it gives in `only`; all that match give.
    package var appRules: [AccessRule] = []
    package var claimRules: [ClaimRule] = []
    package var openRights: [OpenRight] = []
    package var refundRules: [RefundRule] = []
    package var duplicates = DuplicateSettings()
    package var orders = OrderSettings()

    package init(digest: Digest256, app: AppSettings) {
        self.digest = digest
        self.app = app
    }
}

/// A title for people, in English and, where given, Chinese.
package struct Title: Hashable, Sendable {
    package var english: String
    package var chinese: String?

    package init(english: String, chinese: String? = nil) {
        self.english = english
        self.chinese = chinese
    }
}

/// The `app` section.
package struct AppSettings: Hashable, Sendable {
    package var bundleID: BundleID
    /// Apple's `appAppleId`; required where production is trusted.
    package var appleID: Int64?
    package var isNewsstand = false
    package var accountToken = AccountTokenRule.fromOrder

    package init(bundleID: BundleID) {
        self.bundleID = bundleID
    }
}

/// Whether a closed account keeps its rights (spec 1.1).
package enum ClosedAccountRule: String, CaseIterable, Hashable, ModelText, Sendable {
    case end
    case keep

    package var english: String {
        switch self {
        case .end: "end until it is reopened"
        case .keep: "go on"
        }
    }
}

/// What becomes of a purchase whose account was erased, once another presents it (spec 1.14).
package enum ReturnRule: String, CaseIterable, Hashable, ModelText, Sendable {
    case give
    case ask

    package var english: String {
        switch self {
        case .give: "is whose who presents it"
        case .ask: "waits for a person"
        }
    }
}

/// How an `appAccountToken` names an account (spec 1.6).
package enum AccountTokenRule: String, CaseIterable, Hashable, ModelText, Sendable {
    case fromOrder = "from-order"
    case isAccountID = "is-account-id"

    package var english: String {
        switch self {
        case .fromOrder: "names the order"
        case .isAccountID: "is the account id"
        }
    }
}

/// The `trust` section: which roots may stand behind evidence.
package struct TrustSettings: Hashable, Sendable {
    package var jws: [TrustAnchor] = []
    package var receipt: [TrustAnchor] = []
    /// Evidence signed longer ago than this is refused; nil for no limit.
    package var maximumSignedAge: Period?
    /// SHA-256 of the SubjectPublicKeyInfo of leaves that are not believed any more
    /// (THREATS.md A32).
    package var deniedKeys: Set<Digest256> = []

    package init() {}
}

/// A root that a chain may end in (spec 4.0).
package struct TrustAnchor: Hashable, Sendable {
    package enum Root: Hashable, Sendable {
        /// SHA-256 of the DER root, which the evidence itself must bring along.
        case fingerprint(Digest256)
        /// The root's DER bytes; the path must end in it, whatever the evidence brings along.
        case certificate([UInt8])
    }

    package var root: Root
    /// The environments that it is good for; nil for all.
    package var environments: Set<StoreEnvironment>?

    package init(root: Root, environments: Set<StoreEnvironment>? = nil) {
        self.root = root
        self.environments = environments
    }
}

/// Whether evidence of an environment may be recorded. What it grants is for rules to say.
package enum EnvironmentTrust: String, CaseIterable, Hashable, Sendable {
    case trusted
    case refused
}

/// The `duplicate_subscriptions` section (spec 1.9).
package struct DuplicateSettings: Hashable, Sendable {
    package enum Scope: String, CaseIterable, Hashable, ModelText, Sendable {
        case group
        case entitlement

        package var english: String {
            switch self {
            case .group: "of one group"
            case .entitlement: "that give the same entitlement"
            }
        }
    }

    package enum BeforePurchase: String, CaseIterable, Hashable, ModelText, Sendable {
        case block
        case warn
        case allow

        package var english: String {
            switch self {
            case .block: "the purchase is stopped"
            case .warn: "the customer is warned"
            case .allow: "nothing is said"
            }
        }
    }

    package enum Keep: String, CaseIterable, Hashable, ModelText, Sendable {
        case longestPaid = "longest-paid"
        case newest
        case highestLevel = "highest-level"

        package var english: String {
            switch self {
            case .longestPaid: "the one paid for longest"
            case .newest: "the newest"
            case .highestLevel: "the one of the best level"
            }
        }
    }

    package var scope = Scope.group
    package var beforePurchase = BeforePurchase.warn
    package var keep = Keep.longestPaid

    package init() {}
}

/// The `orders` section (spec 1.8).
package struct OrderSettings: Hashable, Sendable {
    package enum LatePayment: String, CaseIterable, Hashable, ModelText, Sendable {
        case deliver
        case review

        package var english: String {
            switch self {
            case .deliver: "is delivered"
            case .review: "waits for a person"
            }
        }
    }

    package var payWithin = Period(30, .minutes)
    package var matchWindow = Period(24, .hours)
    package var latePayment = LatePayment.deliver
    /// How long after the order a payment counts as sold when the order was made; nil for never.
    package var promise: Period?

    package init() {}
}

/// Apple's roots, by fingerprint (spec 4.0).
extension TrustAnchor {
    /// Apple Root CA - G3, behind every JWS.
    package static let appleRootCAG3 = TrustAnchor(
        fingerprint: "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")
    /// Apple Inc. Root, behind PKCS#7 receipts.
    package static let appleIncRoot = TrustAnchor(
        fingerprint: "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024")

    private init(fingerprint: String) {
        guard let digest = Digest256(hexadecimal: fingerprint) else {
            preconditionFailure("a fingerprint has 64 hexadecimal digits")
        }
        self.init(root: .fingerprint(digest))
    }
}

/// The policies that have been in force, oldest first, and the one that is now.
///
/// What was sold is not rewritten by a later catalogue: the duration of a non-renewing purchase
/// and the units of a consumable are those of the first policy in force at or after the
/// purchaseDate that has the product (spec 1.4). Nor is what a refund took (spec 1.7).
package struct PolicyHistory: Sendable {
    package struct Activation: Sendable {
        package var policy: Policy
        package var activatedAt: Instant

        package init(policy: Policy, activatedAt: Instant) {
            self.policy = policy
            self.activatedAt = activatedAt
        }
    }

    /// Never empty; by `activatedAt`, then in the ledger's order.
    package private(set) var activations: [Activation]

    package init(_ first: Activation) {
        activations = [first]
    }

    /// The policy in force.
    package var current: Policy { activations[activations.count - 1].policy }

    /// As it was after so many activations. What is older than the first policy is read by the
    /// first one.
    package func first(_ count: Int) -> PolicyHistory {
        var history = self
        history.activations = Array(activations.prefix(max(1, count)))
        return history
    }

    package mutating func activate(_ policy: Policy, at instant: Instant) {
        precondition(
            instant >= activations[activations.count - 1].activatedAt,
            "policies are activated in the order of time")
        activations.append(Activation(policy: policy, activatedAt: instant))
    }

    /// The product as it was sold at `purchaseDate`; nil where no policy since then has it.
    package func product(_ id: ProductID, soldAt purchaseDate: Instant) -> Product? {
        first(since: purchaseDate) { $0.products[id] }
    }

    /// The credit as it was when a purchase of it was refunded; nil where no policy since then
    /// has it (spec 1.7).
    package func credit(
        _ name: CreditName, refundedAt revocationDate: Instant
    ) -> CreditDefinition? {
        first(since: revocationDate) { $0.credits[name] }
    }

    /// What the first policy says that was in force at or after the instant and says anything.
    private func first<Said>(since instant: Instant, _ say: (Policy) -> Said?) -> Said? {
        for (index, activation) in activations.enumerated() {
            let isLast = index == activations.count - 1
            if !isLast, activations[index + 1].activatedAt <= instant { continue }
            if let said = say(activation.policy) { return said }
        }
        return nil
    }
}
