internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

/// Apple's servers on the loopback interface, as far as the commands need them, with the settings
/// for them.
final class AppStoreStub: Sendable {
    let shop: SimulatedShop
    let server: LoopbackServer

    /// A P-256 key made for this file and used nowhere else.
    static let pem = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg0br2ztTo0MWbU1fe
        jM4sq+acIk0s5IoIOOf8TNEJo0ehRANCAAQR+34YZLevPLFORwvWIcoSFFAxzAqN
        +hI/ph7Bo84fzqGg/ed+KsytbEKhKeBSLAkWHqbzHFUXm2Kql3/tATVe
        -----END PRIVATE KEY-----

        """
    static let password = "0123456789abcdef0123456789abcdef"

    init(_ reply: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Reply) throws {
        shop = try SimulatedShop()
        server = try LoopbackServer(reply)
        for (name, text) in [("key.p8", Self.pem), ("secret", Self.password + "\n")] {
            try shop.folder.write(text, to: name)
            chmod(shop.folder.path + "/" + name, 0o600)
        }
    }

    /// JSON with a status.
    static func json(_ value: JSONValue, status: Int = 200) -> LoopbackServer.Reply {
        .bytes(LoopbackServer.answer(status, value.serialized()))
    }

    /// An error of Apple's.
    static func error(_ code: Int64) -> LoopbackServer.Reply {
        json(
            ["errorCode": .integer(code), "errorMessage": "no"], status: Int(code / 10_000))
    }

    var environment: [String: String] {
        [
            "USHER_APP_STORE_ISSUER_ID": "57246542-96fe-1a63-e053-0824d011072a",
            "USHER_APP_STORE_KEY_ID": "2X9R4HXF34",
            "USHER_APP_STORE_KEY_FILE": shop.folder.path + "/key.p8",
            "USHER_APP_STORE_SHARED_SECRET_FILE": shop.folder.path + "/secret",
            "USHER_APP_STORE_PRODUCTION_URL": server.url + "/production",
            "USHER_APP_STORE_SANDBOX_URL": server.url + "/sandbox",
            "USHER_POLICIES": shop.policies, "LANG": "en",
        ]
    }

    func run(_ arguments: [String]) throws -> Program.Output {
        try Program.run(["app-store"] + arguments, environment: environment)
    }
}
