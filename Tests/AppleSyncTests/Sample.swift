internal import AppleSync
internal import Crypto
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import Testing

/// What most tests need alike.
enum Sample {
    static let now = Instant(milliseconds: 1_790_000_000_000)
    static let issuerID = "57246542-96fe-1a63-e053-0824d011072a"
    static let keyID = "2X9R4HXF34"
    static let password = "7c0ffee5ecre7"
    static let production = "https://production.example.com"
    static let sandbox = "https://sandbox.example.com"
    static let id = TransactionID(unchecked: "2000000000000010")
    static let bundleID = BundleID(unchecked: "com.example.reader")

    /// Made for each run.
    static let privateKey = P256.Signing.PrivateKey()

    static func key() throws -> AppStoreKey {
        try AppStoreKey(
            issuerID: issuerID, keyID: keyID, pem: Secret(privateKey.pemRepresentation))
    }

    static func configuration() throws -> AppStoreConfiguration {
        let servers = try AppStoreConfiguration.Servers(
            production: #require(ServerURL(production)),
            sandbox: #require(ServerURL(sandbox)))
        let receipts = try AppStoreConfiguration.Servers(
            production: #require(ServerURL(production + "/verifyReceipt")),
            sandbox: #require(ServerURL(sandbox + "/verifyReceipt")))
        var configuration = AppStoreConfiguration(
            key: try key(), sharedSecret: Secret(password), bundleID: bundleID, api: servers,
            verifyReceipt: receipts)
        configuration.appAppleID = 1_234_567_890
        // What tests ask in one go is not to wait for the budget.
        configuration.callsPerSecond = 1_000
        return configuration
    }

    static func client(
        _ servers: ScriptedServers, _ context: VirtualContext = VirtualContext(),
        change: (inout AppStoreConfiguration) -> Void = { _ in }
    ) throws -> AppStoreClient {
        var configuration = try configuration()
        change(&configuration)
        return AppStoreClient(configuration, transport: servers, context: context)
    }

    /// A JWS that nobody signed: the client does not verify.
    static func jws(_ payload: JSONValue) -> String {
        let header: JSONValue = ["alg": "ES256"]
        return [header, payload].map { Base64.url.encode($0.serialized()) }
            .joined(separator: ".") + ".c2lnbmF0dXJl"
    }

    static func transaction(
        id: String = id.text, bundle: String = bundleID.text,
        environment: StoreEnvironment = .production
    ) -> JSONValue {
        [
            "signedTransactionInfo": .string(
                jws([
                    "transactionId": .string(id), "bundleId": .string(bundle),
                    "environment": .string(environment.signedName),
                ]))
        ]
    }

    /// What a call fails with; nil if it does not.
    static func failure<Answer>(
        of call: () async throws(AppStoreFailure) -> Answer
    ) async -> AppStoreFailure? {
        do throws(AppStoreFailure) {
            _ = try await call()
            return nil
        } catch {
            return error
        }
    }
}
