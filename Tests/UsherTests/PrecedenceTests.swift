internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

@Suite("questions go first where processors are few", .timeLimit(.minutes(20)))
struct PrecedenceTests {
    @Test("what answers query.sock gives way to nobody, and what serves usher.sock to it")
    func threads() throws {
        let shop = try SimulatedShop()
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        // One that has to be read, on each of the sockets.
        #expect(try service.query.get("/v1/accounts/anna/entitlements").status == 200)
        #expect(try service.operations.get("/v1/accounts/anna/timeline").status == 200)
        let nicenesses = try service.nicenessByThread()
        // The loops are named in the order in which they are made.
        let loops = nicenesses.filter { $0.thread.hasPrefix("NIO-ELT-") }
            .sorted { $0.thread < $1.thread }.map(\.niceness)
        // As urgent as the process is; this one may be nice already.
        let ours = try #require(loops.first)
        let whole = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(getpid()))
        #expect(loops == [ours, max(10, ours)] && (ours < 10 || whole >= 10))
        // And the pools: NIO's own is called so.
        let readers = nicenesses.filter { $0.thread.hasPrefix("TP-") }
        #expect(!readers.isEmpty && readers.allSatisfy { $0.niceness == ours })
        let others = nicenesses.filter { $0.thread.hasPrefix("SGLTN-TP-") }
        #expect(others.contains { $0.niceness == max(10, ours) })
        #expect(service.stop() == 0)
    }
}

extension RunningService {
    /// What the kernel says of each thread (proc(5), `stat`: the name is in parentheses, and the
    /// niceness is the 19th field).
    fileprivate func nicenessByThread() throws -> [(thread: String, niceness: Int)] {
        let folder = "/proc/\(processID)/task"
        return try FileManager.default.contentsOfDirectory(atPath: folder).map { thread in
            let line = try String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8)
            let start = try #require(line.firstIndex(of: "("))
            let end = try #require(line.lastIndex(of: ")"))
            let fields = line[end...].split(separator: " ")
            return (
                String(line[start..<end].dropFirst()), try #require(Int(fields[17]))
            )
        }
    }
}
