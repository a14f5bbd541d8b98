package import EntitlementDerivation
package import EntitlementModel
internal import StrictJSON

extension PreflightEffect: WireWord {}
extension PreflightCode: WireWord {}
extension PlanChange: WireWord {}
extension PlanChangeMoment: WireWord {}

/// A text of the policy in both languages.
extension Title: WireObject {
    package static var shapeName: String { "LocalizedText" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        Title(
            english: try shape.value("en", \.english),
            chinese: try shape.optional("zh", \.chinese))
    }
}

/// `POST /v1/preflight`: the request (spec 1.8).
extension PreflightRequest: WireObject {
    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        PreflightRequest(
            account: try shape.value("account", \.account),
            product: try shape.value("product", \.product),
            environment: try shape.optional("environment") { $0.environment } ?? .production,
            appleID: try shape.optional("apple_id", \.appleID),
            storefront: try shape.optional("storefront", \.storefrontName)?.text)
    }

    private var storefrontName: StorefrontName? { storefront.map { StorefrontName($0) } }
}

/// ISO 3166-1 alpha-3, in capital letters.
struct StorefrontName: WireText {
    let text: String

    init(_ text: String) { self.text = text }

    init(wireText: String) throws(ShapeError) {
        let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
        guard wireText.utf8.count == 3, wireText.utf8.allSatisfy(letters.contains) else {
            throw ShapeError(.value)
        }
        text = wireText
    }

    var wireText: String { text }

    static var textSchema: JSONValue { ["type": "string", "pattern": "^[A-Z]{3}$"] }
    static var sample: StorefrontName { StorefrontName("CHN") }
}

/// One thing that there is to say before the payment sheet.
package struct NoteAnswer: WireObject {
    package var code: PreflightCode
    package var effect: PreflightEffect
    package var text: Title
    package var lineage: TransactionID?
    /// Masked.
    package var owner: String?
    package var until: Instant?
    /// Of a change of plan: which way.
    package var change: PlanChange?
    /// Of a change of plan: when.
    package var takesEffect: PlanChangeMoment?
    /// The price of the purchase, by the policy.
    package var price: PriceAnswer?
    /// How often that is charged, as policies write it.
    package var period: String?
    /// Whose price it is, alpha-3; nil where the storefront of the Apple ID is not known.
    package var storefront: String?
    /// The open order, which is returned instead of a second one.
    package var order: OrderID?

    package static var shapeName: String { "PreflightNote" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        NoteAnswer(
            code: try shape.value("code", \.code), effect: try shape.value("effect", \.effect),
            text: try shape.value("text", \.text),
            lineage: try shape.optional("lineage", \.lineage),
            owner: try shape.optional("owner", \.owner),
            until: try shape.optional("until", \.until),
            change: try shape.optional("change", \.change),
            takesEffect: try shape.optional("takes_effect", \.takesEffect),
            price: try shape.optional("price", \.price),
            period: try shape.optional("period", \.period),
            storefront: try shape.optional("storefront", \.storefront),
            order: try shape.optional("order", \.order))
    }
}

/// Whether a purchase may go on.
package struct VerdictAnswer: WireObject {
    package var effect: PreflightEffect
    /// How a claim on it would end; nil where nothing would be claimed.
    package var claim: ClaimOutcome?
    /// The same, if the purchase comes without the account's token.
    package var claimWithoutToken: ClaimOutcome?
    package var notes: [NoteAnswer]

    package static var shapeName: String { "PreflightResult" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        VerdictAnswer(
            effect: try shape.value("verdict", \.effect),
            claim: try shape.nullable("claim", \.claim),
            claimWithoutToken: try shape.nullable("claim_without_token", \.claimWithoutToken),
            notes: try shape.value("notes", \.notes))
    }
}

extension VerdictAnswer {
    package init(_ verdict: PreflightVerdict) {
        self.init(
            effect: verdict.effect, claim: verdict.claims?.withToken,
            claimWithoutToken: verdict.claims?.withoutToken,
            notes: verdict.notes.map { note in
                NoteAnswer(
                    code: note.code, effect: note.effect, text: note.text,
                    lineage: note.lineage?.originalTransactionID, owner: note.maskedAccount,
                    until: note.until, change: note.change, takesEffect: note.takesEffect,
                    price: note.cost.map { PriceAnswer($0.price) },
                    period: note.cost?.period?.text, storefront: note.cost?.storefront,
                    order: note.order)
            })
    }
}

/// What preflight says, and as of when (spec 1.8).
package struct PreflightAnswer: WireObject {
    package var account: AccountID
    package var product: ProductID
    package var environment: StoreEnvironment
    package var at: Instant
    package var verdict: VerdictAnswer
    package var policy: Digest256
    package var revision: LedgerSequence
    /// True where it is told as if something had happened; else nil.
    package var isAssumed: Bool?

    package init(
        _ request: PreflightRequest, at: Instant, verdict: VerdictAnswer, policy: Digest256,
        revision: LedgerSequence, isAssumed: Bool? = nil
    ) {
        self.isAssumed = isAssumed
        account = request.account
        product = request.product
        environment = request.environment
        self.at = at
        self.verdict = verdict
        self.policy = policy
        self.revision = revision
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let request = PreflightRequest(
            account: try shape.value("account", \.account),
            product: try shape.value("product", \.product),
            environment: try shape.value("environment", \.environment))
        return PreflightAnswer(
            request, at: try shape.value("at", \.at), verdict: try shape.part(\.verdict),
            policy: try shape.value("policy", \.policy),
            revision: try shape.value("revision", \.revision),
            isAssumed: try shape.optional("assumed", \.isAssumed))
    }
}

/// The app's products as one account sees them: `GET …/catalog`.
package struct CatalogueReport: WireObject {
    package var account: AccountID
    package var environment: StoreEnvironment
    /// Whose prices were asked for; alpha-3.
    package var storefront: String?
    package var at: Instant
    package var policy: Digest256
    package var revision: LedgerSequence
    /// True where it is told as if something had happened; else nil.
    package var isAssumed: Bool?
    /// The subscription groups of the policy, by name.
    package var groups: [CatalogueGroup]
    /// The products of the policy, by ID, without those in `leftOut`.
    package var products: [CatalogueItem]
    /// Those that the account's newest report calls invalid in the store.
    package var leftOut: [ProductID]

    package init(
        account: AccountID, environment: StoreEnvironment, storefront: String?, at: Instant,
        policy: Digest256, revision: LedgerSequence, isAssumed: Bool?, groups: [CatalogueGroup],
        products: [CatalogueItem], leftOut: [ProductID]
    ) {
        self.account = account
        self.environment = environment
        self.storefront = storefront
        self.at = at
        self.policy = policy
        self.revision = revision
        self.isAssumed = isAssumed
        self.groups = groups
        self.products = products
        self.leftOut = leftOut
    }

    package static var shapeName: String { "Catalogue" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        CatalogueReport(
            account: try shape.value("account", \.account),
            environment: try shape.value("environment", \.environment),
            storefront: try shape.optional("storefront", \.storefront),
            at: try shape.value("at", \.at), policy: try shape.value("policy", \.policy),
            revision: try shape.value("revision", \.revision),
            isAssumed: try shape.optional("assumed", \.isAssumed),
            groups: try shape.value("groups", \.groups),
            products: try shape.value("products", \.products),
            leftOut: try shape.value("left_out", \.leftOut))
    }
}

/// A subscription group of the policy.
package struct CatalogueGroup: WireObject {
    package var group: GroupName
    package var title: Title?
    /// Best first.
    package var levels: [LevelName]

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        CatalogueGroup(
            group: try shape.value("group", \.group),
            title: try shape.optional("title", \.title),
            levels: try shape.value("levels", \.levels))
    }

    /// By name.
    package static func all(of policy: Policy) -> [CatalogueGroup] {
        policy.groups.sorted { $0.key < $1.key }.map {
            CatalogueGroup(group: $0.key, title: $0.value.title, levels: $0.value.levels)
        }
    }
}

/// A product, what the account has of it, and what there is to say before it is bought.
package struct CatalogueItem: WireObject {
    package var product: ProductID
    package var kind: ProductKind
    package var title: Title?
    package var group: GroupName?
    package var level: LevelName?
    /// As policies write it.
    package var period: String?
    package var duration: String?
    package var prices: [CataloguePrice]
    /// In the currency of the storefront that was asked for; nil where the policy has none.
    package var price: CataloguePrice?
    package var grants: [CatalogueGrant]
    package var isOwned: Bool
    /// The best state of what the account owns of it; nil where it never had a period.
    package var state: EntitlementState?
    package var isPurchasable: Bool
    /// What buying it would be to the subscription of its group that the account has.
    package var change: PlanChange?
    package var verdict: VerdictAnswer

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        CatalogueItem(
            product: try shape.value("product", \.product),
            kind: try shape.value("kind", \.kind), title: try shape.optional("title", \.title),
            group: try shape.optional("group", \.group),
            level: try shape.optional("level", \.level),
            period: try shape.optional("period", \.period),
            duration: try shape.optional("duration", \.duration),
            prices: try shape.value("prices", \.prices),
            price: try shape.optional("price", \.price),
            grants: try shape.value("grants", \.grants),
            isOwned: try shape.value("owned", \.isOwned),
            state: try shape.nullable("state", \.state),
            isPurchasable: try shape.value("purchasable", \.isPurchasable),
            change: try shape.optional("change", \.change),
            verdict: try shape.part(\.verdict))
    }
}

extension CatalogueItem {
    /// - Parameter storefront: alpha-3.
    package init(
        _ product: Product, storefront: String?, state: EntitlementState?,
        verdict: PreflightVerdict
    ) {
        let prices = product.prices.sorted { $0.key < $1.key }.map {
            CataloguePrice(currency: $0.key, thousandths: $0.value)
        }
        let currency = storefront.flatMap(StorefrontCurrencies.currency)
        self.init(
            product: product.id, kind: product.kind, title: product.title, group: product.group,
            level: product.level, period: product.period?.text, duration: product.duration?.text,
            prices: prices, price: prices.first { $0.currency == currency },
            grants: product.grants.map(CatalogueGrant.init), isOwned: state?.isRunning ?? false,
            state: state, isPurchasable: verdict.effect != .block,
            change: verdict.notes.lazy.compactMap(\.change).first,
            verdict: VerdictAnswer(verdict))
    }
}

/// The price of a product.
package struct CataloguePrice: WireObject {
    /// ISO 4217.
    package var currency: String
    package var thousandths: Int64

    package init(currency: String, thousandths: Int64) {
        self.currency = currency
        self.thousandths = thousandths
    }

    package static var shapeName: String { "Price" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        CataloguePrice(
            currency: try shape.value("currency", \.currency),
            thousandths: try shape.value("thousandths", \.thousandths))
    }
}

/// What a product gives: a right, possibly limited in time, or credits.
package struct CatalogueGrant: WireObject {
    package var entitlement: EntitlementName?
    /// How long; nil for as long as the purchase.
    package var lasting: String?
    package var credit: CreditName?
    package var units: Int64?
    /// Of a subscription, the parts of a paid period that units are given for.
    package var every: String?
    /// Of a subscription, the units under an offer.
    package var underOffer: [OfferUnits]?
    /// When units lapse: `period`, or a length; nil for never.
    package var expires: String?

    package static var shapeName: String { "ProductGrant" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        CatalogueGrant(
            entitlement: try shape.optional("entitlement", \.entitlement),
            lasting: try shape.optional("for", \.lasting),
            credit: try shape.optional("credit", \.credit),
            units: try shape.optional("units", \.units),
            every: try shape.optional("every", \.every),
            underOffer: try shape.optional("under_offer", \.underOffer),
            expires: try shape.optional("expires", \.expires))
    }
}

/// How many units a period gives that was bought under an offer.
package struct OfferUnits: WireObject {
    package var offer: OfferWord
    package var units: Int64

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        OfferUnits(
            offer: try shape.value("offer", \.offer), units: try shape.value("units", \.units))
    }
}

extension CatalogueGrant {
    fileprivate init(_ grant: ProductGrant) {
        switch grant {
        case .entitlement(let name, let lasting):
            self.init(entitlement: name, lasting: lasting?.text)
        case .credit(let name, let units, let terms):
            let offers = OfferWord.allCases.compactMap { offer in
                terms.underOffer[offer].map { OfferUnits(offer: offer, units: $0) }
            }
            self.init(
                credit: name, units: units, every: terms.every?.text,
                underOffer: offers.nonEmpty, expires: terms.expires.text)
        }
    }
}

extension FailedPayment.Outcome: WireWord {}

/// A failed payment, in `POST …/catalog/reports`.
extension FailedPayment: WireObject {
    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        FailedPayment(
            product: try shape.value("product", \.product),
            outcome: try shape.value("outcome", \.outcome),
            storeCode: try shape.optional("store_code") {
                $0.storeCode.map { StoreCode(unchecked: $0) }
            }?.text,
            occurredAt: try shape.optional("occurred_at", \.occurredAt))
    }
}

/// `POST …/catalog/reports`: what a client found at the store.
package struct StoreReportBody: WireObject {
    /// `production` if omitted.
    package var environment: StoreEnvironment?
    /// All ids that the store called invalid; empty where it knew every one.
    package var invalidProducts: [ProductID]?
    package var payments: [FailedPayment]?

    package static var shapeName: String { "StoreReportRequest" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        StoreReportBody(
            environment: try shape.optional("environment", \.environment),
            invalidProducts: try shape.optional("invalid_products", \.invalidProducts),
            payments: try shape.optional("payments", \.payments))
    }
}

/// The state after a report about the store.
package struct StoreReportAnswer: WireObject {
    package var account: AccountID
    package var environment: StoreEnvironment
    /// The products that the catalogue omits from now on.
    package var invalidProducts: [ProductID]
    /// How many payments of the report were not known.
    package var newPayments: Int64
    /// The entry that was written; nil where everything was known.
    package var entry: LedgerSequence?
    package var revision: LedgerSequence

    package init(
        account: AccountID, environment: StoreEnvironment, invalidProducts: [ProductID],
        newPayments: Int64, entry: LedgerSequence?, revision: LedgerSequence
    ) {
        self.account = account
        self.environment = environment
        self.invalidProducts = invalidProducts
        self.newPayments = newPayments
        self.entry = entry
        self.revision = revision
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        StoreReportAnswer(
            account: try shape.value("account", \.account),
            environment: try shape.value("environment", \.environment),
            invalidProducts: try shape.value("invalid_products", \.invalidProducts),
            newPayments: try shape.value("new_payments", \.newPayments),
            entry: try shape.nullable("entry", \.entry),
            revision: try shape.value("revision", \.revision))
    }
}
