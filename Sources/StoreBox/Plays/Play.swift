internal import Crypto
package import EntitlementModel

/// A story that a simulated App Store plays: who buys what, what becomes of it, and what must
/// follow (spec 4.3).
package struct Play: Sendable {
    /// Of its name, or else of its text: ids of different plays differ.
    let digest: Digest256
    /// The purpose of the play.
    package let why: String
    package let environment: StoreEnvironment
    package let bundleID: String
    package let appAppleID: Int64
    package let products: [String: PlayProduct]
    package let steps: [PlayStep]
    /// Whether subscriptions renew by a clock; else the steps say when they do.
    package let isAutomatic: Bool
    /// From its first step to its last.
    package let extent: (first: Instant, last: Instant)

    /// Day 0 of all plays.
    package static let start = Instant.day(2026, 1, 1)

    /// From the App Store's first day on, and as long as a certificate may be good.
    package static let dates = Instant.day(2008, 7, 10)..<Instant.day(2100, 1, 1)

    /// - Parameters:
    ///   - ids: what ids are computed from: those of different plays differ.
    ///   - extent: where more happens than the steps say; by default from the first to the last.
    package init(
        ids: String, why: String, environment: StoreEnvironment = .production,
        bundleID: String = ExampleApp.bundleID, appAppleID: Int64 = ExampleApp.appleID,
        products: [String: PlayProduct], steps: [PlayStep], isAutomatic: Bool = false,
        extent: (first: Instant, last: Instant)? = nil
    ) {
        self.init(
            digest: Digest256(hash: SHA256.hash(data: Array(ids.utf8))), why: why,
            environment: environment, bundleID: bundleID, appAppleID: appAppleID,
            products: products, steps: steps, isAutomatic: isAutomatic, extent: extent)
    }

    private init(
        digest: Digest256, why: String, environment: StoreEnvironment, bundleID: String,
        appAppleID: Int64, products: [String: PlayProduct], steps: [PlayStep] = [],
        isAutomatic: Bool, extent: (first: Instant, last: Instant)? = nil
    ) {
        self.digest = digest
        self.why = why
        self.environment = environment
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.products = products
        self.steps = steps
        self.isAutomatic = isAutomatic
        let first = steps.first?.at ?? Play.start
        self.extent = extent ?? (first, steps.reduce(first) { max($0, $1.at) })
    }
}

extension Play {
    /// The same app and products in an environment, and nothing that happens.
    package func catalogue(in environment: StoreEnvironment) -> Play {
        Play(
            digest: digest, why: why, environment: environment, bundleID: bundleID,
            appAppleID: appAppleID, products: products, isAutomatic: isAutomatic)
    }

    /// The same in another app, as far as it is named.
    package func inApp(_ bundleID: String?, appleID: Int64?) -> Play {
        Play(
            digest: digest, why: why, environment: environment,
            bundleID: bundleID ?? self.bundleID, appAppleID: appleID ?? appAppleID,
            products: products, steps: steps, isAutomatic: isAutomatic, extent: extent)
    }

    /// What an app sells that is like the example app: its product ids begin with its own.
    package static func example(of bundleID: String) -> Play {
        let example = exampleCatalogue
        let products = example.products.mapValues { product in
            var product = product
            product.id = bundleID + product.id.dropFirst(example.bundleID.count)
            return product
        }
        return Play(
            digest: example.digest, why: "", environment: example.environment,
            bundleID: bundleID, appAppleID: example.appAppleID, products: products,
            isAutomatic: true)
    }

    /// The catalogue of the example app, in words that a line can use.
    static let exampleCatalogue = Play(
        ids: "example catalogue", why: "",
        products: [
            "gold": .membership("gold.monthly", Period(1, .months), cents: 999),
            "gold-yearly": .membership("gold.yearly", Period(1, .years), cents: 9_999),
            "silver": .membership("silver.monthly", Period(1, .months), cents: 499),
            "coins": .single(ExampleApp.coins, .consumable, cents: 99),
            "forever": .single(ExampleApp.forever, .nonConsumable, cents: 2_999),
            "archive": .single(ExampleApp.archive, .nonRenewing, cents: 499),
        ], steps: [], isAutomatic: true)
}

extension PlayProduct {
    fileprivate static func membership(
        _ name: String, _ period: Period, cents: Int64
    ) -> PlayProduct {
        PlayProduct(
            id: ExampleApp.bundleID + "." + name, kind: .autoRenewable, group: "20000001",
            period: period, price: Price(milliunits: cents * 10, currency: "USD"))
    }

    fileprivate static func single(
        _ id: String, _ kind: ProductKind, cents: Int64
    ) -> PlayProduct {
        PlayProduct(id: id, kind: kind, price: Price(milliunits: cents * 10, currency: "USD"))
    }
}

/// The product of a word of a play.
package struct PlayProduct: Hashable, Sendable {
    package var id: String
    package var kind: ProductKind
    /// Of auto-renewable ones.
    package var group: String?
    package var period: Period?
    package var price: Price?

    package init(
        id: String, kind: ProductKind, group: String? = nil, period: Period? = nil,
        price: Price? = nil
    ) {
        self.id = id
        self.kind = kind
        self.group = group
        self.period = period
        self.price = price
    }
}

extension PlayProduct {
    /// The product that a commitment is charged as: a month at a time.
    var billedMonthly: PlayProduct {
        var product = self
        product.period = Period(1, .months)
        if period == Period(1, .years) { product.price?.milliunits /= 12 }
        return product
    }
}

/// Something that happens at an instant.
package struct PlayStep: Sendable {
    package var line: Int
    package var at: Instant
    package var action: PlayAction

    package init(line: Int, at: Instant, action: PlayAction) {
        self.line = line
        self.at = at
        self.action = action
    }
}

extension Instant {
    /// Midnight UTC.
    package static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Instant {
        Instant(
            milliseconds: CivilDate(year: year, month: month, day: day).daysSinceEpoch
                * 86_400_000)
    }
}

/// The app, and what it sells, in the example policy.
package enum ExampleApp {
    package static let bundleID = "com.example.reader"
    package static let appleID: Int64 = 1_234_567_890
    package static let monthly = "com.example.reader.gold.monthly"
    package static let archive = "com.example.reader.archive.2025"
    package static let coins = "com.example.reader.coins.100"
    package static let weekly = "com.example.reader.weekly"
    package static let forever = "com.example.reader.noads"
}

/// Everything that is wrong with a file, by line.
package struct PlayMistakes: Error, Sendable {
    package let mistakes: [PlayMistake]
}

/// Why a play cannot be played.
package struct PlayMistake: Error, Hashable, Sendable {
    package enum Reason: Error, Hashable, Sendable {
        case noInstant
        case badInstant(String)
        case notUnderstood(String)
        /// The line.
        case endsEarly
        case unknownProduct(String)
        case unknownPurchase(String)
        case nameTaken(String)
        case notASubscription(String)
        case notWaiting(String)
        /// Of a purchase that is not sold by seats, or more of them than there are.
        case noSeats(String)

        package var english: String {
            switch self {
            case .noInstant: "the line needs an instant such as @10"
            case .badInstant: "'{0}' is not an instant; write @10, @10.5, @60+1h or @2026-03-01"
            case .notUnderstood: "unexpected '{0}'"
            case .endsEarly: "the line ends too early"
            case .unknownProduct: "unknown product '{0}'"
            case .unknownPurchase: "unknown purchase '{0}'"
            case .nameTaken: "another purchase is already called '{0}'"
            case .notASubscription: "'{0}' is not an auto-renewable subscription"
            case .notWaiting: "'{0}' is not waiting for approval"
            case .noSeats: "'{0}' does not have so many seats"
            }
        }
    }

    /// Of the file, from 1.
    package let line: Int
    package let reason: Reason

    init(line: Int, _ reason: Reason) {
        self.line = line
        self.reason = reason
    }
}

extension PlayMistake.Reason: BoxText {
    package func facts(in language: Language) -> [String] {
        switch self {
        case .badInstant(let word), .notUnderstood(let word), .unknownProduct(let word),
            .unknownPurchase(let word), .nameTaken(let word), .notASubscription(let word),
            .notWaiting(let word), .noSeats(let word):
            [word]
        case .noInstant, .endsEarly: []
        }
    }
}
