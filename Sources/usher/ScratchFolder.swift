internal import Glibc
internal import Synchronization

/// A folder for the ledger of one command, which is gone afterwards, even where the command is
/// interrupted. There is one at a time.
struct ScratchFolder {
    /// What a ledger leaves in its folder.
    private static let names = ["", "-wal", "-shm", "-journal", ".head", ".lock"]
    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    private typealias Paths = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    /// Where the paths are that a handler may remove, as C has them: files first, behind them nil.
    /// 0 for none.
    private static let doomed = Atomic<UInt>(0)

    let path: String

    /// Where the environment wants what is temporary.
    static var usual: String {
        let named = Terminal.current.environment["TMPDIR"] ?? ""
        return named.isEmpty ? "/tmp" : named
    }

    init(in folder: String) throws(CommandFailure) {
        var template = Array((folder + "/.usher-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw .unwritableFile(folder) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let paths = Self.names.map { [path] in path + "/ledger" + $0 } + [path]
        let list = Paths.allocate(capacity: paths.count + 1)
        for (index, path) in paths.enumerated() {
            (list + index).initialize(to: strdup(path))
        }
        (list + paths.count).initialize(to: nil)
        Self.doomed.store(UInt(bitPattern: list), ordering: .releasing)
        for number in Self.signals {
            signal(number) { number in
                ScratchFolder.removeDoomed()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// The ledger's file in it.
    var ledger: String { path + "/ledger" }

    func remove() {
        for number in Self.signals { signal(number, SIG_DFL) }
        Self.removeDoomed()
    }

    /// Calls nothing that a handler of signals may not call. What it has read stays allocated: a
    /// handler may be at it.
    private static func removeDoomed() {
        guard var next = Paths(bitPattern: doomed.exchange(0, ordering: .acquiring)) else { return }
        while let path = next.pointee {
            if unlink(path) != 0 { rmdir(path) }
            next += 1
        }
    }
}
