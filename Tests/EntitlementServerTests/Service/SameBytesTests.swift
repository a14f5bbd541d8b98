internal import EntitlementModel
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

private func evaluation(_ body: String) -> WireRequest {
    .post("/access/v1/evaluation", body)
}

private let alicePremium = """
    {"subject":{"type":"account","id":"alice"},"action":{"name":"use"},\
    "resource":{"type":"entitlement","id":"premium"}}
    """

/// Requests of every question route, with the status that both sockets answer.
private let questions: [(WireRequest, Int)] = [
    (.get("/v1/accounts/alice/entitlements"), 200),
    (.get("/v1/accounts/alice/entitlements?environment=sandbox"), 200),
    (.get("/v1/accounts/alice/entitlements?at=2026-01-01&environment=production"), 200),
    (.get("/v1/accounts/alice/entitlements/premium"), 200),
    (.get("/v1/accounts/alice/entitlements/premium?at=2026-04-01T00:00:00%2B08:00"), 200),
    (.get("/v1/accounts/alice/entitlements/premium?at=2026-04-01T00:00:00+08:00"), 200),
    (.get("/v1/accounts/alice/entitlements/no-such-right"), 404),
    (.get("/v1/accounts/nobody/entitlements/premium"), 200),
    (.get("/v1/accounts/%61lice/entitlements/premium"), 200),
    (.get("/v1/accounts/a%2Fb%22%5c/entitlements/premium"), 200),
    (.get("/v1/accounts/../entitlements/premium"), 200),
    (.get("/v1/accounts/alice/credits"), 200),
    (.get("/v1/apple-ids/atx:production:9/entitlements"), 200),
    (.get("/v1/apple-ids/otx:production:1/entitlements"), 200),
    (.get("/v1/apple-ids/atx:production:404/entitlements"), 200),
    (.get("/livez"), 200),
    (.get("/readyz"), 200),
    (evaluation(alicePremium), 200),
    (.post("/access/v1/evaluations", alicePremium), 200),
    // Refused.
    (.get("/v1/accounts/a%00b/entitlements/premium"), 400),
    (.get("/v1/accounts/a%20b/entitlements/premium"), 400),
    (.get("/v1/accounts/caf%C3%A9/entitlements/premium"), 400),
    (.get("/v1/accounts/%/entitlements/premium"), 400),
    (.get("/v1/accounts/%2/entitlements/premium"), 400),
    (.get("/v1/accounts/%zz/entitlements/premium"), 400),
    (.get("/v1/accounts//entitlements"), 400),
    (.get("/v1/accounts/alice/entitlements/"), 400),
    (.get("/v1/accounts/\(String(repeating: "a", count: 257))/entitlements"), 400),
    (.get("/v1/accounts/alice/entitlements?at=yesterday"), 400),
    (.get("/v1/accounts/alice/entitlements?at"), 400),
    (.get("/v1/accounts/alice/entitlements?at=2026-01-01&at=2026-01-01"), 400),
    (.get("/v1/accounts/alice/entitlements?environment=Production"), 400),
    (.get("/v1/accounts/alice/entitlements?environment=%ff"), 400),
    (.get("/v1/accounts/alice/entitlements?enviroment=sandbox"), 400),
    (.get("/v1/accounts/alice/entitlements?%22=1"), 400),
    (.get("/v1/accounts/alice/entitlements?known_at=2026-01-01"), 200),
    (.get("/v1/accounts/alice/entitlements?revision=1000000"), 400),
    (.get("/v1/accounts/alice/entitlements?assume=renews"), 400),
    (.get("/v1/accounts/alice/entitlements?at=2026-04-01&assume=block%20alice"), 200),
    (.get("/"), 404),
    (.get("//v1/accounts/alice/entitlements"), 404),
    (.get("/v1/accounts"), 404),
    (.get("/v1/accounts/alice/entitlements?min_revision=1"), 200),
    (.get("/v1/accounts/alice/credits?min_revision=1000000"), 503),
    (.get("/v1/apple-ids/atx:production:9/entitlements?min_revision=1000000"), 503),
    (.get("/v1/accounts/alice/entitlements?min_revision=-1"), 400),
    (.get("/v1/accounts/alice/entitlements/premium/"), 404),
    (.get("/v1/accounts/alice/credits/coins"), 404),
    (.get("/v1/%61ccounts/alice/entitlements"), 404),
    (.get("/livez/"), 404),
    (.get("/access/v1/evaluation"), 405),
    (.post("/livez", "{}"), 405),
    (WireRequest(method: "HEAD", target: "/livez"), 200),
    (WireRequest(method: "OPTIONS", target: "/livez"), 405),
    (WireRequest(method: "DELETE", target: "/v1/accounts/alice/credits"), 405),
    (.post("/access/v1/evaluation", alicePremium, contentType: "text/plain"), 400),
    (.get("/v1/accounts/a%20b/credits", fields: ["Accept-Language: zh-CN"]), 400),
]

@Suite("Both sockets", .timeLimit(.minutes(20)))
struct SameBytesTests {
    @Test("answer every question with the same bytes")
    func sameBytes() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for (request, status) in questions {
                let fast = try shop.exchange(shop.querySocket, request)
                let full = try shop.exchange(shop.operationsSocket, request)
                let name = request.testDescription
                #expect(fast.status == status, "\(name): \(fast.text)")
                #expect(fast == full, "\(name): \(fast.text) \(full.text)")
                #expect(!fast.body.isEmpty || request.method == "HEAD", "\(name)")
            }
        }
    }

    @Test("answer every case of AuthZEN's wire that both serve with the same bytes")
    func sameBytesOnTheWire() async throws {
        let cases = wireCases.filter { !$0.isForOneSocket }
        #expect(cases.count > 150)
        try await ServedShop().serving { (shop: ServedShop) throws in
            for wireCase in cases {
                let fast = try shop.exchange(shop.querySocket, wireCase.request)
                let full = try shop.exchange(shop.operationsSocket, wireCase.request)
                #expect(fast == full, "\(wireCase.name): \(fast.text) \(full.text)")
            }
        }
    }

    @Test("have mode 0660 in a folder of mode 0711, and are gone after the stop")
    func modes() async throws {
        let shop = try await ServedShop()
        try await shop.serving { (shop: ServedShop) throws in
            #expect(shop.folder.mode(of: "run")?.permissions == 0o711)
            for name in ["run/query.sock", "run/usher.sock"] {
                #expect(shop.folder.mode(of: name)?.permissions == 0o660)
                #expect(shop.folder.mode(of: name)?.isSocket == true)
            }
        }
        #expect(shop.folder.mode(of: "run/query.sock") == nil)
        #expect(shop.folder.mode(of: "run/usher.sock") == nil)
    }

    @Test("let each socket have its own mode")
    func ownModes() async throws {
        try await ServedShop().serving {
            $0.querySocket.mode = 0o666
            $0.operationsSocket.mode = 0o600
        } _: { (shop: ServedShop) throws in
            #expect(shop.folder.mode(of: "run/query.sock")?.permissions == 0o666)
            #expect(shop.folder.mode(of: "run/usher.sock")?.permissions == 0o600)
        }
    }

    @Test("echo a request id, and nothing that is unsafe")
    func requestID() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for socket in [shop.querySocket, shop.operationsSocket] {
                let visible = String(decoding: UInt8(0x21)...0x7E, as: UTF8.self)
                for (id, isEchoed) in [
                    ("8f1c-2d", true), ("caf\u{E9}", true), (visible, true),
                    (String(repeating: "a", count: 257), true),
                    (String(repeating: "b", count: 4_000), true),
                ] {
                    let connection = try LocalConnection(path: socket, secondsToWait: 600)
                    defer { connection.close() }
                    let request = WireRequest.get("/livez", fields: ["X-Request-ID: " + id])
                    try connection.write(request.bytes)
                    let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
                    #expect(
                        text.lowercased().contains("x-request-id: \(id.lowercased())\r\n")
                            == isEchoed)
                }
            }
        }
    }

    @Test("refuse to start twice in one folder, and leave the first alone")
    func startedTwice() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let folder = shop.folder.path + "/run"
            #expect(throws: SocketError.folderLocked(path: folder)) {
                try SocketFolder(path: folder)
            }
            #expect(
                try LocalClient(socketPath: shop.querySocket, secondsToWait: 600).get("/livez")
                    .status == 200)
        }
    }
}
