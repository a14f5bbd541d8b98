internal import EntitlementModel
internal import StrictJSON

/// Get Transaction History, Get Refund History, Get All Subscription Statuses.
extension AppStoreWorld {
    static let pageSize = 20

    /// Get Transaction History V2, and V1 without finished consumables.
    func history(
        _ id: String, _ call: APICall, _ side: StoreSide
    ) throws(AppStoreError) -> AppStoreResponse {
        let appleID = try side.customer(try transactionID(id))
        let filter = try HistoryFilter(call)
        let history = side.histories[appleID] ?? CustomerHistory()
        let page = try page(of: history, call, descending: filter.isDescending, side) {
            purchase, transaction in
            filter.matches(transaction, purchase)
                && (call.path[0] == "v2" || purchase.kind != .consumable || !purchase.isFinished)
        }
        var answer: JSONValue = [
            "revision": .string(page.revision), "hasMore": .bool(page.hasMore),
            "bundleId": .string(bundleID(side)),
        ]
        answer["appAppleId"] = side.store.appAppleID.map(JSONValue.integer)
        answer["environment"] = .string(environmentName(side))
        answer["signedTransactions"] = .array(page.transactions.map { sign($0, side) })
        return AppStoreResponse(json: answer)
    }

    /// Get Refund History V2.
    func refunds(
        _ id: String, _ call: APICall, _ side: StoreSide
    ) throws(AppStoreError) -> AppStoreResponse {
        let appleID = try side.customer(try transactionID(id))
        let history = side.refunds[appleID] ?? CustomerHistory()
        let page = try page(of: history, call, descending: false, side) { _, transaction in
            transaction.isRefunded
        }
        return AppStoreResponse(json: [
            "signedTransactions": .array(page.transactions.map { sign($0, side) }),
            "revision": .string(page.revision), "hasMore": .bool(page.hasMore),
        ])
    }

    private struct HistoryPage {
        var transactions: [SimulatedTransaction] = []
        var revision: String
        var hasMore = false
    }

    /// Up to 20 transactions after a revision, which is the number of the last change examined:
    /// later changes of transactions get a higher one.
    private func page(
        of history: CustomerHistory, _ call: APICall, descending: Bool, _ side: StoreSide,
        where matches: (PlayedPurchase, SimulatedTransaction) -> Bool
    ) throws(AppStoreError) -> HistoryPage {
        let asked = try revision(call)
        let isTrapped = falsification?.repeatsPage == true || falsification?.hasEndlessPages == true
        let after = isTrapped ? nil : asked
        var page = HistoryPage(revision: "")
        var last = after ?? (descending ? history.lastSequence + 1 : 0)
        for entry in history.entries(after: after, descending: descending) {
            guard let (_, purchase, transaction) = try? side.transaction(entry.transactionID),
                matches(purchase, transaction)
            else { continue }
            guard page.transactions.count < Self.pageSize else {
                page.hasMore = true
                break
            }
            page.transactions.append(transaction)
            last = entry.sequence
        }
        if !page.hasMore, !descending { last = max(last, history.lastSequence) }
        if isTrapped {
            page.hasMore = true
            last = falsification?.hasEndlessPages == true ? (asked ?? 0) + 1 : 1
        }
        page.revision = Self.revision(last)
        return page
    }

    private static func revision(_ sequence: Int) -> String {
        "r\(sequence)_" + (sequence &* 2_654_435_761 & 0xFFFF_FFFF).hexadecimal(width: 8)
    }

    private func revision(_ call: APICall) throws(AppStoreError) -> Int? {
        guard let text = call.value("revision"), !text.isEmpty else { return nil }
        guard let number = text.dropFirst().split(separator: "_").first.flatMap({ Int($0) }),
            number >= 0, Self.revision(number) == text
        else { throw .invalidRequestRevision }
        return number
    }
}

extension AppStoreWorld {
    /// Get All Subscription Statuses.
    func statuses(
        _ id: String, _ call: APICall, _ side: StoreSide
    ) throws(AppStoreError) -> AppStoreResponse {
        let appleID = try side.customer(try transactionID(id))
        let wanted = call.values("status").map { Int64($0) ?? 0 }
        guard wanted.allSatisfy({ (1...5).contains($0) }) else { throw .invalidStatus }
        var groups: [(id: String, items: [JSONValue])] = []
        for name in side.store.purchasesOfAppleID[appleID] ?? [] {
            guard let purchase = side.store.purchases[name], let renewal = purchase.renewal,
                let status = purchase.status(at: now),
                wanted.isEmpty || wanted.contains(status)
            else { continue }
            let item: JSONValue = [
                "status": .integer(status),
                "originalTransactionId": .string(purchase.transaction.originalTransactionID),
                "signedTransactionInfo": sign(purchase.transaction, side),
                "signedRenewalInfo": sign(renewal, side),
            ]
            let group = purchase.transaction.subscriptionGroupID ?? ""
            if let index = groups.firstIndex(where: { $0.id == group }) {
                groups[index].items.append(item)
            } else {
                groups.append((group, [item]))
            }
        }
        let data = groups.map { group -> JSONValue in
            [
                "subscriptionGroupIdentifier": .string(group.id),
                "lastTransactions": .array(group.items),
            ]
        }
        var answer: JSONValue = ["environment": .string(environmentName(side))]
        answer["appAppleId"] = side.store.appAppleID.map(JSONValue.integer)
        answer["bundleId"] = .string(bundleID(side))
        answer["data"] = .array(data)
        return AppStoreResponse(json: answer)
    }
}

extension SimulatedTransaction {
    /// Whether it was paid back; the loss of a shared purchase is not.
    var isRefunded: Bool {
        guard let revocation else { return false }
        return revocation.type != .known(.family) && revocation.type != .known(.assigned)
    }
}

/// The parameters of Get Transaction History.
struct HistoryFilter {
    private let start: Int64?
    private let end: Int64?
    private let productIDs: [String]
    private let kinds: [ProductKind]
    private let groups: [String]
    private let ownership: String?
    private let isRevoked: Bool?
    let isDescending: Bool

    init(_ call: APICall) throws(AppStoreError) {
        start = try Self.date(call.value("startDate"), .invalidStartDate)
        end = try Self.date(call.value("endDate"), .invalidEndDate)
        if let start, let end, start >= end { throw .startDateAfterEndDate }
        productIDs = call.values("productId")
        if productIDs.contains("") { throw .invalidProductID }
        kinds = try call.values("productType").map { text throws(AppStoreError) in
            guard let kind = ProductKind(filter: text) else { throw .invalidProductType }
            return kind
        }
        groups = call.values("subscriptionGroupIdentifier")
        if groups.contains("") { throw .invalidSubscriptionGroup }
        ownership = call.value("inAppOwnershipType")
        guard ["PURCHASED", "FAMILY_SHARED", "ASSIGNED", nil].contains(ownership) else {
            throw .invalidOwnershipType
        }
        let revoked = try Self.flag(call.value("revoked"), .invalidRevoked)
        let isExcluding = try Self.flag(call.value("excludeRevoked"), .invalidExcludeRevoked)
        if isExcluding == true, revoked == true { throw .invalidExcludeRevoked }
        isRevoked = isExcluding == true ? false : revoked
        switch call.value("sort") {
        case nil, "ASCENDING"?: isDescending = false
        case "DESCENDING"?: isDescending = true
        default: throw .invalidSort
        }
    }

    private static func date(
        _ text: String?, _ error: AppStoreError
    ) throws(AppStoreError) -> Int64? {
        guard let text else { return nil }
        guard let value = Int64(text), value >= 0 else { throw error }
        return value
    }

    /// `true`, and `True` as Python writes it.
    private static func flag(
        _ text: String?, _ error: AppStoreError
    ) throws(AppStoreError) -> Bool? {
        guard let text else { return nil }
        guard let flag = Bool(text.lowercased()) else { throw error }
        return flag
    }

    func matches(_ transaction: SimulatedTransaction, _ purchase: PlayedPurchase) -> Bool {
        let date = transaction.purchaseDate.milliseconds
        if let start, date < start { return false }
        if let end, date >= end { return false }
        if !productIDs.isEmpty, !productIDs.contains(transaction.productID) { return false }
        if !kinds.isEmpty, !kinds.contains(purchase.kind) { return false }
        if !groups.isEmpty, !groups.contains(transaction.subscriptionGroupID ?? "") {
            return false
        }
        if let ownership, transaction.ownership != ownership { return false }
        return isRevoked.map { $0 == (transaction.revocation != nil) } ?? true
    }
}

extension ProductKind {
    /// As the history's `productType` names it.
    fileprivate init?(filter text: String) {
        switch text {
        case "AUTO_RENEWABLE": self = .autoRenewable
        case "NON_RENEWABLE": self = .nonRenewing
        case "CONSUMABLE": self = .consumable
        case "NON_CONSUMABLE": self = .nonConsumable
        default: return nil
        }
    }
}

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
