internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

/// What the running service has open (THREATS.md A5, B22, H13).
@Suite("What the service opens", .timeLimit(.minutes(20)))
struct OpenThingsTests {
    @Test("sockets of this machine and no others, also after evidence that names addresses")
    func localSocketsOnly() throws {
        let shop = try SimulatedShop()
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        let purchase = try shop.purchase("unlock", .nonConsumable, id: 1)
        for payload in try [purchase] + luring(purchase) {
            let response = try service.operations.post(
                "/v1/evidence", json: shop.body(payload, account: "alice"))
            #expect(response.status == (payload == purchase ? 200 : 422))
        }
        let own = try sockets(of: service.processID)
        let local = try socketsOfThisMachine(seenBy: service.processID)
        #expect(own.count >= 2)
        #expect(own.isSubset(of: local), "\(own.subtracting(local))")
        #expect(service.stop() == 0)
    }

    @Test("SQLite once")
    func oneSQLite() throws {
        let shop = try SimulatedShop()
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        let maps = try text("/proc/\(service.processID)/maps").split(separator: "\n")
        let libraries = Set(
            maps.compactMap { $0.split(separator: " ").last }.filter { $0.contains("sqlite") }
                .filter { !$0.hasPrefix(shop.folder.path) })
        #expect(libraries.count == 1, "\(libraries)")
        #expect(service.stop() == 0)
    }

    /// The purchase under headers that ask for a key from somewhere.
    private func luring(_ purchase: String) throws -> [String] {
        let parts = purchase.split(separator: ".").map(String.init)
        let header = try #require(
            Data(
                base64Encoded: padded(parts[0].replacing("-", with: "+").replacing("_", with: "/")))
        )
        return try ["jku", "x5u", "kid"].map { name in
            var header = try parseJSON(Array(header))
            header[name] = "https://keys.example.com/root"
            let text = Data(header.serialized()).base64EncodedString()
                .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            return ([text] + parts.dropFirst()).joined(separator: ".")
        }
    }

    private func padded(_ text: String) -> String {
        text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }

    /// The sockets that a process has open, by number.
    private func sockets(of id: pid_t) throws -> Set<String> {
        let folder = "/proc/\(id)/fd"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let targets = names.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0)
        }
        return Set(
            targets.filter { $0.hasPrefix("socket:[") }.map { String($0.dropFirst(8).dropLast()) })
    }

    /// The numbers of all sockets that lead nowhere but to this machine.
    private func socketsOfThisMachine(seenBy id: pid_t) throws -> Set<String> {
        let lines = try text("/proc/\(id)/net/unix").split(separator: "\n").dropFirst()
        return Set(
            lines.compactMap { line in
                let columns = line.split(separator: " ")
                return columns.count > 6 ? String(columns[6]) : nil
            })
    }

    /// A file of the system's, which has no size before it is read.
    private func text(_ path: String) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
}
