internal import EntitlementModel
internal import StrictJSON

extension Order: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("actor", actor)
        writer.field("appleId", appleID)
        writer.field("environment", environment)
        writer.field("id", id)
        writer.field("key", key)
        writer.field("parent", parent)
        writer.field("policy", policy)
        writer.optionalObject("price", price)
        writer.field("product", product)
        writer.field("quantity", quantity)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.identifier("account", as: AccountID.self)
        let actor = try fields.text("actor")
        let appleID = try fields.optionalIdentifier("appleId", as: AppleIDKey.self)
        let environment = try fields.word("environment", as: StoreEnvironment.self)
        let id = try fields.identifier("id", as: OrderID.self)
        let key = try fields.optionalText("key")
        let parent = try fields.optionalIdentifier("parent", as: OrderID.self)
        let policy = try fields.digest("policy")
        let price = try fields.optionalObject("price", as: Price.self)
        let product = try fields.identifier("product", as: ProductID.self)
        self.init(
            id: id, account: account, environment: environment, product: product,
            quantity: try fields.integer("quantity"), appleID: appleID, price: price,
            policy: policy, key: key, parent: parent, actor: actor)
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.reserve(.order, Array(id.text.utf8), for: sequence)
        if let key { try index.reserve(.order, Self.keyName(key, of: actor), for: sequence) }
        try index.insert(self, at: sequence)
        try index.link(sequence, to: account)
    }
}

extension Order {
    /// What an idempotency key of an actor is found by: no id of an order has a space.
    package static func keyName(_ key: String, of actor: String) -> [UInt8] {
        Array("\(actor) \(key)".utf8)
    }
}

extension RepeatedOrder: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("actor", actor)
        writer.field("appleId", appleID)
        writer.field("environment", environment)
        writer.field("key", key)
        writer.field("order", order)
        writer.optionalObject("price", price)
        writer.field("product", product)
        writer.field("quantity", quantity)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.identifier("account", as: AccountID.self)
        let actor = try fields.text("actor")
        let appleID = try fields.optionalIdentifier("appleId", as: AppleIDKey.self)
        let environment = try fields.word("environment", as: StoreEnvironment.self)
        let key = try fields.text("key")
        let order = try fields.identifier("order", as: OrderID.self)
        let price = try fields.optionalObject("price", as: Price.self)
        let product = try fields.identifier("product", as: ProductID.self)
        self.init(
            order: order, account: account, environment: environment, product: product,
            quantity: try fields.integer("quantity"), appleID: appleID, price: price, key: key,
            actor: actor)
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.reserve(.order, Order.keyName(key, of: actor), for: sequence)
        try index.link(sequence, to: account)
    }
}

extension OrderEvent: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("actor", actor)
        writer.field("basis", basis?.rawValue)
        writer.array("comparison", of: comparison)
        writer.array("differences", of: differences)
        writer.array("grants", of: grants)
        writer.field("kind", kind)
        writer.field("order", order)
        writer.field("presenter", presenter)
        writer.field("reason", reason)
        writer.field("state", state)
        writer.field("storeCode", storeCode)
        writer.optionalObject("transaction", transaction)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.optionalIdentifier("account", as: AccountID.self)
        let actor = try fields.text("actor")
        let basis = try fields.optionalWord("basis", as: OrderMatchBasis.self)
        let comparison = try fields.objects("comparison", as: OrderComparison.self)
        let differences = try fields.words("differences", as: OrderDifference.self)
        let grants = try fields.identifiers("grants", as: GrantID.self)
        let kind = try fields.word("kind", as: OrderEventKind.self)
        let order = try fields.identifier("order", as: OrderID.self)
        let presenter = try fields.optionalIdentifier("presenter", as: AccountID.self)
        let reason = try fields.optionalText("reason")
        let state = try fields.word("state", as: OrderState.self)
        let storeCode = try fields.optionalText("storeCode")
        self.init(
            order: order, kind: kind, state: state,
            transaction: try fields.optionalObject("transaction", as: TransactionKey.self),
            storeCode: storeCode, basis: basis, comparison: comparison,
            differences: differences, account: account, presenter: presenter, grants: grants,
            actor: actor, reason: reason)
    }

    var subjects: EntrySubjects { EntrySubjects(orders: [order]) }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.insert(self, at: sequence)
        if let account { try index.link(sequence, to: account) }
        if let presenter { try index.link(sequence, to: presenter) }
    }
}

extension OrderComparison: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("appleId", appleID)
        writer.field("distance", distance)
        writer.field("order", order)
        writer.field("price", price)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let appleID = try fields.word("appleId", as: Likeness.self)
        let distance = try fields.integer("distance")
        let order = try fields.identifier("order", as: OrderID.self)
        self.init(
            order: order, appleID: appleID, price: try fields.word("price"), distance: distance)
    }
}
