internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

@Suite("Threat G11: no file descriptors are left", .timeLimit(.minutes(20)))
struct DescriptorTests {
    /// So few that not all of the crowd can be accepted, and some have to wait or are refused.
    @Test("the service neither spins nor falls, and answers again once there are some")
    func exhausted() throws {
        let shop = try SimulatedShop()
        let service = try RunningService(
            folder: shop.folder.path, policies: shop.policies, openFiles: 50)
        for path in ["query.sock", "usher.sock"] {
            let crowd = try (0..<100).map { _ in
                try LocalConnection(path: service.sockets + "/" + path, secondsToWait: 600)
            }
            for connection in crowd { connection.close() }
        }
        var status = try service.operations.get("/status")
        try waitUntil("the service answers again") {
            status = try service.operations.get("/status")
            return status.status == 200
        }
        #expect(try parseJSON(status.body)["accepts_writes"] == true)
        let page = try service.operations.get("/metrics").body
        let line = try #require(
            String(decoding: page, as: UTF8.self).split(separator: "\n")
                .first { $0.hasPrefix("process_cpu_seconds_total ") })
        #expect(try #require(line.split(separator: " ").last.flatMap { Double($0) }) < 10)
        #expect(service.stop() == 0)
    }
}
