internal import EntitlementModel
internal import StoreSimulator
internal import StrictJSON

/// One transaction, one app transaction, one order; and what a server writes to a transaction.
extension AppStoreWorld {
    /// Get Transaction Info.
    func transactionInfo(
        _ id: String, _ side: StoreSide
    ) throws(AppStoreError) -> AppStoreResponse {
        let (_, _, transaction) = try side.transaction(try transactionID(id))
        return AppStoreResponse(json: ["signedTransactionInfo": sign(transaction, side)])
    }

    /// Get App Transaction Info.
    func appTransactionInfo(
        _ id: String, _ side: StoreSide
    ) throws(AppStoreError) -> AppStoreResponse {
        let appleID = try side.customer(try transactionID(id))
        let app = side.store.appTransaction(of: appleID, signedAt: signingInstant(side))
        return AppStoreResponse(json: ["signedAppTransactionInfo": sign(app.payload)])
    }

    /// Look Up Order ID: production only.
    func lookUp(_ orderID: String, _ side: StoreSide) -> AppStoreResponse {
        guard side.environment == .production else { return AppStoreResponse(status: 404) }
        let transactions = (side.orders[orderID] ?? []).compactMap {
            try? side.transaction($0).2
        }
        return AppStoreResponse(json: [
            "status": .integer(transactions.isEmpty ? 1 : 0),
            "signedTransactions": .array(transactions.map { sign($0, side) }),
        ])
    }

    /// Set App Account Token.
    func setAccountToken(
        _ id: String, _ call: APICall, _ side: StoreSide
    ) throws(AppStoreError) -> AppStoreResponse {
        let (name, purchase) = try side.lineage(try transactionID(id))
        guard purchase.transaction.ownership == "PURCHASED" else {
            throw .familyTransactionNotSupported
        }
        guard let token = try call.object()["appAccountToken"]?.string,
            AppAccountToken(token) != nil
        else { throw .invalidAppAccountTokenUUID }
        side.store.move(to: now)
        side.store.setAccountToken(token.lowercased(), of: name)
        file(side)
        return AppStoreResponse(status: 200)
    }

    /// Finish Transaction.
    func finish(_ id: String, _ side: StoreSide) throws(AppStoreError) -> AppStoreResponse {
        let (name, _, _) = try side.transaction(try transactionID(id))
        side.store.finish(name)
        return AppStoreResponse(status: 200)
    }

    /// The id in a path: digits only.
    func transactionID(_ id: String) throws(AppStoreError) -> String {
        guard !id.isEmpty, id.utf8.count <= 20, id.utf8.allSatisfy({ (48...57).contains($0) })
        else { throw .invalidTransactionID }
        return id
    }
}
