internal import Glibc

#if os(Linux)
    internal import Glibc

    /// Hears of every change in a policy folder and its subfolders, also of one that is taken
    /// back before the next look (spec 2.6).
    ///
    /// A watcher misses things: folders made a moment ago, what links point to, network file
    /// systems. So it only adds to the looks; it never replaces one.
    package final class FolderWatch: Sendable {
        /// More folders than that are left to the looks alone.
        private static let folders = 64

        private static let changes = UInt32(
            IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM
                | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF)

        private let folder: String
        private let others: [String]
        /// Can be read when something has changed.
        package let descriptor: Int32

        /// - Parameter others: folders that are watched with their subfolders next to it, such as
        ///   `tests` in it.
        /// - Returns: nil where the system has no watch left to give.
        package init?(_ folder: String, besides others: [String] = []) {
            let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard descriptor >= 0 else { return nil }
            self.folder = folder
            self.others = others
            self.descriptor = descriptor
            renew()
        }

        deinit { close(descriptor) }

        /// Whether something has changed since the last time this was asked. Never waits.
        package func hasChanged() -> Bool {
            var hasChanged = false
            withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
                while read(descriptor, buffer.baseAddress, buffer.count) > 0 { hasChanged = true }
            }
            return hasChanged
        }

        /// Watches the folders that are there now: one may have been made, or put in the place of
        /// another, since the last time. Watching the same one again changes nothing.
        package func renew() {
            var left = Self.folders
            for path in [folder] + others {
                watch(policyFolders(path), &left)
            }
        }

        private func watch(_ paths: [String], _ left: inout Int) {
            for path in paths {
                guard left > 0 else { return }
                left -= 1
                _ = inotify_add_watch(descriptor, path, Self.changes)
            }
        }
    }
#else
    /// Where there is no watcher, the looks are all there is.
    package final class FolderWatch: Sendable {
        package init?(_ folder: String, besides others: [String] = []) { return nil }
        package var descriptor: Int32 { -1 }
        package func hasChanged() -> Bool { false }
        package func renew() {}
    }
#endif

/// What tells that a file has been written or put in place again, even with the same contents.
package enum FileChange {
    /// Its number in the file system and the instant of its last change; empty where there is
    /// no file.
    package static func numbers(of path: String) -> [Int64] {
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        return [
            Int64(truncatingIfNeeded: status.st_ino), Int64(status.st_ctim.tv_sec),
            Int64(status.st_ctim.tv_nsec),
        ]
    }
}
