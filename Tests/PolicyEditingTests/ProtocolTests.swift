internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import PolicyTools

@Suite("The protocol of editors", .timeLimit(.minutes(20)))
struct ProtocolTests {
    @Test("begins with initialize, and ends with shutdown and exit")
    func lifecycle() throws {
        let early = try Conversation(isOpen: false)
        #expect(try early.ask("shutdown", .null)["error"]?["code"]?.int64 == -32_002)
        #expect(try early.ask("textDocument/hover", [:])["error"]?["code"]?.int64 == -32_002)
        early.open(SmallPolicy.uri, "usher: 2")
        #expect(early.take().isEmpty)

        let client = try Conversation()
        #expect(try client.ask("initialize", [:])["error"]?["code"]?.int64 == -32_600)
        #expect(try client.ask("shutdown", .null)["result"]?.isNull == true)
        #expect(try client.ask("shutdown", .null)["error"]?["code"]?.int64 == -32_600)
        #expect(client.server.exitCode == nil)
        client.notify("exit", .null)
        #expect(client.server.exitCode == 0)
        early.notify("exit", .null)
        #expect(early.server.exitCode == 1)
    }

    @Test("ends when the stream does", arguments: [(false, Int32(1)), (true, 0)])
    func streamEnds(isShutDown: Bool, code: Int32) throws {
        let client = try Conversation()
        if isShutDown { _ = try client.ask("shutdown", .null) }
        var server = client.server
        server.end()
        #expect(server.exitCode == code)
    }

    @Test("answers what is no request with an error of the protocol")
    func malformed() throws {
        let cases: [(String, Int64)] = [
            ("{", -32_700), ("", -32_700), ("\u{FEFF}{}", -32_700), ("[]", -32_600),
            ("{}", -32_600), ("7", -32_600), ("{\"jsonrpc\":\"1.0\",\"id\":1}", -32_600),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2}", -32_700),
            ("{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"shutdown\"}", -32_600),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", -32_600),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no/such\"}", -32_601),
            ("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"$/own\"}", -32_601),
        ]
        for (text, code) in cases {
            let client = try Conversation()
            var server = client.server
            server.receive([Array(text.utf8)])
            let answers = try server.takeOutgoing().map { try parseJSON($0) }
            #expect(answers.count == 1, "\(text)")
            #expect(answers.first?["error"]?["code"]?.int64 == code, "\(text)")
            #expect(server.exitCode == nil)
            _ = client.take()
        }
        var server = try Conversation().server
        server.receive([[0x22, 0xFF, 0x22]])
        let answer = try parseJSON(try #require(server.takeOutgoing().first))
        #expect(answer["error"]?["code"]?.int64 == -32_700)
        #expect(answer["id"]?.isNull == true)
    }

    @Test("takes requests back, and answers those that are not")
    func cancellation() throws {
        let client = try Conversation()
        func request(_ id: Int64) -> JSONValue {
            ["jsonrpc": "2.0", "id": .integer(id), "method": "no/such"]
        }
        let cancel = Conversation.notification("$/cancelRequest", ["id": 101])
        client.send([request(100), request(101), cancel, request(102)])
        let codes = client.take().compactMap { $0["error"]?["code"]?.int64 }
        #expect(codes == [-32_601, -32_800, -32_601])
        // What has been answered cannot be taken back, and a later request is another one.
        client.send([cancel, request(101)])
        #expect(client.take().compactMap { $0["error"]?["code"]?.int64 } == [-32_601])
    }

    @Test("ignores notifications that it does not know, and those that make no sense")
    func notifications() throws {
        let client = try Conversation()
        for (method, params) in [
            ("$/setTrace", [:]), ("no/such", .null), ("textDocument/didOpen", [:]),
            ("textDocument/didChange", ["textDocument": ["uri": "a", "version": 1]]),
            ("textDocument/didClose", [:]), ("workspace/didChangeWorkspaceFolders", [:]),
            ("$/cancelRequest", ["id": [:]]),
        ] as [(String, JSONValue)] {
            client.notify(method, params)
            #expect(client.take().isEmpty, "\(method)")
        }
    }

    @Test("agrees on UTF-8 if the client can, else on UTF-16")
    func encodings() throws {
        for (offered, agreed) in [
            (["utf-16"], "utf-16"), ([], "utf-16"), (["utf-32"], "utf-16"),
            (["utf-16", "utf-8"], "utf-8"),
        ] {
            let client = try Conversation(isOpen: false)
            let answer = try client.ask(
                "initialize",
                [
                    "capabilities": [
                        "general": ["positionEncodings": .array(offered.map { .string($0) })]
                    ]
                ])
            let capabilities = answer["result"]?["capabilities"]
            #expect(capabilities?["positionEncoding"]?.string == agreed)
        }
    }

    @Test("asks a client that can to watch files")
    func watching() throws {
        let client = try Conversation(capabilities: [
            "workspace": ["didChangeWatchedFiles": ["dynamicRegistration": true]]
        ])
        let asked = client.take()
        #expect(asked.compactMap { $0["method"]?.string } == ["client/registerCapability"])
        client.send([["jsonrpc": "2.0", "id": "watch-files", "result": .null]])
        #expect(client.take().isEmpty)
    }
}
