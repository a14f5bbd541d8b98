internal import Glibc

/// What copies leave behind that were interrupted: they get their names only when they are whole,
/// so nobody has ever taken one for a copy.
package enum InterruptedCopies {
    static let suffix = ".incomplete"
    /// SQLite's own files beside one.
    private static let endings = ["", "-journal", "-wal", "-shm"]

    /// Removes those of a ledger: of a restore, and of what is copied before a migration.
    ///
    /// Only while the ledger is locked, so that none is being written.
    static func remove(besideLedger path: String) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { String(path[..<path.utf8.index(after: $0)]) } ?? "./"
        let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        remove(in: folder) { stem in
            guard stem.hasPrefix(name) else { return false }
            let rest = stem.dropFirst(name.count)
            guard rest.hasPrefix(".before-") else { return rest.isEmpty }
            let version = rest.dropFirst(".before-".count)
            return !version.isEmpty && version.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    /// Removes all of a folder whose names, but for what marks them as incomplete, are `own`.
    package static func remove(in folder: String, where own: (Substring) -> Bool) {
        guard let stream = opendir(folder) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let stem = stem(of: name), own(stem) else { continue }
            unlinkat(dirfd(stream), name, 0)
        }
    }

    /// The name that the copy would have got; nil for any other file.
    private static func stem(of name: String) -> Substring? {
        for ending in endings where name.hasSuffix(suffix + ending) {
            return name.dropLast(suffix.count + ending.count)
        }
        return nil
    }
}
