internal import EntitlementModel
internal import Foundation
internal import StoreBox
internal import StrictJSON

/// Signs what a test says: a payload of Apple's as a JWS, or a receipt with its purchases.
struct SampleSigner {
    /// The key of the root is that of `fixtures/evidence`; the chain is valid around today.
    private let store = StoreSimulator(seed: 2_026, now: .today)
    private let receipts = ReceiptSimulator(now: .today)

    /// As a text file.
    var receiptRoot: String { receipts.root.pem }

    /// `{"receipt": {"created": …, "purchases": […]}}` becomes a receipt, of the example app in
    /// production unless `bundleId` and `environment` say otherwise; any other object becomes a
    /// JWS over it. Nil for what is neither.
    func evidence(_ document: JSONValue) -> String? {
        guard let receipt = document["receipt"] else {
            guard document.members != nil else { return nil }
            return String(decoding: store.sign(document), as: UTF8.self)
        }
        guard let created = receipt["created"]?.int64, let list = receipt["purchases"]?.elements
        else { return nil }
        let purchases = list.compactMap(SimulatedReceiptPurchase.init)
        guard purchases.count == list.count else { return nil }
        let signed = receipts.sign(
            SimulatedReceipt(
                bundleID: receipt["bundleId"]?.string ?? ExampleApp.bundleID,
                environmentName: receipt["environment"]?.string ?? "Production",
                createdAt: Instant(milliseconds: created), purchases: purchases))
        return Base64.standard.encode(signed)
    }
}

extension SimulatedReceiptPurchase {
    /// A purchase by Apple's names of a transaction, and `cancellationDate`.
    fileprivate init?(_ value: JSONValue) {
        guard let product = value["productId"]?.string, let id = value["transactionId"]?.string,
            let purchased = value["purchaseDate"]?.int64
        else { return nil }
        self.init(
            productID: product, transactionID: id, typeNumber: value["productType"]?.int64,
            purchaseDate: Instant(milliseconds: purchased),
            expiresDate: value["expiresDate"]?.int64.map(Instant.init(milliseconds:)))
        quantity = value["quantity"]?.int64 ?? 1
        originalTransactionID = value["originalTransactionId"]?.string ?? id
        originalPurchaseDate =
            value["originalPurchaseDate"]?.int64.map(Instant.init(milliseconds:)) ?? purchaseDate
        webOrderLineItemID = value["webOrderLineItemId"]?.int64 ?? 0
        cancellationDate = value["cancellationDate"]?.int64.map(Instant.init(milliseconds:))
        cancellationReason = cancellationDate == nil ? nil : 0
    }
}

extension Instant {
    fileprivate static var today: Instant {
        Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    }
}
