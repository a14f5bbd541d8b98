internal import AppleSync
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import Synchronization
internal import Testing

/// Joins the client and the App Store in a box without a network.
final class BoxTransport: AppStoreTransport {
    private static let address = "http://127.0.0.1"

    private let box: SimulatedAppStore
    private let kept = Mutex<[String]>([])

    init(_ box: SimulatedAppStore) {
        self.box = box
    }

    /// How many requests went to an environment.
    func count(_ environment: StoreEnvironment) -> Int {
        kept.withLock { $0.filter { $0.hasPrefix("/" + environment.rawValue) }.count }
    }

    func forget() { kept.withLock { $0 = [] } }

    func send(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        let target = String(request.url.dropFirst(Self.address.count))
        kept.withLock { $0.append(target) }
        var headers: [String: String] = [:]
        headers["authorization"] = request.authorization?.revealed
        let answer = box.answer(
            AppStoreRequest(
                method: request.method, target: target, headers: headers,
                body: request.body ?? []))
        if answer.delay > request.timeout { throw .timedOut }
        if answer.cut != nil { throw .brokenOff }
        if answer.body.count > request.answerLimit { throw .tooLarge }
        return TransportResponse(
            status: answer.status, retryAfter: answer.headers["retry-after"], body: answer.body)
    }

    /// A client that knows the box's key and secret.
    static func client(
        _ box: SimulatedAppStore, _ context: VirtualContext
    ) throws -> (AppStoreClient, BoxTransport) {
        let identity = box.identity
        let key = try AppStoreKey(
            issuerID: identity.issuerID, keyID: identity.keyID, pem: Secret(identity.keyPEM))
        func servers(_ path: String) throws -> AppStoreConfiguration.Servers {
            try .init(
                production: #require(ServerURL(address + "/production" + path)),
                sandbox: #require(ServerURL(address + "/sandbox" + path)))
        }
        var configuration = AppStoreConfiguration(
            key: key, sharedSecret: Secret(identity.sharedSecret),
            bundleID: BundleID(unchecked: ExampleApp.bundleID), api: try servers(""),
            verifyReceipt: try servers("/verifyReceipt"))
        configuration.appAppleID = ExampleApp.appleID
        configuration.callsPerSecond = 1_000
        let transport = BoxTransport(box)
        return (
            AppStoreClient(configuration, transport: transport, context: context),
            transport
        )
    }
}
