internal import Dispatch
internal import Logging
internal import StrictJSON
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine
@testable internal import EntitlementServer
@testable internal import LedgerStore

/// A disk that is full, as the callers and the operator see it (THREATS.md H3).
@Suite("A full disk on the sockets", .timeLimit(.minutes(20)))
struct DiskTests {
    private static func grant(_ number: Int) -> WireRequest {
        let reason = String(repeating: "because ", count: 60)
        return .post(
            "/v1/grants",
            #"{"account":"bob-\#(number)","entitlement":"premium","reason":"\#(reason)"}"#)
    }

    @Test("is a code of its own, no readiness, a word in the status, a metric, and two lines")
    func told() async throws {
        let log = KeptLines()
        let isRoomFound = Locked(false)
        let shop = try await ServedShop(hasSpace: { isRoomFound.value })
        let ledger = try #require(shop.engine.ledger as? SQLiteLedger)
        try await ledger.limitPages(to: 1)
        try await shop.serving(logger: log.logger) { (shop: ServedShop) throws in
            var number = 0
            var answer = try shop.exchange(shop.operationsSocket, Self.grant(number))
            while answer.status == 200, number < 200 {
                number += 1
                answer = try shop.exchange(shop.operationsSocket, Self.grant(number))
            }
            for _ in 1...3 {
                let said = try shop.say(
                    String(decoding: Self.grant(1_000).bytes, as: UTF8.self),
                    to: shop.operationsSocket
                ).lowercased()
                #expect(said.hasPrefix("http/1.1 503 "))
                #expect(said.contains(#""code":"ledger.disk-full""#))
                #expect(said.contains("\r\nretry-after: 1\r\n"))
            }
            try Self.expect(shop, isFull: true)
            // Questions are answered all the while.
            let question = WireRequest.get("/v1/accounts/alice/entitlements/premium")
            let right = try shop.exchange(shop.querySocket, question)
            #expect(right.status == 200 && right.text.contains(#""decision":true"#))
            let hasRoom = DispatchSemaphore(value: 0)
            Task {
                try? await ledger.limitPages(to: 1_000_000)
                hasRoom.signal()
            }
            hasRoom.wait()
            try Self.expect(shop, isFull: true)
            isRoomFound.set(true)
            ledger.lookForRoom()
            try Self.expect(shop, isFull: false)
            #expect(try shop.exchange(shop.operationsSocket, Self.grant(1_000)).status == 200)
        }
        let lines = log.lines.filter { $0.contains("the disk of the ledger") }
        #expect(
            lines == [
                "the disk of the ledger is full: nothing is written, questions are answered",
                "the disk of the ledger has room again",
            ])
    }

    private static func expect(_ shop: ServedShop, isFull: Bool) throws {
        for socket in shop.sockets {
            let ready = try shop.exchange(socket, .get("/readyz"))
            #expect(ready.status == (isFull ? 503 : 200))
            #expect(ready.text.contains(#""code":"ledger.disk-full""#) == isFull)
            #expect(try shop.exchange(socket, .get("/livez")).status == 200)
        }
        let status = try parseJSON(
            shop.exchange(shop.operationsSocket, .get("/status")).body)
        #expect(status["status"]?.string == (isFull ? "read-only" : "ready"))
        #expect(status["accepts_writes"] == .bool(!isFull))
        let words = status["degraded"]?.elements?.compactMap(\.string) ?? []
        #expect(words.contains("ledger-disk-full") == isFull)
        let metrics = try shop.exchange(shop.operationsSocket, .get("/metrics")).text
        #expect(metrics.contains("\nusher_ledger_disk_full \(isFull ? 1 : 0)\n"))
        #expect(metrics.contains("\nusher_ready \(isFull ? 0 : 1)\n"))
    }
}

extension SQLiteLedger {
    /// How many pages its file may have; never fewer than it has.
    fileprivate func limitPages(to count: Int) async throws {
        _ = try await writeFile { transaction in
            count == 1
                ? try transaction.connection.integer("PRAGMA max_page_count = 1")
                : try transaction.connection.integer("PRAGMA max_page_count = 1000000")
        }
    }
}

/// What was logged, without its metadata.
private final class KeptLines: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock(\.self) }

    var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    fileprivate func add(_ line: String) {
        kept.withLock { $0.append(line) }
    }

    private struct Handler: LogHandler {
        let lines: KeptLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.add("\(event.message)") }
    }
}
