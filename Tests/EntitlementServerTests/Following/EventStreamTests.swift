internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

@Suite("Changes, served as a stream", .timeLimit(.minutes(20)))
struct EventStreamTests {
    @Test("are told once each, behind the last event, until the service stops")
    func stream() async throws {
        let shop = try await ServedShop()
        let payload = Array(try shop.purchase("archive", .nonConsumable, id: "7").utf8)
        let link = Locked<LocalConnection?>(nil)
        let page = Locked(JSONValue.null)
        try await shop.serving { (shop: ServedShop) throws in
            let all = try shop.caughtUp()
            let connection = try LocalConnection(path: shop.operationsSocket, secondsToWait: 600)
            link.set(connection)
            // Behind the second one.
            let cursor = try #require(all["changes"]?.elements?[1]["cursor"]?.string)
            try connection.write(
                WireRequest.get(
                    "/v1/changes?after=0",
                    fields: ["Accept: text/event-stream", "Last-Event-ID: \(cursor)"]
                ).bytes)
            var read = String(decoding: try connection.readSome(), as: UTF8.self)
            #expect(read.hasPrefix("HTTP/1.1 200 OK\r\n"))
            while !read.contains("id: ") {
                read += String(decoding: try connection.readSome(), as: UTF8.self)
            }
            #expect(read.lowercased().contains("content-type: text/event-stream\r\n"))
            #expect(read.lowercased().contains("cache-control: no-store\r\n"))
            let metrics = try shop.exchange(shop.operationsSocket, .get("/metrics")).text
            #expect(metrics.contains("\nusher_feed_followers 1\n"))
            Task {
                _ = try await shop.engine.submit([
                    EvidenceSubmission(payload: payload, account: AccountID("zoe"))
                ])
            }
            let count = all["changes"]?.elements?.count ?? 0
            _ = try shop.changes("after=\(count)&wait=60s&kind=right-gained")
            while !read.contains("zoe") || !read.hasSuffix("\n\r\n") {
                read += String(decoding: try connection.readSome(), as: UTF8.self)
            }
            page.set(try shop.changes("limit=1000"))
            // Between chunks are lines of their own.
            read = read.replacing("\r\n", with: "\n")
            let ids = read.split(separator: "\n").filter { $0.hasPrefix("id: ") }
                .map { String($0.dropFirst(4)) }
            let told = page.value["changes"]?.elements ?? []
            #expect(ids == told.dropFirst(2).compactMap { $0["cursor"]?.string })
            let data = read.split(separator: "\n").filter { $0.hasPrefix("data: ") }
            for (line, change) in zip(data, told.dropFirst(2)) {
                #expect(try parseJSON(Array(line.dropFirst(6).utf8)) == change)
            }
        } whileStopping: { _ in
            let connection = try #require(link.value)
            let end = String(decoding: try connection.readToEnd(), as: UTF8.self)
            #expect(end.contains(": end\n"))
            #expect(end.hasSuffix("0\r\n\r\n"))
            connection.close()
        }
    }

    @Test("a follower that reads nothing costs the others nothing, and is dropped")
    func slow() async throws {
        let shop = try await ServedShop()
        try await shop.serving {
            $0.timeouts.write = 1
            $0.sendBuffer = 4_096
            $0.heartbeatSeconds = 1
        } _: { (shop: ServedShop) throws in
            _ = try shop.caughtUp()
            let connection = try LocalConnection(path: shop.operationsSocket, secondsToWait: 600)
            defer { connection.close() }
            try connection.write(
                WireRequest.get("/v1/changes", fields: ["Accept: text/event-stream"]).bytes)
            let engine = shop.engine
            Task {
                for number in 1...400 {
                    _ = try await engine.grant(
                        GrantRequest(
                            id: GrantID(unchecked: "g-\(number)"),
                            account: AccountID(unchecked: "slow-\(number)"),
                            environment: .production,
                            gift: .entitlement(EntitlementName(unchecked: "premium")), from: nil,
                            until: nil,
                            cause: AdminActionCause(actor: "uid:0", reason: "a test")))
                }
            }
            try waitUntil("all are told") {
                try shop.changes("account=slow-400")["changes"]?.elements?.isEmpty == false
            }
            try waitUntil("it is dropped") {
                try shop.exchange(shop.operationsSocket, .get("/metrics")).text
                    .contains("\nusher_feed_followers 0\n")
            }
        }
    }

    @Test("come without chunks to whoever knows none")
    func oldClient() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            _ = try shop.caughtUp()
            let connection = try LocalConnection(path: shop.operationsSocket, secondsToWait: 600)
            defer { connection.close() }
            let request = "GET /v1/changes HTTP/1.0\r\nAccept: text/event-stream\r\n\r\n"
            try connection.write(Array(request.utf8))
            // Whoever ends its side listens on.
            connection.endWriting()
            var read = ""
            while !read.contains("id: ") {
                read += String(decoding: try connection.readSome(), as: UTF8.self)
            }
            #expect(read.hasPrefix("HTTP/1.1 200 OK\r\n") && read.contains("\r\n\r\n: "))
            #expect(read.contains("\r\nConnection: close\r\n"))
            #expect(!read.contains("Transfer-Encoding"))
        }
    }

    @Test("there is room for so many, and the others are told so")
    func limit() async throws {
        let shop = try await ServedShop()
        try await shop.serving {
            $0.followerLimit = 1
        } _: { (shop: ServedShop) throws in
            _ = try shop.caughtUp()
            let connection = try LocalConnection(path: shop.operationsSocket, secondsToWait: 600)
            defer { connection.close() }
            let request = WireRequest.get("/v1/changes", fields: ["Accept: text/event-stream"])
            try connection.write(request.bytes)
            #expect(!(try connection.readSome()).isEmpty)
            let second = try shop.exchange(shop.operationsSocket, request)
            #expect(second.status == 503, "\(second.text)")
            #expect(second.text.contains("service.overloaded"))
        }
    }
}
