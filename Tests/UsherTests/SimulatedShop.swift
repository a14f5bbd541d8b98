internal import EntitlementModel
internal import Foundation
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

/// A policy folder that trusts a simulated store, and signed purchases for it.
struct SimulatedShop {
    let folder: TemporaryFolder
    let store: StoreSimulator
    let policies: String

    init(policy: String = Self.policy) throws {
        folder = try TemporaryFolder()
        store = StoreSimulator(
            seed: 11, now: try #require(Instant(rfc3339: "2026-06-01")))
        policies = folder.path + "/policies"
        try FileManager.default.createDirectory(
            atPath: policies, withIntermediateDirectories: true)
        try folder.write(store.root.pem, to: "policies/root.pem")
        try folder.write(policy, to: "policies/policy.yaml")
    }

    static let policy = """
        usher: 1
        app: {bundle_id: com.example.shop, apple_id: 77}
        trust: {roots: {jws: [{file: root.pem}]}}
        environments: {production: trusted, sandbox: trusted}
        entitlements: {forever: {title: For ever}}
        credits: {coins: {title: Coins}}
        products:
          unlock: {kind: non-consumable, grants: [forever]}
          coins: {kind: consumable, grants: [{credit: coins, units: 1}]}
        """

    /// A purchase of 1 May 2026.
    static func transaction(
        _ product: String, _ kind: ProductKind, id: Int = 1
    ) throws -> SimulatedTransaction {
        SimulatedTransaction(
            bundleID: "com.example.shop", productID: product, kind: kind,
            transactionID: "\(id)", purchaseDate: try #require(Instant(rfc3339: "2026-05-01")))
    }

    func purchase(_ product: String, _ kind: ProductKind, id: Int) throws -> String {
        let transaction = try Self.transaction(product, kind, id: id)
        return String(decoding: store.sign(transaction.payload), as: UTF8.self)
    }

    /// The body of `POST /v1/evidence`.
    func body(_ payload: String, account: String) -> [UInt8] {
        let body: JSONValue = [
            "account": .string(account), "payload": .string(payload), "moment": "restore",
        ]
        return body.serialized()
    }
}
