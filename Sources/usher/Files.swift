internal import Glibc

/// Reads whole files and standard input.
enum InputFile {
    /// Why a file was not read.
    enum Failure: Error {
        case unreadable
        /// It has more bytes than the caller allows.
        case tooLarge
    }

    /// - Parameter path: a file, or `-` for standard input.
    static func read(_ path: String, limit: Int = 64 << 20) throws(Failure) -> [UInt8] {
        let file = try OpenFile(path)
        var bytes: [UInt8] = []
        while let chunk = try file.nextChunk() {
            bytes += chunk
            if bytes.count > limit { throw .tooLarge }
        }
        return bytes
    }

    /// How many bytes it has; nil for standard input, for a folder, and for what cannot be read.
    static func size(of path: String) -> Int? {
        guard path != "-", !isFolder(path), let file = try? OpenFile(path) else { return nil }
        let end = lseek(file.descriptor, 0, SEEK_END)
        return end < 0 ? nil : Int(end)
    }

    static func isFolder(_ path: String) -> Bool {
        guard let stream = opendir(path) else { return false }
        closedir(stream)
        return true
    }

    /// The regular files of a folder and of those in it, sorted by path.
    static func files(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var paths: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            let path = folder + "/" + name
            paths += isFolder(path) ? files(in: path) : [path]
        }
        return paths.sorted()
    }
}

/// A file that is being read; closed when nobody holds it.
final class OpenFile {
    let descriptor: Int32

    /// - Parameter path: a file, or `-` for standard input.
    init(_ path: String) throws(InputFile.Failure) {
        // A folder that is handed in may hold the ledger that it is handed in to.
        guard !LedgerFile.isOpen(path) else { throw .unreadable }
        descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable }
    }

    deinit {
        if descriptor > STDIN_FILENO { close(descriptor) }
    }

    /// Nil at the end.
    func nextChunk() throws(InputFile.Failure) -> ArraySlice<UInt8>? {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = chunk.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable }
            return count == 0 ? nil : chunk[..<count]
        }
    }
}

/// A file, line by line: however long it is, one line and one chunk of it are in memory.
struct LineFile {
    private let file: OpenFile
    private let limit: Int
    private var rest: ArraySlice<UInt8> = []
    private var isAtEnd = false
    /// Of the lines that were given out, with their line ends.
    private(set) var bytesRead = 0
    private(set) var lineNumber = 0

    init(_ path: String, limit: Int = 64 << 20) throws(InputFile.Failure) {
        file = try OpenFile(path)
        self.limit = limit
    }

    /// The next line without its line end; nil at the end.
    mutating func next() throws(InputFile.Failure) -> [UInt8]? {
        var searched = rest.startIndex
        while true {
            if let end = rest[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                return take(rest[..<end], andLineEnd: 1)
            }
            if isAtEnd { return rest.isEmpty ? nil : take(rest, andLineEnd: 0) }
            searched = rest.endIndex
            guard let chunk = try file.nextChunk() else {
                isAtEnd = true
                continue
            }
            let searchedCount = searched - rest.startIndex
            rest = ArraySlice(Array(rest) + chunk)
            searched = rest.startIndex + searchedCount
            if rest.count > limit { throw .tooLarge }
        }
    }

    private mutating func take(_ line: ArraySlice<UInt8>, andLineEnd count: Int) -> [UInt8] {
        rest = rest[(line.endIndex + count)...]
        bytesRead += line.count + count
        lineNumber += 1
        return Array(line)
    }
}

/// Writes whole files.
enum OutputFile {
    /// Makes the folders above it; replaces a file that is there.
    ///
    /// - Parameter isPublic: whether all may read it, such as a certificate to trust: whoever
    ///   copies it for a service copies that too. Else its owner alone.
    static func write(
        _ bytes: [UInt8], to path: String, isPublic: Bool = false
    ) throws(CommandFailure) {
        var folder = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
            folder += part + "/"
            mkdir(folder, 0o755)
        }
        guard let descriptor = open(path) else { throw .unwritableFile(path) }
        defer { close(descriptor) }
        // Files are made for their owner alone, and a umask takes more away.
        if isPublic { fchmod(descriptor, 0o644) }
        guard writesWhole(bytes, to: descriptor) else { throw .unwritableFile(path) }
    }

    /// The certificates to trust of a store that is simulated.
    static func write(
        roots: (jws: String, receipts: String), to folder: String
    ) throws(CommandFailure) {
        try write(Array(roots.jws.utf8), to: folder + "/root.pem", isPublic: true)
        try write(Array(roots.receipts.utf8), to: folder + "/receipt-root.pem", isPublic: true)
    }

    /// An empty file to write to, which only its owner may use; nil where there can be none.
    static func open(_ path: String) -> Int32? {
        LedgerFile.openOther(path, O_WRONLY | O_TRUNC)
    }

    /// The same where there is none yet.
    static func openNew(_ path: String) -> Int32? {
        LedgerFile.openOther(path, O_WRONLY | O_EXCL)
    }
}
