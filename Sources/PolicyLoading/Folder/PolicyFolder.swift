#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A policy folder that cannot be read, with what a person is told about it.
package struct PolicyFolderError: Error, Sendable {
    /// Never empty; all of them errors.
    package var diagnostics: [Diagnostic]
}

/// Reads the policy files of a folder and its subfolders (`*.yaml`, `*.yml`) and the certificates
/// next to them (`*.pem`, `*.der`), by path; stories in `tests` and hidden files are omitted.
///
/// Only ordinary files inside the folder are read, and never more than a bounded number of bytes:
/// pipes, devices and links that lead out are refused without being opened for reading
/// (THREATS.md F26). Links inside are followed, since mounted configuration is made of them.
package func readPolicyFolder(_ path: String) throws(PolicyFolderError) -> [PolicyText] {
    try readPolicyFolderContents(path).texts
}

/// What lies in a policy folder.
package struct PolicyFolderContents: Sendable {
    package var texts: [PolicyText]
    /// The paths of what is not read, with folders of which nothing is; of hidden ones, YAML files
    /// alone.
    package var ignored: [String]
}

/// The same, with what was not read.
package func readPolicyFolderContents(
    _ path: String
) throws(PolicyFolderError) -> PolicyFolderContents {
    guard let root = resolvedPath(path), isDirectory(root) else {
        throw PolicyFolderError(diagnostics: [
            Diagnostic(
                id: .folderMissing, place: TextLocation(file: ""), facts: [.written(path)])
        ])
    }
    var reader = FolderReader(root: root)
    reader.read(folder: "")
    guard reader.diagnostics.isEmpty else {
        throw PolicyFolderError(diagnostics: reader.diagnostics.sorted(by: Diagnostic.precedes))
    }
    return PolicyFolderContents(
        texts: reader.texts.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) },
        ignored: reader.ignored)
}

/// The folder itself and the subfolders that ``readPolicyFolder(_:)`` looks into.
func policyFolders(_ path: String) -> [String] {
    guard let root = resolvedPath(path), isDirectory(root) else { return [] }
    var folders = [root]
    var next = 0
    while next < folders.count, folders.count <= PolicyLimits.folderFiles {
        let folder = folders[next]
        next += 1
        for name in (names(inFolder: folder) ?? []).sorted() where isSubfolder(name) {
            let path = folder + "/" + name
            if isDirectory(path), path != root + "/tests" { folders.append(path) }
        }
    }
    return folders
}

private func isSubfolder(_ name: String) -> Bool { !name.hasPrefix(".") }

private struct FolderReader {
    /// Resolved, without a slash at its end.
    let root: String
    var texts: [PolicyText] = []
    var ignored: [String] = []
    var diagnostics: [Diagnostic] = []
    private var bytes = 0

    init(root: String) {
        self.root = root
    }

    mutating func read(folder: String) {
        guard let names = names(inFolder: root + "/" + folder) else {
            add(.pathUnreadable, folder)
            return
        }
        guard names.count <= PolicyLimits.folderFiles * 10 else {
            addTooMany()
            return
        }
        for name in names.sorted() {
            let path = folder + name
            let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
            if name.hasPrefix(".") {
                if isHiddenYAML(name, ending), !isDirectory(root + "/" + path) {
                    ignored.append(path)
                }
                continue
            }
            let isPolicyFile =
                ["yaml", "yml", "pem", "der"].contains(ending) && name.contains(".")
            if isPolicyFile {
                read(file: path)
            } else if isDirectory(root + "/" + path) {
                // Stories: 'usher policy test' reads them.
                if path != "tests" { read(folder: path + "/") }
            } else {
                ignored.append(isDirectory(root + "/" + path) ? path + "/" : path)
            }
            if isFull { return }
        }
    }

    /// Whether somebody may miss it: `.#rules.yaml` is an editor's lock, `._rules.yaml` what macOS
    /// knows of another file.
    private func isHiddenYAML(_ name: String, _ ending: String) -> Bool {
        ["yaml", "yml"].contains(ending) && ![".#", "._"].contains(name.prefix(2))
    }

    private var isFull: Bool { diagnostics.contains { $0.id == .tooManyFiles } }

    private mutating func read(file path: String) {
        guard let resolved = resolvedPath(root + "/" + path) else {
            add(.pathUnreadable, path)
            return
        }
        guard resolved.hasPrefix(root + "/") else {
            add(.pathOutside, path)
            return
        }
        switch readFile(resolved, limit: PolicyLimits.fileBytes) {
        case .success(let contents):
            bytes += contents.count
            texts.append(PolicyText(path: path, bytes: contents))
            if texts.count > PolicyLimits.folderFiles || bytes > PolicyLimits.folderBytes {
                addTooMany()
            }
        case .failure(.notAFile): add(.pathNotAFile, path)
        case .failure(.unreadable): add(.pathUnreadable, path)
        case .failure(.tooLarge):
            diagnostics.append(
                Diagnostic(
                    id: .fileTooLarge, place: TextLocation(file: path),
                    facts: [.number(Int64(PolicyLimits.fileBytes))]))
        }
    }

    private mutating func addTooMany() {
        diagnostics.append(
            Diagnostic(
                id: .tooManyFiles, place: TextLocation(file: ""),
                facts: [
                    .number(Int64(PolicyLimits.folderFiles)),
                    .number(Int64(PolicyLimits.folderBytes)),
                ]))
    }

    private mutating func add(_ id: DiagnosticID, _ path: String) {
        diagnostics.append(Diagnostic(id: id, place: TextLocation(file: path)))
    }
}

// MARK: System calls

enum ReadFailure: Error {
    case notAFile
    case unreadable
    case tooLarge
}

private func resolvedPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}

/// Of the path itself: a link to a folder is none.
func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

func names(inFolder path: String) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(
                to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)
            ) { String(cString: $0) }
        }
        names.append(name)
    }
    return names
}

/// Opens without waiting (a pipe without a writer would wait for ever) and without following a
/// link that was put in place after the path was resolved.
func readFile(_ path: String, limit: Int) -> Result<[UInt8], ReadFailure> {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else {
        var status = stat()
        let isOrdinary = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        return .failure(isOrdinary ? .unreadable : .notAFile)
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        return .failure(.notAFile)
    }
    var contents: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = read(file, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return .failure(.unreadable) }
        if count == 0 { return .success(contents) }
        contents += buffer[..<count]
        if contents.count > limit { return .failure(.tooLarge) }
    }
}

/// The policy folder that a file belongs to: the nearest folder above it that has a policy file,
/// which is one with the key `usher`, in it. Nil where there is none.
///
/// - Parameters:
///   - path: absolute, without links resolved.
///   - limit: a folder above which nothing is looked for; nil for eight folders up.
///   - open: texts that take the place of files, by path, as an editor has them.
package func policyFolder(
    of path: String, within limit: String? = nil, open: [String: [UInt8]] = [:]
) -> String? {
    var folder = path.parentFolder
    for _ in 0..<8 {
        if holdsPolicy(folder, open) { return folder }
        guard folder != limit, folder != "/" else { return nil }
        folder = folder.parentFolder
    }
    return nil
}

/// Whether a text is a policy file: it says which version of the format it has, and is no story.
package func isPolicyText(_ bytes: [UInt8]) -> Bool {
    var isPolicy = false
    for line in bytes.split(separator: 0x0A) {
        let text = String(decoding: line.prefix(16), as: UTF8.self).drop {
            "\u{FEFF}\"'".contains($0)
        }
        if text.hasPrefix("story") || text.hasPrefix("steps") { return false }
        if text.hasPrefix("usher") { isPolicy = true }
    }
    return isPolicy
}

private func holdsPolicy(_ folder: String, _ open: [String: [UInt8]]) -> Bool {
    if open.contains(where: { $0.key.parentFolder == folder && isPolicyText($0.value) }) {
        return true
    }
    let files = (names(inFolder: folder) ?? []).filter { name in
        !name.hasPrefix(".") && PolicyText(path: name, bytes: []).isYAML
    }
    return files.sorted().prefix(PolicyLimits.folderFiles).contains { name in
        let path = folder == "/" ? "/" + name : folder + "/" + name
        guard open[path] == nil,
            case .success(let bytes) = readFile(path, limit: PolicyLimits.fileBytes)
        else { return false }
        return isPolicyText(bytes)
    }
}

extension String {
    /// Of an absolute path; that of `/` is `/`.
    fileprivate var parentFolder: String {
        guard let slash = lastIndex(of: "/"), slash != startIndex else { return "/" }
        return String(self[..<slash])
    }
}
