internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

/// A datagram socket that hears what a service manager would hear.
private final class Ear: Sendable {
    let path: String
    private let descriptor: Int32

    init(in folder: TemporaryFolder) throws {
        path = folder.path + "/notify"
        descriptor = try UnixAddress.makeSocket(SOCK_DGRAM)
        var address = try UnixAddress(path: path)
        try #require(address.bind(descriptor) == 0)
    }

    deinit { close(descriptor) }

    /// What is said next.
    func hear() -> String {
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// What has been said by now; nil for nothing.
    func heard() -> String? {
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}

@Suite("The service manager", .timeLimit(.minutes(20)))
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

    @Test("is told again and again that the service lives, where it asks for that")
    func alive() async throws {
        let shop = try await ServedShop()
        let ear = try Ear(in: shop.folder)
        try await shop.serving {
            $0.manager = ServiceManager(
                environment: ["NOTIFY_SOCKET": ear.path, "WATCHDOG_USEC": "20000"])
        } _: { _ in
            #expect(ear.hear() == "READY=1")
            for _ in 0..<3 { #expect(ear.hear() == "WATCHDOG=1") }
        }
        var last = ear.hear()
        try waitUntil("it says something else") {
            if last == "WATCHDOG=1" { last = ear.hear() }
            return last != "WATCHDOG=1"
        }
        #expect(last == "STOPPING=1")
    }

    @Test(
        "is believed where it asks this process for signs of life, in a number",
        arguments: [
            (["WATCHDOG_USEC": "30000000"], Duration?.some(.seconds(15))),
            (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"], .seconds(15)),
            (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"], nil),
            (["WATCHDOG_USEC": "0"], nil), (["WATCHDOG_USEC": "-1"], nil),
            (["WATCHDOG_USEC": "soon"], nil), ([:], nil),
        ] as [([String: String], Duration?)])
    func heartbeat(environment: [String: String], heartbeat: Duration?) {
        #expect(ServiceManager(environment: environment, process: 7).heartbeat == heartbeat)
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

    @Test("may make the sockets, and keeps them")
    func given() async throws {
        let shop = try await ServedShop()
        try #require(mkdir(shop.folder.path + "/run", 0o711) == 0)
        var sockets: [String: Int32] = [:]
        for path in [shop.querySocket, shop.operationsSocket] {
            let descriptor = try UnixAddress.makeSocket()
            var address = try UnixAddress(path: path)
            try #require(address.bind(descriptor) == 0 && listen(descriptor, 10) == 0)
            sockets[path.split(separator: "/").last.map(String.init) ?? ""] = descriptor
        }
        let manager = ServiceManager(sockets: sockets)
        try await shop.serving {
            $0.manager = manager
        } _: { (shop: ServedShop) throws in
            for socket in [shop.querySocket, shop.operationsSocket] {
                #expect(
                    try LocalClient(socketPath: socket, secondsToWait: 600).get("/livez").status
                        == 200)
            }
        }
        #expect(shop.folder.mode(of: "run/query.sock")?.isSocket == true)
        #expect(shop.folder.mode(of: "run/usher.sock")?.isSocket == true)
    }

    @Test("may make one of the sockets; the service makes the other", arguments: [0, 1])
    func oneGiven(index: Int) async throws {
        let shop = try await ServedShop()
        try #require(mkdir(shop.folder.path + "/run", 0o711) == 0)
        let names = ["query.sock", "usher.sock"]
        let descriptor = try UnixAddress.makeSocket()
        var address = try UnixAddress(path: shop.sockets[index])
        try #require(address.bind(descriptor) == 0 && listen(descriptor, 10) == 0)
        let manager = ServiceManager(sockets: [names[index]: descriptor])
        try await shop.serving {
            $0.manager = manager
        } _: { (shop: ServedShop) throws in
            for socket in shop.sockets {
                #expect(
                    try LocalClient(socketPath: socket, secondsToWait: 600).get("/livez").status
                        == 200)
            }
        }
        // It keeps its own, and ours is gone.
        #expect(shop.folder.mode(of: "run/" + names[index])?.isSocket == true)
        #expect(shop.folder.mode(of: "run/" + names[1 - index]) == nil)
    }

    @Test("is not believed where a descriptor is no listening socket")
    func wrongDescriptors() throws {
        let unbound = try UnixAddress.makeSocket()
        let datagrams = try UnixAddress.makeSocket(SOCK_DGRAM)
        defer {
            close(unbound)
            close(datagrams)
        }
        for descriptor in [unbound, datagrams, -1] {
            let manager = ServiceManager(sockets: ["query.sock": descriptor])
            #expect(throws: SocketError.pathTaken(path: "LISTEN_FDS:query.sock")) {
                try manager.listeningSocket("query.sock")
            }
        }
    }
}
