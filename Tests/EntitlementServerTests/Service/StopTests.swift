internal import EntitlementModel
internal import Glibc
internal import Testing

@testable internal import EntitlementServer

@Suite("Stopping", .timeLimit(.minutes(20)))
struct StopTests {
    private static let body = """
        {"subject":{"type":"account","id":"alice"},"action":{"name":"use"},\
        "resource":{"type":"entitlement","id":"premium"}}
        """

    @Test("accepts nothing new and finishes what has begun", arguments: [true, false])
    func finishes(isQuery: Bool) async throws {
        let request = WireRequest.post("/access/v1/evaluation", Self.body)
        let begun = Locked<LocalConnection?>(nil)
        let answer = Locked("")
        let shop = try await ServedShop()
        try await shop.serving {
            $0.timeouts.body = 3_600
        } _: { (shop: ServedShop) throws in
            let socket = isQuery ? shop.querySocket : shop.operationsSocket
            let connection = try LocalConnection(path: socket, secondsToWait: 600)
            try connection.write(Array(request.bytes.dropLast(10)))
            // Once a later connection is answered, the earlier one has been read from.
            _ = try LocalClient(socketPath: socket, secondsToWait: 600).get("/livez")
            begun.set(connection)
        } whileStopping: { (shop: ServedShop) throws in
            let socket = isQuery ? shop.querySocket : shop.operationsSocket
            while let late = try? LocalConnection(path: socket, secondsToWait: 600) { late.close() }
            let connection = try #require(begun.value)
            defer { connection.close() }
            try connection.write(Array(request.bytes.suffix(10)))
            answer.set(String(decoding: try connection.readToEnd(), as: UTF8.self))
        }
        #expect(answer.value.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.value.contains("{\"decision\":true,"))
        #expect(shop.folder.mode(of: "run/query.sock") == nil)
        #expect(shop.folder.mode(of: "run/usher.sock") == nil)
    }

    @Test("says that the connection ends with what is under way", arguments: [true, false])
    func tells(isQuery: Bool) async throws {
        let request = """
            POST /access/v1/evaluation HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r
            Content-Length: \(Self.body.utf8.count)\r\n\r\n\(Self.body)
            """
        let begun = Locked<[LocalConnection]>([])
        try await ServedShop().serving {
            // However long it takes until the service hears that it has to stop.
            ($0.timeouts.head, $0.timeouts.body) = (3_600, 3_600)
        } _: { (shop: ServedShop) throws in
            let socket = isQuery ? shop.querySocket : shop.operationsSocket
            // One in its head, one in its body, one that has been answered before.
            for (before, cut) in [(0, 20), (0, request.utf8.count - 10), (1, 20)] {
                let connection = try LocalConnection(path: socket, secondsToWait: 600)
                for _ in 0..<before {
                    try connection.write(Array(request.utf8))
                    let text = String(decoding: try connection.readSome(), as: UTF8.self)
                    #expect(!text.contains("onnection: close"))
                }
                try connection.write(Array(request.utf8.prefix(cut)))
                begun.set(begun.value + [connection])
            }
            let idle = try LocalConnection(path: socket, secondsToWait: 600)
            _ = try LocalClient(socketPath: socket, secondsToWait: 600).get("/livez")
            begun.set(begun.value + [idle])
        } whileStopping: { (shop: ServedShop) throws in
            // Once nobody waits for this one any more, the others know, too.
            let idle = try #require(begun.value.last)
            #expect(try idle.readToEnd().isEmpty)
            idle.close()
            for (connection, cut) in zip(begun.value, [20, request.utf8.count - 10, 20]) {
                defer { connection.close() }
                try connection.write(Array(request.utf8.dropFirst(cut)))
                let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
                #expect(statuses(in: text) == [200], "\(cut): \(text)")
                #expect(text.contains("onnection: close\r\n"), "\(cut): \(text)")
            }
        }
    }

    @Test("ends requests that do not finish")
    func abandons() async throws {
        let open = Locked<[LocalConnection]>([])
        try await ServedShop().serving {
            $0.drainSeconds = 0
        } _: { (shop: ServedShop) throws in
            for socket in [shop.querySocket, shop.operationsSocket] {
                let connection = try LocalConnection(path: socket, secondsToWait: 600)
                let request = WireRequest.post("/access/v1/evaluation", Self.body)
                try connection.write(Array(request.bytes.dropLast(10)))
                _ = try LocalClient(socketPath: socket, secondsToWait: 600).get("/livez")
                open.set(open.value + [connection])
            }
        }
        for connection in open.value {
            #expect(try connection.readToAnyEnd().isEmpty)
            connection.close()
        }
    }
}
