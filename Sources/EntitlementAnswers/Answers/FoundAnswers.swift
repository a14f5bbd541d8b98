package import EntitlementModel

/// `GET /v1/find/{id}`: everything that an id is.
package struct FoundID: WireObject {
    package var id: SoughtID
    /// By kind, then by environment.
    package var meanings: [FoundMeaning]
    package var revision: LedgerSequence

    package init(id: SoughtID, meanings: [FoundMeaning], revision: LedgerSequence) {
        self.id = id
        self.meanings = meanings
        self.revision = revision
    }

    package static var shapeName: String { "Found" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        FoundID(
            id: try shape.value("id", \.id),
            meanings: try shape.value("meanings", \.meanings),
            revision: try shape.value("revision", \.revision))
    }
}

/// One thing that has an id, and where it leads.
package struct FoundMeaning: WireObject, Hashable {
    /// The meanings of an ID.
    package enum Kind: String, WireWord, Hashable {
        case transaction
        /// By its `originalTransactionId`.
        case lineage
        case appleID = "apple-id"
        /// An appAccountToken: as registered, and in the purchases of an environment.
        case token
        case claim
        case order
        case grant
        case block
        case merge
        /// Evidence that waits, or waited, for Apple.
        case ticket
        case account
        /// By the `webOrderLineItemId` of its period.
        case lineItem = "line-item"
        /// The order number in Apple's e-mail, which only Apple can resolve.
        case appleOrder = "apple-order"
    }

    package var kind: Kind
    /// Nil if it has none.
    package var environment: StoreEnvironment?
    /// The owners of purchases, sorted; else the accounts that the entry names.
    package var accounts: [AccountID]
    /// Accounts that presented it and are not among its owners, sorted: a claim of theirs was
    /// denied, or it has moved on.
    package var presentedBy: [AccountID] = []
    /// The account that it was merged into.
    package var mergedInto: AccountID?
    package var lineages: [TransactionID]
    /// Sorted.
    package var products: [ProductID]
    /// Of a transaction: what Apple has said of it last.
    package var purchase: PurchaseFact?
    /// Its first entry; nil if it has many.
    package var sequence: LedgerSequence?

    package init(
        _ kind: Kind, in environment: StoreEnvironment? = nil, accounts: [AccountID],
        lineages: [TransactionID] = [], products: [ProductID] = [],
        sequence: LedgerSequence? = nil
    ) {
        self.kind = kind
        self.environment = environment
        self.accounts = accounts
        self.lineages = lineages
        self.products = products
        self.sequence = sequence
    }

    package static var shapeName: String { "FoundMeaning" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let kind = try shape.value("kind", \.kind)
        let environment = try shape.optional("environment", \.environment)
        let accounts = try shape.value("accounts", \.accounts)
        let purchase = try shape.optional("purchase", \.purchase)
        let presentedBy = try shape.value("presented_by", \.presentedBy)
        let mergedInto = try shape.optional("merged_into", \.mergedInto)
        var meaning = FoundMeaning(
            kind, in: environment, accounts: accounts,
            lineages: try shape.value("lineages", \.lineages),
            products: try shape.value("products", \.products),
            sequence: try shape.optional("sequence", \.sequence))
        meaning.purchase = purchase
        meaning.presentedBy = presentedBy
        meaning.mergedInto = mergedInto
        return meaning
    }
}
