internal import Foundation
internal import TestSupport
internal import Testing

/// Calls that make files, or open them for writing, and the one place of each (THREATS.md H30).
private let makers: [(call: String, places: Set<String>)] = [
    (
        "O_CREAT",
        [
            "LedgerStore/File/FileAccess.swift", "EntitlementServer/Sockets/SocketFolder.swift",
            "PolicyLoading/Folder/FolderWriting.swift",
            // An empty file, its owner's alone, that holds a name until that is removed.
            "LedgerStore/File/Backup.swift",
        ]
    ),
    (
        "O_RDWR",
        [
            "LedgerStore/File/FileHold.swift", "LedgerStore/File/HeadFile.swift",
            "LedgerStore/File/LedgerStart.swift", "LedgerStore/File/JournalFile.swift",
            "EntitlementServer/Sockets/SocketFolder.swift",
            // A file without a name, which is gone when it is closed.
            "LedgerStore/Writing/HeadFileWriter.swift",
        ]
    ),
    (
        "O_WRONLY",
        [
            "LedgerStore/File/Backup.swift", "usher/Files.swift",
            "PolicyLoading/Folder/FolderWriting.swift",
            // The name of a thread, which is no file of a disk.
            "EntitlementEngine/Jobs/WorkerThread.swift",
        ]
    ),
    ("DatabasePool(path", ["LedgerStore/File/LedgerFile.swift"]),
    (
        "DatabaseQueue(path",
        [
            "LedgerStore/File/LedgerFile.swift", "LedgerStore/File/Backup.swift",
            // A file of SQLite's own, without a name.
            "LedgerStore/Checking/IndexReplay.swift",
        ]
    ),
    ("fopen(", []), ("creat(", []), ("mkstemp", []), ("createFile(", []), ("FileHandle(", []),
    (".write(to: URL", []), (".write(toFile", []), ("OutputStream", []), ("FileDescriptor", []),
]

@Suite("Files that the program makes", .timeLimit(.minutes(20)))
struct FileMakingTests {
    @Test("are made in one place, which gives them their mode", arguments: makers.map(\.call))
    func onePlace(call: String) throws {
        let places = try #require(makers.first { $0.call == call }).places
        var found: Set<String> = []
        for path in Repository.files(under: "Sources", suffix: ".swift")
        where try Repository.text(path).contains(call) {
            found.insert(String(path.dropFirst("Sources/".count)))
        }
        #expect(found == places)
    }
}
