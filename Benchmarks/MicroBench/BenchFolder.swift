internal import Glibc

/// A folder for ledgers that are thrown away. On the disk, not in memory: commits are part of
/// what is measured.
struct BenchFolder {
    let path: String

    init() throws {
        var template = Array("./usher-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw BenchFailure.folder }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// A name that no ledger has yet.
    func newPath(_ number: Int) -> String { "\(path)/\(number).sqlite" }

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

enum BenchFailure: Error {
    case folder
    case refused(String)
    case sqlite(String)
}
