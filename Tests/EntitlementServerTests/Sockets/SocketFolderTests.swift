internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

@Suite("The folder of the sockets", .timeLimit(.minutes(20)))
struct SocketFolderTests {
    private let temporary: TemporaryFolder
    private let path: String

    init() throws {
        temporary = try TemporaryFolder()
        path = temporary.path + "/run"
    }

    @Test("has mode 0711, and its sockets the mode asked for")
    func modes() throws {
        let folder = try SocketFolder(path: path)
        let socket = try folder.listen("a.sock", mode: 0o660, group: nil)
        defer { close(socket.descriptor) }
        #expect(temporary.mode(of: "run")?.permissions == 0o711)
        #expect(temporary.mode(of: "run/a.sock")?.permissions == 0o660)
        #expect(temporary.mode(of: "run/a.sock")?.isSocket == true)
    }

    /// Threats, G20: between its making and its mode.
    @Test("never has a socket that is more open than asked for, not for an instant")
    func openFromBirth() async throws {
        let folder = try SocketFolder(path: path)
        let (isMade, seen) = (Locked(false), Locked<Set<UInt32>>([]))
        async let watching: Void = onThread { [temporary] in
            while !isMade.value {
                guard let mode = temporary.mode(of: "run/a.sock") else { continue }
                seen.set(seen.value.union([mode.permissions]))
            }
        }
        var rounds = 0
        // As often as it takes until somebody has looked in between.
        defer { isMade.set(true) }
        try waitUntil("somebody has looked in between") {
            rounds += 1
            close(try folder.listen("a.sock", mode: 0o640, group: nil).descriptor)
            try #require(unlink(path + "/a.sock") == 0)
            return rounds >= 300 && !seen.value.isEmpty
        }
        isMade.set(true)
        try await watching
        #expect(seen.value.isSubset(of: [0o600, 0o640]))
    }

    @Test("gives a socket to the group asked for")
    func group() throws {
        let folder = try SocketFolder(path: path)
        let socket = try folder.listen("a.sock", mode: 0o660, group: "\(getegid())")
        close(socket.descriptor)
        #expect(throws: SocketError.groupUnknown(name: "no such group")) {
            try folder.listen("b.sock", mode: 0o660, group: "no such group")
        }
    }

    @Test("is held by one service at a time")
    func lock() throws {
        var folder: SocketFolder? = try SocketFolder(path: path)
        #expect(throws: SocketError.folderLocked(path: path)) { try SocketFolder(path: path) }
        #expect(folder?.path == path)
        folder = nil
        _ = try SocketFolder(path: path)
    }

    @Test("replaces a socket that nobody serves any more")
    func stale() throws {
        let folder = try SocketFolder(path: path)
        close(try folder.listen("a.sock", mode: 0o660, group: nil).descriptor)
        #expect(temporary.mode(of: "run/a.sock")?.isSocket == true)
        close(try folder.listen("a.sock", mode: 0o600, group: nil).descriptor)
        #expect(temporary.mode(of: "run/a.sock")?.permissions == 0o600)
    }

    @Test("refuses to replace one that is served")
    func inUse() throws {
        let folder = try SocketFolder(path: path)
        let socket = try folder.listen("a.sock", mode: 0o660, group: nil)
        defer { close(socket.descriptor) }
        #expect(throws: SocketError.socketInUse(path: path + "/a.sock")) {
            try folder.listen("a.sock", mode: 0o660, group: nil)
        }
    }

    @Test("refuses to replace what is not a socket", arguments: ["file", "link", "folder"])
    func taken(kind: String) throws {
        let folder = try SocketFolder(path: path)
        switch kind {
        case "file": temporary.write("run/a.sock")
        case "link": symlink("/tmp", path + "/a.sock")
        default: mkdir(path + "/a.sock", 0o700)
        }
        #expect(throws: SocketError.pathTaken(path: path + "/a.sock")) {
            try folder.listen("a.sock", mode: 0o660, group: nil)
        }
    }

    @Test("refuses to be a file, or a link to a folder", arguments: [false, true])
    func notAFolder(isLink: Bool) {
        if isLink { symlink("/tmp", path) } else { temporary.write("run") }
        #expect(throws: SocketError.folderNotOurs(path: path)) { try SocketFolder(path: path) }
    }

    @Test("refuses a path that the kernel would cut off")
    func longPath() throws {
        let folder = try SocketFolder(path: path)
        let name = String(repeating: "a", count: 100)
        #expect(throws: SocketError.pathTooLong(path: path + "/" + name)) {
            try folder.listen(name, mode: 0o660, group: nil)
        }
    }

    @Test("removes the files of its own sockets only")
    func removal() throws {
        let folder = try SocketFolder(path: path)
        let socket = try folder.listen("a.sock", mode: 0o660, group: nil)
        close(socket.descriptor)
        unlink(path + "/a.sock")
        temporary.write("run/a.sock")
        socket.removeFile()
        #expect(temporary.mode(of: "run/a.sock") != nil)
        let other = try folder.listen("b.sock", mode: 0o660, group: nil)
        close(other.descriptor)
        other.removeFile()
        #expect(temporary.mode(of: "run/b.sock") == nil)
    }
}
