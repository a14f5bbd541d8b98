#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Why a repaired file was not put in place.
package enum PolicyWriteError: Error, Hashable, Sendable {
    /// Nobody may write to it.
    case readOnly(path: String)
    /// It is not what was repaired any more.
    case changedMeanwhile(path: String)
    case unwritable(path: String)
}

/// Puts changed texts into a policy folder, each file whole or not at all: it is written next to
/// the old one, synchronised, and takes its place by its name alone. Permissions and owner stay; of
/// a link, the file that it leads to is replaced.
///
/// Nothing is changed where one of the files is read-only, or has changed since it was read.
package func writePolicyFolder(
    _ folder: String, from before: [PolicyText], to after: [PolicyText]
) throws(PolicyWriteError) {
    let old = Dictionary(before.map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 })
    let changed = after.filter { old[$0.path] != nil && old[$0.path] != $0.bytes }
    var replacements: [FileReplacement] = []
    defer { for replacement in replacements { replacement.discard() } }
    for text in changed {
        let replacement = try FileReplacement(of: text, in: folder, was: old[text.path] ?? [])
        replacements.append(replacement)
        try replacement.fill(text.bytes)
    }
    for replacement in replacements { try replacement.putInPlace() }
}

/// A file, and the one that is to take its place.
private struct FileReplacement {
    /// Relative to the policy folder.
    let path: String
    /// Resolved.
    let target: String
    /// Hidden, so that no policy folder has it as one of its files.
    let temporary: String
    let status: stat
    let contents: [UInt8]

    init(
        of text: PolicyText, in folder: String, was contents: [UInt8]
    ) throws(PolicyWriteError) {
        path = text.path
        self.contents = contents
        guard let resolved = realpath(folder + "/" + path, nil) else {
            throw .changedMeanwhile(path: path)
        }
        defer { free(resolved) }
        target = String(cString: resolved)
        var status = stat()
        guard lstat(target, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .changedMeanwhile(path: path)
        }
        self.status = status
        guard status.st_mode & 0o222 != 0, access(target, W_OK) == 0 else {
            throw .readOnly(path: path)
        }
        let parts = target.split(separator: "/")
        let parent = "/" + parts.dropLast().joined(separator: "/")
        temporary = parent + "/." + (parts.last ?? "") + ".usher-fix"
    }

    func fill(_ bytes: [UInt8]) throws(PolicyWriteError) {
        _ = unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .unwritable(path: path) }
        defer { close(file) }
        var left = bytes[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .unwritable(path: path) }
            left = left.dropFirst(count)
        }
        // Somebody who may write to the file but does not own it cannot give it away.
        _ = fchown(file, status.st_uid, status.st_gid)
        guard fchmod(file, status.st_mode & 0o7777) == 0, fsync(file) == 0 else {
            throw .unwritable(path: path)
        }
    }

    func putInPlace() throws(PolicyWriteError) {
        guard case .success(contents) = readFile(target, limit: PolicyLimits.fileBytes) else {
            throw .changedMeanwhile(path: path)
        }
        guard rename(temporary, target) == 0 else { throw .unwritable(path: path) }
    }

    /// What was put in place is not there any more.
    func discard() { _ = unlink(temporary) }
}
