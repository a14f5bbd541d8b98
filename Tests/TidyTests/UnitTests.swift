internal import TestSupport
internal import Testing

/// What the example units of systemd have to agree in.
@Suite("Units of systemd", .timeLimit(.minutes(20)))
struct UnitTests {
    @Test("sockets belong to the service, which asks them whether it lives, as their folder does")
    func sockets() throws {
        let service = try Repository.text("examples/systemd/usher.service")
        let line = service.split(separator: "\n").first { $0.hasPrefix("User=") }
        let user = try #require(line).dropFirst(5)
        for name in ["query", "operations"] {
            let socket = try Repository.text("examples/systemd/usher-\(name).socket")
            #expect(socket.contains("\nSocketUser=\(user)\n"), "\(name)")
            #expect(socket.contains("\nWantedBy=sockets.target usher.service\n"), "\(name)")
            #expect(socket.contains("\nExecStartPre=/usr/bin/install -d -o \(user) "), "\(name)")
        }
    }

    /// A socket cannot be listened on once the service has made its own.
    @Test("sockets are there before the service, whatever is enabled or started first")
    func order() throws {
        let service = try Repository.text("examples/systemd/usher.service")
        for key in ["Wants", "After", "Also"] {
            #expect(
                service.contains("\n\(key)=usher-query.socket usher-operations.socket\n"), "\(key)")
        }
    }

    @Test("no unit lets a start that a person has to look at be repeated without end")
    func starts() throws {
        for path in Repository.files(under: "examples/systemd", suffix: ".conf") {
            let unit = try Repository.text(path)
            #expect(!unit.contains("\nStartLimitIntervalSec=0\n"), "\(path)")
            #expect(!unit.contains("\nStartLimitBurst="), "\(path)")
        }
    }
}
