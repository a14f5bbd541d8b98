/// A `when` or `unless`: all fields that are given must hold; of a list, any (spec 2.1).
package struct Condition: Hashable, Sendable {
    package var kinds: [ProductKind]?
    package var states: [EntitlementState]?
    package var environments: [StoreEnvironment]?
    package var ownerships: [OwnershipWord]?
    package var offers: [OfferWord]?
    package var expiryReasons: [ExpiryReason]?
    package var autoRenews: [AutoRenewWord]?
    package var revocations: [RevocationWord]?
    package var tokens: [TokenMatch]?
    package var moments: [ClaimMoment]?
    /// Whether the unit is paid for.
    package var paid: [PaidWord]?
    /// The seats of the unit, one where it has none.
    package var quantities: [CountBound]?
    package var products: [NamePattern]?
    package var accounts: [NamePattern]?
    package var groups: [GroupName]?
    package var entitlements: [EntitlementName]?
    package var levels: [LevelName]?
    /// Alpha-3; the loader has converted alpha-2.
    package var storefronts: [String]?
    package var stateAges: [AgeBound]?
    /// Time since the paid end, whatever the states since then; never holds while it is paid for.
    package var unpaidFor: [AgeBound]?
    /// Paid time in the product's subscription group; never holds where it has none.
    package var memberFor: [AgeBound]?
    package var purchased: [DateBound]?
    package var firstPurchased: [DateBound]?
    /// Of the app itself.
    package var firstVersions: [VersionBound]?
    /// The same: when the app was bought.
    package var bought: [DateBound]?
    /// When the rule itself is in force.
    package var at: [DateBound]?

    package init() {}
}

/// One key of a `when` or `unless` (spec 2.1). Whatever reads, shows, compares, proves or decides
/// conditions goes through `allCases`, which are in the order of the schema.
///
/// A new condition is a property of `Condition`, a case here with its slot and its two texts, and
/// what the derivation compares it with (`CompiledCondition`); the compiler asks for each of them.
package enum ConditionField: String, CaseIterable, ModelText, Sendable {
    case kind
    case product
    case group
    case level
    case entitlement
    case account
    case environment
    case ownership
    case storefront
    case offer
    case token
    case moment
    case state
    case paid
    case quantity
    case stateAge = "state_age"
    case unpaidFor = "unpaid_for"
    case memberFor = "member_for"
    case expiryReason = "expiry_reason"
    case autoRenew = "auto_renew"
    case revocation
    case purchased
    case firstPurchased = "first_purchased"
    case firstVersion = "first_version"
    case bought
    case at

    private var newSlot: ConditionSlot {
        switch self {
        case .kind: .words(\.kinds, in: .all)
        case .product: .patterns(\.products, .productPattern)
        case .group: .names(\.groups, in: .all)
        case .level: .names(\.levels, in: .all)
        case .entitlement: .names(\.entitlements, in: .access)
        case .account: .patterns(\.accounts, .accountPattern, in: [.all, .appPurchase])
        case .environment: .words(\.environments, in: [.all, .appPurchase], usual: .production)
        case .ownership: .words(\.ownerships, in: .all, usual: .purchased)
        case .storefront: .storefronts(\.storefronts, in: [.access, .refunds])
        case .offer: .words(\.offers, in: .access, usual: OfferWord.none)
        case .token: .words(\.tokens, in: .claims)
        case .moment: .words(\.moments, in: .claims, usual: .purchase)
        case .state: .words(\.states, in: [.access, .claims])
        case .paid: .words(\.paid, in: .claims)
        case .quantity: .counts(\.quantities, in: .claims)
        case .stateAge: .ages(\.stateAges, in: .access)
        case .unpaidFor: .ages(\.unpaidFor, in: .access)
        case .memberFor: .ages(\.memberFor, in: .access)
        case .expiryReason: .words(\.expiryReasons, in: .access)
        case .autoRenew: .words(\.autoRenews, in: .access)
        case .revocation: .words(\.revocations, in: .access)
        case .purchased: .dates(\.purchased, in: [.access, .refunds])
        case .firstPurchased: .dates(\.firstPurchased, in: .access)
        case .firstVersion: .versions(\.firstVersions, in: .appPurchase)
        case .bought: .dates(\.bought, in: .appPurchase)
        case .at: .dates(\.at, in: .all)
        }
    }

    /// What it asks for, in a sentence about a rule.
    package var english: String {
        switch self {
        case .kind: "kind {0}"
        case .product: "product {0}"
        case .group: "group {0}"
        case .level: "level {0}"
        case .entitlement: "entitlement {0}"
        case .account: "account {0}"
        case .environment: "bought in {0}"
        case .ownership: "ownership: {0}"
        case .storefront: "storefront {0}"
        case .offer: "offer: {0}"
        case .token: "the token {0}"
        case .moment: "claimed {0}"
        case .state: "state {0}"
        case .paid: "paid for: {0}"
        case .quantity: "seats: {0}"
        case .stateAge: "in this state for {0}"
        case .unpaidFor: "unpaid for {0}"
        case .memberFor: "a member for {0}"
        case .expiryReason: "reason: {0}"
        case .autoRenew: "auto-renewal {0}"
        case .revocation: "revoked: {0}"
        case .purchased: "bought {0}"
        case .firstPurchased: "first bought {0}"
        case .firstVersion: "first version {0}"
        case .bought: "the app bought {0}"
        case .at: "at a time {0}"
        }
    }

    package var meaning: ConditionMeaning { ConditionMeaning(field: self) }

    fileprivate static let table = allCases.map { (field: $0, slot: $0.newSlot) }

    package var slot: ConditionSlot {
        Self.table.first { $0.field == self }?.slot ?? newSlot
    }

    /// Those that a case of a purchase is told by once its product and its entitlement are known.
    package static let ofCases = allCases.filter { !catalogued.contains($0) }

    /// What the product and its entitlement decide (`Condition.admits`).
    package static let catalogued: [ConditionField] = [
        .kind, .product, .group, .level, .entitlement,
    ]
}

/// What a key of a condition means, for the schema and for editors.
package struct ConditionMeaning: ModelText {
    let field: ConditionField

    package var key: String { "\(field)" }

    package var english: String {
        switch field {
        case .kind: "The product's kind."
        case .product: "Product ids; * matches any characters."
        case .group: "Subscription groups."
        case .level: "Levels of a group."
        case .entitlement: "Entitlements."
        case .account:
            "Accounts; * only at the end. In account_switch, the account that claims."
        case .environment: "Where the purchase was made."
        case .ownership: "How the Apple ID obtained it."
        case .storefront: "App Store countries or regions, such as US or USA."
        case .offer: "The offer used for the purchase."
        case .token: "Whether the purchase's appAccountToken names the account that claims."
        case .moment: "When the claim is made."
        case .state: "The state of the purchase; in account_switch, when it is claimed."
        case .paid: "Whether it is paid for when it is claimed, that is, in state active."
        case .quantity:
            "How many seats it has when it is claimed, 1 where it is not for several people: "
                + "at least 5, under 5, 5."
        case .stateAge:
            "How long it has been in that state: under 7d, at least 7d, from 7d to 14d."
        case .unpaidFor:
            "How long ago the paid end was, whatever the states since then: under 7d, at least 7d, "
                + "from 7d to 14d. Before the paid end, it never matches."
        case .memberFor:
            "How long the account has paid for subscriptions of the product's group, without gaps and "
                + "free trials: under 365d, at least 365d, from 365d to 730d."
        case .expiryReason: "Why it expired."
        case .autoRenew: "Whether it renews, in quotes."
        case .revocation: "How it was revoked."
        case .purchased:
            "The period's purchase date: before DATE, from DATE, from DATE until DATE."
        case .firstPurchased:
            "The first purchase date: before DATE, from DATE, from DATE until DATE."
        case .firstVersion:
            "The version of the app that was bought first, on iOS its build number: before 3.0, "
                + "from 3.0, from 2.0 until 3.0."
        case .bought:
            "When the app was bought: before DATE, from DATE, from DATE until DATE."
        case .at:
            "When the rule itself is in force: before DATE, from DATE, from DATE until DATE."
        }
    }
}

/// The lists of rules whose conditions may have a field.
package struct ConditionLists: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let access = ConditionLists(rawValue: 1)
    package static let claims = ConditionLists(rawValue: 2)
    package static let refunds = ConditionLists(rawValue: 4)
    package static let appPurchase = ConditionLists(rawValue: 8)
    /// What is sold in the app.
    package static let all: ConditionLists = [.access, .claims, .refunds]
}

/// How the values of a field are written, and where a condition has them.
package struct ConditionSlot: Sendable {
    package enum Form: Sendable {
        /// Of an enumeration; `usual` where a plain case has it, which no example needs to tell.
        case words(any PolicyWord.Type, usual: String?)
        case name
        case storefront
        case productPattern
        case accountPattern
        case age
        case date
        case count
        case version
    }

    package let form: Form
    package let lists: ConditionLists
    /// Nil where a condition does not have the field.
    fileprivate let values: @Sendable (Condition) -> ConditionValues?
    fileprivate let set: @Sendable (inout Condition, ConditionValues?) -> Void
}

extension ConditionSlot {
    fileprivate typealias Path<Value> = any WritableKeyPath<Condition, [Value]?> & Sendable

    fileprivate static func words<Word: PolicyWord>(
        _ path: Path<Word>, in lists: ConditionLists, usual: Word? = nil
    ) -> ConditionSlot {
        named(
            path, .words(Word.self, usual: usual?.rawValue), lists, text: { $0.rawValue },
            value: { Word(rawValue: $0) })
    }

    fileprivate static func names<Name: Identifier>(
        _ path: Path<Name>, in lists: ConditionLists
    ) -> ConditionSlot {
        named(path, .name, lists, text: { $0.text }, value: { Name(unchecked: $0) })
    }

    fileprivate static func patterns(
        _ path: Path<NamePattern>, _ form: Form, in lists: ConditionLists = .all
    ) -> ConditionSlot {
        named(path, form, lists, text: { $0.text }, value: { NamePattern($0) })
    }

    fileprivate static func storefronts(
        _ path: Path<String>, in lists: ConditionLists
    ) -> ConditionSlot {
        named(path, .storefront, lists, text: { $0 }, value: { $0 })
    }

    fileprivate static func ages(
        _ path: Path<AgeBound>, in lists: ConditionLists
    ) -> ConditionSlot {
        ConditionSlot(form: .age, lists: lists) {
            $0[keyPath: path].map { .ages($0) }
        } set: {
            if case .ages(let ages)? = $1 {
                $0[keyPath: path] = ages
            } else {
                $0[keyPath: path] = nil
            }
        }
    }

    fileprivate static func counts(
        _ path: Path<CountBound>, in lists: ConditionLists
    ) -> ConditionSlot {
        ConditionSlot(form: .count, lists: lists) {
            $0[keyPath: path].map { .counts($0) }
        } set: {
            if case .counts(let counts)? = $1 {
                $0[keyPath: path] = counts
            } else {
                $0[keyPath: path] = nil
            }
        }
    }

    fileprivate static func dates(
        _ path: Path<DateBound>, in lists: ConditionLists
    ) -> ConditionSlot {
        ConditionSlot(form: .date, lists: lists) {
            $0[keyPath: path].map { .dates($0) }
        } set: {
            if case .dates(let dates)? = $1 {
                $0[keyPath: path] = dates
            } else {
                $0[keyPath: path] = nil
            }
        }
    }

    fileprivate static func versions(
        _ path: Path<VersionBound>, in lists: ConditionLists
    ) -> ConditionSlot {
        ConditionSlot(form: .version, lists: lists) {
            $0[keyPath: path].map { .versions($0) }
        } set: {
            if case .versions(let versions)? = $1 {
                $0[keyPath: path] = versions
            } else {
                $0[keyPath: path] = nil
            }
        }
    }

    private static func named<Value>(
        _ path: Path<Value>, _ form: Form, _ lists: ConditionLists,
        text: @escaping @Sendable (Value) -> String,
        value: @escaping @Sendable (String) -> Value?
    ) -> ConditionSlot {
        ConditionSlot(form: form, lists: lists) {
            $0[keyPath: path].map { .names($0.map(text)) }
        } set: {
            if case .names(let names)? = $1 {
                $0[keyPath: path] = names.compactMap(value)
            } else {
                $0[keyPath: path] = nil
            }
        }
    }
}

extension Condition {
    /// The values of a field; nil where the condition does not have it.
    package subscript(field: ConditionField) -> ConditionValues? {
        get { field.slot.values(self) }
        set { field.slot.set(&self, newValue) }
    }

    /// Its fields with their values, in the order of the schema.
    package var written: [(field: ConditionField, values: ConditionValues)] {
        ConditionField.table.compactMap { field, slot in slot.values(self).map { (field, $0) } }
    }

    package var fields: [ConditionField] { written.map(\.field) }

    /// The same without some of its fields.
    package func without(_ fields: some Sequence<ConditionField>) -> Condition {
        var rest = self
        for field in fields { rest[field] = nil }
        return rest
    }

    /// The same with some of its fields alone.
    package func keeping(_ isKept: (ConditionField) -> Bool) -> Condition {
        without(fields.filter { !isKept($0) })
    }

    /// Whether it holds wherever the other does: each of its fields allows all that the other's
    /// allows, and a field that is omitted allows everything.
    package func isImplied(by other: Condition) -> Bool {
        ConditionField.table.allSatisfy { _, slot in
            guard let own = slot.values(self) else { return true }
            return slot.values(other).map(own.allow) ?? false
        }
    }

    /// All of its fields, as a policy writes them: `state_age: under 7d`; kind and state first.
    package var described: [String] {
        described { $0 == .kind || $0 == .state } + describedBesideKindAndState
    }

    /// The fields other than kind and state, as a policy writes them.
    package var describedBesideKindAndState: [String] {
        described { $0 != .kind && $0 != .state }
    }

    private func described(_ isWanted: (ConditionField) -> Bool) -> [String] {
        written.filter { isWanted($0.field) }.map { field, values in
            "\(field.rawValue): \(values.texts.joined(separator: " | "))"
        }
    }
}

/// What product and entitlement say.
extension Condition {
    /// What it says of product, group and level. A product that the catalogue lacks has its name
    /// and nothing else.
    package func admits(_ id: ProductID, _ product: Product?) -> Bool {
        if let products, !products.contains(where: { $0.matches(id.text) }) { return false }
        if let groups {
            guard let group = product?.group, groups.contains(group) else { return false }
        }
        if let levels {
            guard let level = product?.level, levels.contains(level) else { return false }
        }
        return true
    }

    /// What it says of product, group, level and entitlement.
    package func admits(_ product: Product, _ entitlement: EntitlementName) -> Bool {
        admits(product.id, product) && (entitlements?.contains(entitlement) ?? true)
    }

    /// What it says of kind, product, group and level; of an unknown kind no kind is true.
    package func admits(_ id: ProductID, _ product: Product?, _ kind: ProductKind?) -> Bool {
        if let kinds {
            guard let kind, kinds.contains(kind) else { return false }
        }
        return admits(id, product)
    }

    /// What it says of all of them, for a product as one of a kind. Nil is a credit, of which what
    /// names entitlements does not speak.
    package func admits(
        _ product: Product, as kind: ProductKind, giving entitlement: EntitlementName?
    ) -> Bool {
        admits(product.id, product, kind)
            && (entitlements.map { names in entitlement.map(names.contains) ?? false } ?? true)
    }

    /// Without what `admits` decides.
    package var besideProduct: Condition { without(ConditionField.catalogued) }

    /// Without what `admits` and the state decide.
    package var besideCell: Condition { without(ConditionField.catalogued + [.state]) }
}
