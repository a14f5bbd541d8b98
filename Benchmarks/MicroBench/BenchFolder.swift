internal import Glibc
internal import Synchronization

/// A folder for ledgers that are thrown away. On the disk, not in memory: commits are part of
/// what is measured.
final class BenchFolder: Sendable {
    let path: String
    private let ledgers = Atomic<Int>(0)

    init() throws {
        var template = Array("./usher-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw BenchFailure.folder }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// A name that no ledger has yet, whichever part of the benchmark asks.
    func newPath() -> String {
        "\(path)/\(ledgers.add(1, ordering: .relaxed).newValue).sqlite"
    }

    func remove() {
        guard let directory = opendir(path) else { return }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            unlink(path + "/" + name)
        }
        closedir(directory)
        rmdir(path)
    }
}

enum BenchFailure: Error, CustomStringConvertible {
    case folder
    case refused(String)
    case sqlite(String)

    var description: String {
        switch self {
        case .folder: "the folder for its ledgers cannot be made"
        case .refused(let what): what
        case .sqlite(let what): "SQLite: \(what)"
        }
    }
}
