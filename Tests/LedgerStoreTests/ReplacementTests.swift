internal import EntitlementModel
internal import Foundation
internal import GRDB
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

/// What happens to the files of a ledger that is being written.
enum FileAccident: String, CaseIterable, CustomTestStringConvertible {
    case ledgerMoved = "the ledger is moved away"
    case ledgerRemoved = "the ledger is removed"
    case logRemoved = "the log is removed"
    case logReplaced = "another file takes the place of the log"
    case logCut = "the log is cut"
    case allMoved = "the ledger and all beside it are moved away"
    case folderMoved = "the folder is moved away"
    case olderCopy = "an older copy takes the place of the ledger"
    case olderCopyInPlace = "an older copy is written over the ledger"
    case movedAndLinked = "the ledger is moved, and a link leads there"
    case written = "another program writes to the ledger"

    var testDescription: String { rawValue }

    /// - Parameter older: a copy that was made before.
    func happen(to path: String, older: String) throws {
        let files = FileManager.default
        switch self {
        case .ledgerMoved: try files.moveItem(atPath: path, toPath: path + ".away")
        case .ledgerRemoved: try files.removeItem(atPath: path)
        case .logRemoved: try files.removeItem(atPath: path + "-wal")
        case .logReplaced:
            try files.copyItem(atPath: path + "-wal", toPath: path + ".log")
            #expect(rename(path + ".log", path + "-wal") == 0)
        case .logCut: #expect(truncate(path + "-wal", 0) == 0)
        case .allMoved:
            for ending in ["", "-wal", "-shm", ".head", ".lock"] {
                try files.moveItem(atPath: path + ending, toPath: path + ".away" + ending)
            }
        case .folderMoved:
            let folder = URL(filePath: path).deletingLastPathComponent().path
            try files.moveItem(atPath: folder, toPath: folder + "-away")
            try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
        case .olderCopy: #expect(rename(older, path) == 0)
        case .olderCopyInPlace:
            let bytes = try Data(contentsOf: URL(filePath: older))
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: bytes)
            try file.close()
        case .movedAndLinked:
            try files.moveItem(atPath: path, toPath: path + ".away")
            try files.createSymbolicLink(atPath: path, withDestinationPath: path + ".away")
        case .written:
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { try $0.execute(sql: "CREATE TABLE x (y)") }
            try queue.close()
        }
    }
}

@Suite(
    "A ledger that is moved, removed or replaced while it is open (THREATS.md H21)",
    .timeLimit(.minutes(20)))
struct ReplacementTests {
    /// A ledger of two entries in a folder that may be moved, and a copy from before the second.
    private struct Scene {
        let folder: TemporaryFolder
        let pace = ManualPace()
        let ledger: SQLiteLedger
        let heard: Heard
        var path: String { folder.path + "/data/ledger" }
        var older: String { folder.path + "/older" }

        init(link: String? = nil) async throws {
            folder = try TemporaryFolder()
            try FileManager.default.createDirectory(
                atPath: folder.path + "/data", withIntermediateDirectories: false)
            if let link {
                try folder.openLedger("data/ledger").close()
                try folder.link(link, to: "data/ledger")
            }
            ledger = try folder.openLedger(link ?? "data/ledger", custody: pace.custody)
            heard = Heard(ledger)
            try await ledger.append(Sample.block("alice", id: "b-1"))
            _ = try SQLiteLedger.backUp(path, to: older)
            try await ledger.append(Sample.block("alice", id: "b-2"))
        }

        /// - Parameter accident: after which questions go on, unless it took what they read.
        func expectStopped(after accident: FileAccident? = nil) async throws {
            #expect(!ledger.acceptsWrites)
            let stopped = try #require(ledger.stopped)
            guard case .replaced(let file)? = stopped.failure as? LedgerStoreError else {
                Issue.record("stopped by \(stopped)")
                return
            }
            await #expect(throws: stopped) {
                try await ledger.append(Sample.block("alice", id: "b-4"))
            }
            #expect(heard.notices == [.replaced(path: file)])
            if accident == .logCut { return }
            #expect(try ledger.read { try $0.head().sequence.number } >= 2)
        }
    }

    @Test("nothing is acknowledged any more, and questions go on", arguments: FileAccident.allCases)
    func beforeCommit(accident: FileAccident) async throws {
        let scene = try await Scene()
        try accident.happen(to: scene.path, older: scene.older)
        await #expect(throws: LedgerError.self) {
            try await scene.ledger.append(Sample.block("alice", id: "b-3"))
        }
        try await scene.expectStopped(after: accident)
        if accident != .logCut {
            #expect(try scene.ledger.read { try $0.head().sequence.number } == 2)
        }
        try scene.ledger.close()
    }

    @Test("it is found within a second also where nobody writes", arguments: FileAccident.allCases)
    func idle(accident: FileAccident) async throws {
        let scene = try await Scene()
        try accident.happen(to: scene.path, older: scene.older)
        scene.pace.tick()
        try await scene.expectStopped(after: accident)
        try scene.ledger.close()
    }

    @Test("another time of change alone ends nothing: the content decides")
    func touched() async throws {
        let scene = try await Scene()
        let endings = ["", "-wal"]
        for (number, ending) in (endings + endings).enumerated() {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000 + Double(number))],
                ofItemAtPath: scene.path + ending)
            if number.isMultiple(of: 2) { scene.pace.tick() }
            try await scene.ledger.append(Sample.block("alice", id: "t-\(number)"))
        }
        #expect(scene.ledger.acceptsWrites && scene.heard.notices == [])
        // The same length and another content is no touch.
        let file = try FileHandle(forUpdating: URL(filePath: scene.path + "-wal"))
        let bytes = try #require(try file.readToEnd())
        try file.seek(toOffset: 4_096)
        try file.write(contentsOf: Data(count: bytes.count - 4_096))
        try file.close()
        scene.pace.tick()
        #expect(!scene.ledger.acceptsWrites)
        try scene.ledger.close()
    }

    @Test("a ledger that was closed is not looked for any more")
    func closed() async throws {
        let scene = try await Scene()
        try scene.ledger.close()
        try FileManager.default.removeItem(atPath: scene.path)
        scene.pace.tick()
        #expect(scene.ledger.stopped == nil)
    }

    @Test("a connection that was closed does not say that its file has moved")
    func closedConnection() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        let pool = try DatabasePool(path: path)
        try pool.writeWithoutTransaction { try $0.execute(sql: "CREATE TABLE t (c)") }
        let name = try LedgerName(path)
        let stamp = try #require(FileStamp(name.path))
        let watch = try FileWatch(name, holding: stamp.identity, in: pool)
        try pool.close()
        #expect(throws: LedgerStoreError.cannotOpen(path: name.path)) {
            try pool.writeWithoutTransaction(watch.expectUnmoved)
        }
    }

    @Test(
        "nothing is acknowledged of a commit during which it happens",
        arguments: FileAccident.allCases.filter {
            // These cannot be told from what the commit itself writes, but by the next start.
            ![.olderCopyInPlace, .logCut, .written].contains($0)
        })
    func duringCommit(accident: FileAccident) async throws {
        let scene = try await Scene()
        let (path, older) = (scene.path, scene.older)
        await #expect(throws: LedgerError.self) {
            try await scene.ledger.write { transaction in
                _ = try transaction.append(Sample.block("alice", id: "b-3"), at: Sample.start)
                try accident.happen(to: path, older: older)
            } committed: { _, _ in
                Issue.record("published")
            }
        }
        try await scene.expectStopped()
        try scene.ledger.close()
    }

    @Test("it stays so when the file is put back, until the next start")
    func sticky() async throws {
        let scene = try await Scene()
        try FileAccident.ledgerMoved.happen(to: scene.path, older: scene.older)
        scene.pace.tick()
        try FileManager.default.moveItem(atPath: scene.path + ".away", toPath: scene.path)
        scene.pace.tick()
        try await scene.expectStopped()
        try scene.ledger.close()
        let again = try scene.folder.openLedger("data/ledger")
        #expect(try again.read { try $0.head().sequence.number } == 2)
        try again.close()
    }

    @Test("a link is followed when the ledger is opened, and must go on leading there")
    func link() async throws {
        let scene = try await Scene(link: "name")
        #expect(FileStatus.exists(scene.path + ".head"))
        #expect(!FileStatus.exists(scene.folder.path + "/name.head"))
        try await scene.ledger.append(Sample.block("alice", id: "b-3"))
        try FileManager.default.removeItem(atPath: scene.folder.path + "/name")
        try scene.folder.link("name", to: "older")
        await #expect(throws: LedgerError.store(.replaced(path: scene.folder.path + "/name"))) {
            try await scene.ledger.append(Sample.block("alice", id: "b-4"))
        }
        try await scene.expectStopped()
        try scene.ledger.close()
    }

    @Test("without its log the ledger has all that was acknowledged as soon as that is found")
    func madeWhole() async throws {
        let scene = try await Scene()
        try FileAccident.logRemoved.happen(to: scene.path, older: scene.older)
        scene.pace.tick()
        try FileManager.default.copyItem(
            atPath: scene.path, toPath: scene.folder.path + "/alone")
        let alone = try SQLiteLedger.openReadOnly(path: scene.folder.path + "/alone")
        #expect(try alone.head().sequence.number == 2)
        try alone.close()
        try scene.ledger.close()
    }

    @Test("every connection that reads stays with the file that was opened")
    func readers() async throws {
        let scene = try await Scene()
        try FileAccident.olderCopy.happen(to: scene.path, older: scene.older)
        #expect(heads(of: scene.ledger.reader, at: 4) == [2, 2, 2, 2])
        try scene.ledger.close()
    }

    /// What so many connections read, all of them at once.
    private func heads(of reader: SQLiteLedgerReader, at connections: Int) -> [Int64] {
        let heads = Mutex<[Int64]>([])
        let (isReading, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for _ in 0..<connections {
            reader.pool.asyncRead { result in
                let head = try? LedgerTransaction(result.get()).head()
                heads.withLock { $0.append(head?.sequence.number ?? -1) }
                isReading.signal()
                mayEnd.wait()
            }
        }
        for _ in 0..<connections { isReading.wait() }
        for _ in 0..<connections { mayEnd.signal() }
        return heads.withLock(\.self)
    }

    @Test("the head file of a ledger that has taken the place is left alone")
    func headOfAnother() async throws {
        let scene = try await Scene()
        try FileAccident.allMoved.happen(to: scene.path, older: scene.older)
        #expect(try SQLiteLedger.restore(from: scene.older, to: scene.path) == [])
        let restored = try Data(contentsOf: URL(filePath: scene.path + ".head"))
        scene.pace.tick()
        try scene.ledger.close()
        #expect(try Data(contentsOf: URL(filePath: scene.path + ".head")) == restored)
        let ledger = try scene.folder.openLedger("data/ledger")
        #expect(try ledger.read { try $0.head().sequence.number } == 1)
        try ledger.close()
    }
}
