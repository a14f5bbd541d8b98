internal import EntitlementModel

extension Order: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.value("account", \.account)
        let actor = try visitor.value("actor", \.actor)
        let appleID = try visitor.optional("appleId", \.appleID)
        let environment = try visitor.value("environment", \.environment)
        let id = try visitor.value("id", \.id)
        let key = try visitor.optional("key", \.key)
        let parent = try visitor.optional("parent", \.parent)
        let policy = try visitor.value("policy", \.policy)
        let price = try visitor.optional("price", \.price)
        let product = try visitor.value("product", \.product)
        return Self(
            id: id, account: account, environment: environment, product: product,
            quantity: try visitor.value("quantity", \.quantity), appleID: appleID, price: price,
            policy: policy, key: key, parent: parent, actor: actor)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.unique(.order, id.text)]
            + (key.map { [.unique(.order, Self.keyName($0, of: actor))] } ?? [])
            + [.order(self), .account(account)]
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [.order(id)] }
}

extension Order {
    /// What an idempotency key of an actor is found by: no id of an order has a space.
    package static func keyName(_ key: String, of actor: String) -> [UInt8] {
        Array("\(actor) \(key)".utf8)
    }
}

extension RepeatedOrder: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.value("account", \.account)
        let actor = try visitor.value("actor", \.actor)
        let appleID = try visitor.optional("appleId", \.appleID)
        let environment = try visitor.value("environment", \.environment)
        let key = try visitor.value("key", \.key)
        let order = try visitor.value("order", \.order)
        let price = try visitor.optional("price", \.price)
        let product = try visitor.value("product", \.product)
        return Self(
            order: order, account: account, environment: environment, product: product,
            quantity: try visitor.value("quantity", \.quantity), appleID: appleID, price: price,
            key: key,
            actor: actor)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.unique(.order, Order.keyName(key, of: actor)), .account(account)]
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [] }
}

extension OrderEvent: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.optional("account", \.account)
        let actor = try visitor.value("actor", \.actor)
        let basis = try visitor.optional("basis", \.basis)
        let comparison = try visitor.value("comparison", \.comparison)
        let differences = try visitor.value("differences", \.differences)
        let grants = try visitor.value("grants", \.grants)
        let kind = try visitor.value("kind", \.kind)
        let order = try visitor.value("order", \.order)
        let presenter = try visitor.optional("presenter", \.presenter)
        let reason = try visitor.optional("reason", \.reason)
        let state = try visitor.value("state", \.state)
        let storeCode = try visitor.optional("storeCode", \.storeCode)
        return Self(
            order: order, kind: kind, state: state,
            transaction: try visitor.optional("transaction", \.transaction),
            storeCode: storeCode, basis: basis, comparison: comparison,
            differences: differences, account: account, presenter: presenter, grants: grants,
            actor: actor, reason: reason)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.orderEvent(self)] + [account, presenter].compactMap { $0.map(EntryKey.account) }
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [.order(order)] }
}

extension OrderPromise: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let order = try visitor.value("order", \.order)
        let soldAt = try visitor.optional("soldDate", \.soldAt)
        return Self(
            transaction: try visitor.value("transaction", \.transaction), order: order,
            soldAt: soldAt)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] { [.purchase(transaction)] }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [.unit(.purchase(transaction))] }
}

extension OrderComparison: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let appleID = try visitor.value("appleId", \.appleID)
        let distance = try visitor.value("distance", \.distance)
        let order = try visitor.value("order", \.order)
        return Self(
            order: order, appleID: appleID, price: try visitor.value("price", \.price),
            distance: distance)
    }
}
