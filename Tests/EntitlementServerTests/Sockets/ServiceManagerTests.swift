internal import Glibc
internal import Testing

@testable internal import EntitlementServer

/// A datagram socket that hears what a service manager would hear.
private final class Ear {
    let path: String
    private let descriptor: Int32

    init(in folder: TemporaryFolder) throws {
        path = folder.path + "/notify"
        descriptor = try UnixAddress.makeSocket(SOCK_DGRAM)
        var address = try UnixAddress(path: path)
        try #require(address.bind(descriptor) == 0)
    }

    deinit { close(descriptor) }

    /// What has been said by now; nil for nothing.
    func heard() -> String? {
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}

@Suite("The service manager")
struct ServiceManagerTests {
    @Test("is told that the service is ready, and that it stops")
    func told() async throws {
        let shop = try await ServedShop()
        let ear = try Ear(in: shop.folder)
        let path = ear.path
        try await shop.serving {
            $0.manager = ServiceManager(environment: ["NOTIFY_SOCKET": path])
        } _: { _ in
        }
        #expect(ear.heard() == "READY=1")
        #expect(ear.heard() == "STOPPING=1")
        #expect(ear.heard() == nil)
    }

    @Test("is told nothing where it does not listen")
    func deaf() {
        for path in ["", "@", "/no/such/socket", String(repeating: "x", count: 200)] {
            ServiceManager(environment: ["NOTIFY_SOCKET": path]).tell(.ready)
        }
    }

    @Test("gives sockets to the process that it names, and to no other")
    func names() {
        var environment = [
            "LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "query.sock:usher.sock",
        ]
        let manager = ServiceManager(environment: environment, process: 7)
        #expect(manager.sockets == ["query.sock": 3, "usher.sock": 4])
        #expect(ServiceManager(environment: environment, process: 8).sockets.isEmpty)
        for count in ["", "0", "-1", "16", "two"] {
            environment["LISTEN_FDS"] = count
            #expect(ServiceManager(environment: environment, process: 7).sockets.isEmpty)
        }
    }
}
