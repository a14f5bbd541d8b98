internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import StrictJSON
internal import Testing

@testable internal import EntitlementServer

/// What Prometheus' text format lets a page say.
private struct MetricsReader {
    var kinds: [String: String] = [:]
    var samples: [(name: String, labels: String, value: Double)] = []

    /// - Throws: for a line that a scraper would stumble over.
    init(_ text: String) throws {
        try #require(text.hasSuffix("\n"))
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3)
            if line.hasPrefix("# HELP ") {
                try #require(words.count == 4)
            } else if line.hasPrefix("# TYPE ") {
                try #require(words.count == 4 && kinds[String(words[2])] == nil)
                kinds[String(words[2])] = String(words[3])
            } else {
                try read(line)
            }
        }
    }

    private mutating func read(_ line: Substring) throws {
        let end = try #require(line.lastIndex(of: " "))
        let value = try #require(Double(line[line.index(after: end)...]))
        let key = line[..<end]
        let name = String(key.prefix { $0 != "{" })
        let labels = String(key.dropFirst(name.count))
        try #require(labels.isEmpty || labels.hasPrefix("{") && labels.hasSuffix("\"}"))
        samples.append((name, labels, value))
    }

    /// The family that a sample belongs to.
    func family(of name: String) -> String? {
        if kinds[name] != nil { return name }
        return ["_bucket", "_sum", "_count"].lazy.filter { name.hasSuffix($0) }
            .map { String(name.dropLast($0.count)) }.first { kinds[$0] == "histogram" }
    }

    func value(_ name: String, _ labels: String = "") -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }
}

@Suite("What an operator sees", .timeLimit(.minutes(20)))
struct MetricsTests {
    @Test("is a page that a scraper reads: each sample of a family, once, of its kind")
    func wellFormed() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let client = LocalClient(socketPath: shop.operationsSocket, secondsToWait: 600)
            for path in ["/livez", "/v1/accounts/alice", "/none"] { _ = try client.get(path) }
            let page = try MetricsReader(client.get("/metrics").text)
            var seen: Set<String> = []
            for sample in page.samples {
                let family = try #require(page.family(of: sample.name), "\(sample.name)")
                #expect(seen.insert(sample.name + sample.labels).inserted, "\(sample)")
                #expect(sample.value >= 0)
                let isCounter = page.kinds[family] == "counter"
                #expect(isCounter == family.hasSuffix("_total"), "\(family)")
                #expect(family.hasPrefix("usher_") || family.hasPrefix("process_"))
            }
        }
    }

    @Test("counts calls, their durations and connections")
    func counts() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let client = LocalClient(socketPath: shop.operationsSocket, secondsToWait: 600)
            for path in ["/livez", "/v1/accounts/alice", "/none"] { _ = try client.get(path) }
            let idle = try LocalConnection(path: shop.querySocket, secondsToWait: 600)
            try idle.write(Array("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
            _ = try idle.readSome()
            let page = try MetricsReader(client.get("/metrics").text)
            idle.close()
            #expect(page.value("usher_answers_total", #"{status="200"}"#) == 2)
            #expect(page.value("usher_answers_total", #"{status="404"}"#) == 1)
            #expect(page.value("usher_call_seconds_count") == 3)
            let buckets = page.samples.filter { $0.name == "usher_call_seconds_bucket" }
            #expect(buckets.map(\.value) == buckets.map(\.value).sorted())
            #expect(buckets.last?.labels == #"{le="+Inf"}"# && buckets.last?.value == 3)
            #expect(page.value("usher_connections", #"{socket="query"}"#) == 1)
            #expect(page.value("usher_build_info", #"{version="1.2.3"}"#) == 1)
            #expect((page.value("process_resident_memory_bytes") ?? 0) > 1_000_000)
            #expect((page.value("process_open_fds") ?? 0) > 5)
        }
    }

    @Test("counts the accounts that wait to be erased, and says whose time has come")
    func erasures() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            func counts() throws -> [Double?] {
                let page = try MetricsReader(
                    shop.exchange(shop.operationsSocket, .get("/metrics")).text)
                return ["waiting", "overdue"].map { page.value("usher_erasures_\($0)") }
            }
            func isOverdue() throws -> Bool {
                let answer = try shop.exchange(shop.operationsSocket, .get("/status"))
                let words = try parseJSON(answer.body)["degraded"]?.elements ?? []
                return words.contains("erasure-overdue")
            }
            #expect(try counts() == [0, 0])
            let asked = try shop.exchange(
                shop.operationsSocket,
                .post(
                    "/v1/accounts/alice/erase",
                    #"{"reference":"r-1","hold_days":1,"reason":"asked"}"#))
            #expect(asked.status == 200)
            #expect(try counts() == [1, 0] && !isOverdue())
            shop.clock.instant.set(try #require(Instant(rfc3339: "2026-03-02")))
            #expect(try counts() == [1, 1] && isOverdue())
        }
    }

    @Test("is on the status page in one look: what the service stands on, and what is amiss")
    func status() async throws {
        try await ServedShop().serving {
            $0.linesLost = { 7 }
        } _: { (shop: ServedShop) throws in
            let answer = try shop.exchange(shop.operationsSocket, .get("/status"))
            let status = try parseJSON(answer.body)
            let condition = try shop.engine.ledgerCondition()
            #expect(status["ledger"]?["hash"]?.string == condition.head.hash.hexadecimal)
            #expect(status["ledger"]?["head"] == status["revision"])
            #expect(status["ledger"]?["synchronous"] == "full")
            #expect(status["ledger"]?["file_bytes"]?.int64 == condition.fileBytes)
            #expect(condition.fileBytes > 0 && condition.logBytes > 0)
            let amiss = condition.isStoreCurrent ? [] : ["sqlite-outdated"]
            #expect(status["degraded"]?.elements?.compactMap(\.string) == amiss)
            #expect(status["log_lines_lost"] == 7)
            #expect(status["trust"]?.elements?.count == 1)
            #expect(status["policy_refused"] == [])
            #expect(status["connections"]?["usher"] == 1)
        }
    }

    @Test("tells durations by the span that they fall into, bounds included")
    func durations() {
        var durations = CallDurations()
        for milliseconds in [0, 1, 2, 5, 25, 26, 10_000, 10_001] {
            durations.count(.milliseconds(milliseconds))
        }
        #expect(durations.counts == [2, 2, 1, 1, 0, 0, 1])
        #expect(durations.total == 8)
        #expect(durations.sum == .milliseconds(20_060))
    }
}
