/// A version of the app that is numbers and dots. Versions are compared part by part as numbers;
/// zeros at the end do not count: `3`, `3.0` and `3.0.0` are one, and `10` is after `9`.
package struct AppVersion: Comparable, Hashable, Sendable {
    /// As it was written.
    package let text: String
    /// Without zeros at the end.
    private let parts: [UInt64]

    /// Nil for any other text.
    package init?(_ text: some StringProtocol) {
        var parts: [UInt64] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(part)
            else { return nil }
            parts.append(number)
        }
        while parts.last == 0 { parts.removeLast() }
        self.parts = parts
        self.text = String(text)
    }

    package static func < (left: AppVersion, right: AppVersion) -> Bool {
        left.parts.lexicographicallyPrecedes(right.parts)
    }

    package static func == (left: AppVersion, right: AppVersion) -> Bool {
        left.parts == right.parts
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}

/// `before VERSION`, `from VERSION` or `from VERSION until VERSION`; "until" excludes the version.
package enum VersionBound: Hashable, Sendable {
    case before(AppVersion)
    case from(AppVersion)
    case within(AppVersion, AppVersion)
}

extension VersionBound {
    /// As a policy writes it.
    package var text: String {
        switch self {
        case .before(let end): "before \(end.text)"
        case .from(let start): "from \(start.text)"
        case .within(let start, let end): "from \(start.text) until \(end.text)"
        }
    }

    package func contains(_ version: AppVersion) -> Bool {
        switch self {
        case .before(let end): version < end
        case .from(let start): start <= version
        case .within(let start, let end): start <= version && version < end
        }
    }

    /// Where it begins or ends.
    package var cuts: [AppVersion] {
        switch self {
        case .before(let version), .from(let version): [version]
        case .within(let start, let end): [start, end]
        }
    }
}

/// The app itself as a purchase (spec 1.13): what Apple signs of its download is read as a
/// transaction of a product and a lineage of their own.
extension ProductID {
    /// The product that `app_purchase` makes. App Store Connect has no hyphen in a product's id.
    package static let app = ProductID(unchecked: "app-purchase")
}

extension TransactionID {
    /// Of the app's download by an Apple ID, which Apple's signed app transaction names; nil for
    /// a name that is too long.
    package init?(app id: AppTransactionID) { self.init("app-\(id.text)") }

    /// Apple's own ids have no letters.
    package var isOfApp: Bool { text.hasPrefix("app-") }

    package static let downloadPrefix = "app-download-"

    /// Of a download that a receipt names by a number.
    package init?(download number: String) {
        guard number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(Self.downloadPrefix + number)
    }
}

extension AccessRule {
    /// A rule of `app_purchase`. One that names no environment is about production: in the others
    /// the first version is always `1.0`.
    package init(
        ofApp reference: RuleReference, when: Condition, grants: [EntitlementName]
    ) {
        var (when, unless) = (when, Condition?.none)
        if when.environments == nil {
            unless = Condition()
            unless?.environments = StoreEnvironment.allCases.filter { $0 != .production }
        }
        when.products = [NamePattern(ProductID.app.text)]
        when.states = [.active]
        self.init(
            reference: reference, when: when, unless: unless, effect: .grant, only: grants)
    }

    /// A rule of `app_purchase` with the conditions that its author wrote.
    package var asWritten: AccessRule {
        var rule = self
        rule.when = when.without([.product, .state])
        rule.unless = nil
        return rule
    }
}

extension Product {
    /// The app itself, which nobody can order.
    package init(appGiving rules: [AccessRule]) {
        self.init(id: .app, kind: .nonConsumable)
        title = Title(english: "The app itself", chinese: "应用本身")
        retiredAt = .distantPast
        for name in rules.flatMap({ $0.only ?? [] })
        where !entitlements.contains(name) {
            grants.append(.entitlement(name, lasting: nil))
        }
    }
}

extension Policy {
    /// The access rules in the order in which they are tried: those about the app itself, which
    /// decide all that is asked about it, come first.
    package var decidingRules: [AccessRule] {
        guard !appRules.isEmpty else { return accessRules }
        var rest = Condition()
        rest.products = [NamePattern(ProductID.app.text)]
        let others = AccessRule(
            reference: .builtIn(.otherApp), when: rest, effect: .withhold)
        return appRules + [others] + accessRules
    }

    /// The products that are sold in the app.
    package var soldProducts: [Product] {
        products.values.filter { $0.id != .app }.sorted { $0.id < $1.id }
    }
}
