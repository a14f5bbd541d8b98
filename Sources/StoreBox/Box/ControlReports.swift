internal import EntitlementModel
internal import StrictJSON

/// Reports on the box itself.
extension AppStoreWorld {
    func show(_ target: RequestTarget) throws(ControlError) -> AppStoreResponse {
        let side = side(try environment(target))
        switch (target.path.dropFirst().first, target.path.count) {
        case ("settings", 2): return AppStoreResponse(json: describeSettings())
        case ("clock", 2): return AppStoreResponse(json: describeClock())
        case ("products", 2): return AppStoreResponse(json: describeProducts())
        case ("failures", 2): return AppStoreResponse(json: describeFailures())
        case ("notifications", 2): return AppStoreResponse(json: describeChaos())
        case ("purchases", 2):
            let names = side.store.purchases.keys.sorted()
            return AppStoreResponse(json: [
                "purchases": .array(names.compactMap { describe(purchase: $0, side) })
            ])
        case ("purchases", 3):
            guard let purchase = describe(purchase: target.path[2], side, isSigned: true) else {
                throw ControlError(.notFound, "purchase", target.path[2])
            }
            return AppStoreResponse(json: purchase)
        case ("receipt", 2): return try showReceipt(target, side)
        case ("root.pem", 2): return text(signer.root.pem)
        case ("receipt-root.pem", 2):
            return text(receipts.simulator(settings).root.pem)
        case ("key.p8", 2): return text(identity.keyPEM)
        default: throw ControlError(.notFound, "call", "/" + target.path.joined(separator: "/"))
        }
    }

    private func environment(_ target: RequestTarget) throws(ControlError) -> StoreEnvironment {
        let word = target.query.first { $0.name == "environment" }?.value
        return try ControlFields(["environment": word.map(JSONValue.string) ?? .null])
            .environment()
    }

    private func text(_ text: String) -> AppStoreResponse {
        AppStoreResponse(
            status: 200, headers: ["content-type": "application/x-pem-file"],
            body: Array(text.utf8))
    }

    private func showReceipt(
        _ target: RequestTarget, _ side: StoreSide
    ) throws(ControlError) -> AppStoreResponse {
        if let id = target.query.first(where: { $0.name == "transaction" })?.value {
            guard let receipt = issueTransactionReceipt(of: id, side) else {
                throw ControlError(.notFound, "transaction", id)
            }
            return AppStoreResponse(json: ["receipt-data": .string(receipt)])
        }
        guard let appleID = target.query.first(where: { $0.name == "apple_id" })?.value else {
            throw ControlError(.missing, "apple_id")
        }
        return AppStoreResponse(json: ["receipt-data": .string(issueReceipt(of: appleID, side))])
    }

    private func describeSettings() -> JSONValue {
        var value: JSONValue = [
            "issuer_id": .string(identity.issuerID), "key_id": .string(identity.keyID),
            "bundle_id": .string(production.store.bundleID),
        ]
        value["app_apple_id"] = production.store.appAppleID.map(JSONValue.integer)
        value["shared_secret"] = .string(identity.sharedSecret)
        value["production_path"] = "/production"
        value["sandbox_path"] = "/sandbox"
        value["seed"] = .string(String(settings.seed))
        return value
    }

    func describeClock() -> JSONValue {
        [
            "now": .string(now.rfc3339), "now_ms": .date(now),
            "mistakes": .array(
                mistakes.map { .string("line \($0.line): " + $0.reason.text(.english)) }),
        ]
    }

    func describeProducts() -> JSONValue {
        .object(
            production.store.products.sorted { $0.key < $1.key }.map { word, product in
                var value: JSONValue = [
                    "id": .string(product.id), "kind": .string(product.kind.rawValue),
                ]
                value["group"] = product.group.map(JSONValue.string)
                value["period"] = product.period.map { .string($0.text) }
                value["price_milliunits"] = product.price.map { .integer($0.milliunits) }
                value["currency"] = product.price?.currency.map(JSONValue.string)
                return JSONMember(word, value)
            })
    }

    func describeFailures() -> JSONValue {
        ["failures": .array(failures.filter { $0.times != 0 }.map(\.json))]
    }

    func describeChaos() -> JSONValue {
        [
            "drop_percent": .integer(Int64(chaos.dropPercent)),
            "repeat_percent": .integer(Int64(chaos.repeatPercent)),
            "late_ms": .integer(chaos.lateMilliseconds),
        ]
    }

    private func describe(
        purchase name: String, _ side: StoreSide, isSigned: Bool = false
    ) -> JSONValue? {
        guard let purchase = side.store.purchases[name] else { return nil }
        let transactions = purchase.transactions.map { transaction -> JSONValue in
            [
                "transaction_id": .string(transaction.transactionID),
                "product_id": .string(transaction.productID),
                "order_id": .string(side.store.orderID(of: transaction.transactionID)),
            ]
        }
        var value: JSONValue = [
            "name": .string(name), "account": .string(purchase.account),
            "apple_id": .string(purchase.appleID), "kind": .string(purchase.kind.rawValue),
        ]
        value["app_transaction_id"] = purchase.transaction.appTransactionID.map(JSONValue.string)
        value["app_account_token"] = purchase.transaction.appAccountToken.map(JSONValue.string)
        value["original_transaction_id"] = .string(purchase.transaction.originalTransactionID)
        value["status"] = purchase.status(at: now).map(JSONValue.integer)
        value["expires"] = purchase.transaction.expiresDate.map { .string($0.rfc3339) }
        value["transactions"] = .array(transactions)
        value["consumption"] =
            purchase.transactions.lazy
            .compactMap { side.consumption[$0.transactionID] }.first
        guard isSigned else { return value }
        value["signedTransactionInfo"] = sign(purchase.transaction, side)
        value["signedRenewalInfo"] = purchase.renewal.map { sign($0, side) }
        return value
    }
}
