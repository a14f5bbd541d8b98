package import EntitlementDerivation
package import EntitlementModel

extension PreflightEffect: WireWord {}
extension PreflightCode: WireWord {}

/// A text of the policy in both languages.
extension Title: WireObject {
    package static var shapeName: String { "LocalizedText" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> Title {
        Title(
            english: try visitor.value("en", \.english),
            chinese: try visitor.optional("zh", \.chinese))
    }
}

/// `POST /v1/preflight`: what is asked (spec 1.8).
extension PreflightRequest: WireObject {
    package static var shapeName: String { "PreflightRequest" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> PreflightRequest {
        PreflightRequest(
            account: try visitor.value("account", \.account),
            product: try visitor.value("product", \.product),
            environment: try visitor.optional("environment") { $0.environment } ?? .production,
            appleID: try visitor.optional("apple_id", \.appleID))
    }
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
    /// The open order, which is returned instead of a second one.
    package var order: OrderID?

    package static var shapeName: String { "PreflightNote" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> NoteAnswer {
        NoteAnswer(
            code: try visitor.value("code", \.code), effect: try visitor.value("effect", \.effect),
            text: try visitor.value("text", \.text),
            lineage: try visitor.optional("lineage", \.lineage),
            owner: try visitor.optional("owner", \.owner),
            until: try visitor.optional("until", \.until),
            order: try visitor.optional("order", \.order))
    }
}

/// Whether a purchase may go on.
package struct VerdictAnswer: WireObject {
    package var effect: PreflightEffect
    /// How a claim on it would end; nil where nothing would be claimed.
    package var claim: ClaimOutcome?
    package var notes: [NoteAnswer]

    package static var shapeName: String { "PreflightVerdict" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> VerdictAnswer {
        VerdictAnswer(
            effect: try visitor.value("verdict", \.effect),
            claim: try visitor.nullable("claim", \.claim),
            notes: try visitor.value("notes", \.notes))
    }
}

extension VerdictAnswer {
    package init(_ verdict: PreflightVerdict) {
        self.init(
            effect: verdict.effect, claim: verdict.claim,
            notes: verdict.notes.map { note in
                NoteAnswer(
                    code: note.code, effect: note.effect, text: note.text,
                    lineage: note.lineage?.originalTransactionID, owner: note.maskedAccount,
                    until: note.until, order: note.order)
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

    package init(
        _ request: PreflightRequest, at: Instant, verdict: VerdictAnswer, policy: Digest256,
        revision: LedgerSequence
    ) {
        account = request.account
        product = request.product
        environment = request.environment
        self.at = at
        self.verdict = verdict
        self.policy = policy
        self.revision = revision
    }

    package static var shapeName: String { "Preflight" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> PreflightAnswer {
        let request = PreflightRequest(
            account: try visitor.value("account", \.account),
            product: try visitor.value("product", \.product),
            environment: try visitor.value("environment", \.environment))
        return PreflightAnswer(
            request, at: try visitor.value("at", \.at), verdict: try visitor.part(\.verdict),
            policy: try visitor.value("policy", \.policy),
            revision: try visitor.value("revision", \.revision))
    }
}

/// What the app sells, as one account sees it: `GET …/catalog`.
package struct CatalogueReport: WireObject {
    package var account: AccountID
    package var environment: StoreEnvironment
    package var at: Instant
    package var policy: Digest256
    package var revision: LedgerSequence
    /// All products of the policy, by id.
    package var products: [CatalogueItem]

    package init(
        account: AccountID, environment: StoreEnvironment, at: Instant, policy: Digest256,
        revision: LedgerSequence, products: [CatalogueItem]
    ) {
        self.account = account
        self.environment = environment
        self.at = at
        self.policy = policy
        self.revision = revision
        self.products = products
    }

    package static var shapeName: String { "Catalogue" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> CatalogueReport {
        CatalogueReport(
            account: try visitor.value("account", \.account),
            environment: try visitor.value("environment", \.environment),
            at: try visitor.value("at", \.at), policy: try visitor.value("policy", \.policy),
            revision: try visitor.value("revision", \.revision),
            products: try visitor.value("products", \.products))
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
    package var grants: [CatalogueGrant]
    package var isOwned: Bool
    /// The best state of what the account owns of it; nil where it never had a period.
    package var state: EntitlementState?
    package var isPurchasable: Bool
    package var verdict: VerdictAnswer

    package static var shapeName: String { "CatalogueItem" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> CatalogueItem {
        CatalogueItem(
            product: try visitor.value("product", \.product),
            kind: try visitor.value("kind", \.kind), title: try visitor.optional("title", \.title),
            group: try visitor.optional("group", \.group),
            level: try visitor.optional("level", \.level),
            period: try visitor.optional("period", \.period),
            duration: try visitor.optional("duration", \.duration),
            prices: try visitor.value("prices", \.prices),
            grants: try visitor.value("grants", \.grants),
            isOwned: try visitor.value("owned", \.isOwned),
            state: try visitor.nullable("state", \.state),
            isPurchasable: try visitor.value("purchasable", \.isPurchasable),
            verdict: try visitor.part(\.verdict))
    }
}

extension CatalogueItem {
    package init(_ product: Product, state: EntitlementState?, verdict: PreflightVerdict) {
        self.init(
            product: product.id, kind: product.kind, title: product.title, group: product.group,
            level: product.level, period: product.period?.text, duration: product.duration?.text,
            prices: product.prices.sorted { $0.key < $1.key }.map {
                CataloguePrice(currency: $0.key, thousandths: $0.value)
            },
            grants: product.grants.map(CatalogueGrant.init), isOwned: state?.isRunning ?? false,
            state: state,
            isPurchasable: verdict.effect != .block, verdict: VerdictAnswer(verdict))
    }
}

/// What a product costs.
package struct CataloguePrice: WireObject {
    /// ISO 4217.
    package var currency: String
    package var thousandths: Int64

    package static var shapeName: String { "Price" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> CataloguePrice {
        CataloguePrice(
            currency: try visitor.value("currency", \.currency),
            thousandths: try visitor.value("thousandths", \.thousandths))
    }
}

/// What a product gives: a right, perhaps for a time, or credits.
package struct CatalogueGrant: WireObject {
    package var entitlement: EntitlementName?
    /// How long; nil for as long as the purchase.
    package var lasting: String?
    package var credit: CreditName?
    package var units: Int64?

    package static var shapeName: String { "ProductGrant" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> CatalogueGrant {
        CatalogueGrant(
            entitlement: try visitor.optional("entitlement", \.entitlement),
            lasting: try visitor.optional("for", \.lasting),
            credit: try visitor.optional("credit", \.credit),
            units: try visitor.optional("units", \.units))
    }
}

extension CatalogueGrant {
    fileprivate init(_ grant: ProductGrant) {
        switch grant {
        case .entitlement(let name, let lasting):
            self.init(entitlement: name, lasting: lasting?.text)
        case .credit(let name, let units): self.init(credit: name, units: units)
        }
    }
}
