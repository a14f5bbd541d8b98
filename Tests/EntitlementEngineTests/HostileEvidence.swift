internal import EntitlementModel
internal import StoreBox
internal import StrictJSON
internal import Testing

/// Signs what an attacker would hand in, beside a store that the policy of the plays trusts.
struct HostileEvidence {
    static let bundle = "com.example.reader"
    static let now = Play.start.advanced(byMilliseconds: 180 * 86_400_000)

    let store = StoreSimulator(seed: 9, now: now)
    let receipts = ReceiptSimulator(now: now)

    var trusted: PlayedEvidenceSet {
        PlayedEvidenceSet(root: store.root, receiptRoot: receipts.root, evidence: [])
    }

    /// Something of value that nobody has bought.
    static var prize: SimulatedTransaction {
        SimulatedTransaction(
            bundleID: bundle, productID: "for-ever", kind: .nonConsumable,
            transactionID: "666", purchaseDate: now.advanced(byMilliseconds: -10_000))
    }

    /// A failed renewal of what nobody has bought, with three years of grace.
    static var grace: SimulatedRenewal {
        var grace = SimulatedRenewal(
            originalTransactionID: "666", productID: "for-ever", renewalDate: nil, signedDate: now)
        grace.gracePeriodExpiresDate = now.advanced(byMilliseconds: 1_095 * 86_400_000)
        return grace
    }

    static func prize(_ change: (inout SimulatedTransaction) -> Void) -> SimulatedTransaction {
        var prize = prize
        change(&prize)
        return prize
    }

    func transaction(_ change: (inout SimulatedTransaction) -> Void = { _ in }) -> [UInt8] {
        store.sign(Self.prize(change).payload)
    }

    /// The prize under a header with one thing changed.
    func header(_ change: (inout JSONValue) -> Void) -> [UInt8] {
        var header = store.header
        change(&header)
        return store.sign(payloadBytes: Self.prize.payload.serialized(), header: header)
    }

    /// The prize under the same root, through a chain of another shape.
    func chain(_ change: (inout ChainShape) -> Void) -> [UInt8] {
        var shape = ChainShape.apple(around: Self.now)
        change(&shape)
        return StoreSimulator(seed: 9, now: Self.now, shape: shape).sign(Self.prize.payload)
    }

    func notification(_ change: (inout SimulatedNotification) -> Void = { _ in }) -> [UInt8] {
        var notification = SimulatedNotification(
            type: "ONE_TIME_CHARGE", uuid: "002e14d5-51f5-4503-b5a8-c3a1af68eb20",
            bundleID: Self.bundle, appAppleID: 1_234_567_890, signedDate: Self.now)
        notification.transaction = transaction()
        change(&notification)
        return body(store.sign(notification.payload))
    }

    /// As Apple posts it.
    func body(_ jws: [UInt8]) -> [UInt8] {
        let body: JSONValue = ["signedPayload": .string(String(decoding: jws, as: UTF8.self))]
        return body.serialized()
    }

    func receipt(
        _ shape: ReceiptShape = ReceiptShape(),
        _ change: (inout SimulatedReceipt) -> Void = { _ in }
    ) -> [UInt8] {
        let purchase = SimulatedReceiptPurchase(
            productID: "for-ever", transactionID: "666", typeNumber: 0,
            purchaseDate: Self.now.advanced(byMilliseconds: -10_000))
        var receipt = SimulatedReceipt(
            bundleID: Self.bundle, createdAt: Self.now, purchases: [purchase])
        change(&receipt)
        return receipts.sign(receipt, as: shape)
    }

    static func shape(_ change: (inout ReceiptShape) -> Void) -> ReceiptShape {
        var shape = ReceiptShape()
        change(&shape)
        return shape
    }
}
