internal import Glibc

/// Who may read and write the files that the program makes: their owner alone, or a group too
/// (spec 3.4). The umask takes nothing away and adds nothing.
///
/// The one place that makes files: `TidyTests` holds the rest of the program to it.
package struct FileAccess: Hashable, Sendable {
    package var mode: UInt32
    /// Nil for that of the process.
    package var group: UInt32?

    package init(mode: UInt32 = 0o600, group: UInt32? = nil) {
        self.mode = mode
        self.group = group
    }

    /// The modes that a setting allows: read and write for the owner, optionally for the group,
    /// never for others.
    package static let allowedModes: [UInt32] = [0o600, 0o640, 0o660]
}

extension FileAccess {
    /// Opens a file for writing, created if there is none, with this access before it has any
    /// content.
    ///
    /// - Parameters:
    ///   - flags: of open(2), such as `O_EXCL`, `O_TRUNC`.
    ///   - ledger: the ledger that it belongs to, if any. What root makes then belongs to whom the
    ///     ledger belongs, or its folder: a restore by root must not lock out the service.
    /// - Returns: the descriptor, or nil with `errno`.
    package func open(_ path: String, _ flags: Int32, besideLedger ledger: String? = nil) -> Int32?
    {
        let owner = ledger.flatMap(FileOwner.init(ofWhatIsBeside:))
        let descriptor = Glibc.open(
            path, O_CREAT | O_CLOEXEC | flags, mode_t(mode) & 0o600)
        guard descriptor >= 0 else { return nil }
        apply(to: descriptor, for: owner)
        return descriptor
    }

    private func apply(to descriptor: Int32, for owner: FileOwner?) {
        guard let found = FileStamp(descriptor: descriptor) else { return }
        let group = group ?? owner?.group ?? found.group
        if (owner?.user ?? found.owner) != found.owner || group != found.group {
            fchown(descriptor, owner?.user ?? found.owner, group)
        }
        if found.mode != mode { fchmod(descriptor, mode_t(mode)) }
    }

    /// The same for a file that must not be opened: SQLite has it open, or will.
    func apply(toFileAt path: String) {
        guard let found = FileStamp(path), found.isRegular else { return }
        if let group, group != found.group { lchown(path, found.owner, group) }
        if found.mode != mode { fchmodat(AT_FDCWD, path, mode_t(mode), 0) }
    }
}

extension FileAccess {
    /// Files that are not as they should be, and not ours to change.
    func shortcomings(of ledger: LedgerName) -> [LedgerFileNotice] {
        [ledger.path, ledger.log, ledger.sharedMemory].compactMap { path in
            guard let found = FileStamp(path),
                found.mode != mode || (group.map { $0 != found.group } ?? false)
            else { return nil }
            return .accessNotGiven(path: path)
        }
    }
}

/// Whom root makes a ledger's files for.
private struct FileOwner {
    let user: uid_t
    let group: gid_t

    /// Nil unless the process is root: others cannot change the owner of a file.
    init?(ofWhatIsBeside ledger: String) {
        guard geteuid() == 0,
            let found = FileStamp(ledger) ?? FileStamp(LedgerName.folder(of: ledger))
        else { return nil }
        user = found.owner
        group = found.group
    }
}

/// Puts a folder's entries on the disk: the names of files that were made in it.
func syncFolder(_ path: String) throws(LedgerStoreError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotOpen(path: path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .inputOutput(code: errno) }
}
