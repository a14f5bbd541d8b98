package import Foundation

/// A folder that is gone when its last user is, under so short a path that sockets can lie in it.
///
/// A local one has to be kept until the end of its scope: those who know its path do not keep it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        // mkdtemp(3) wants six of them.
        let template = "/tmp/usher-test-" + String(repeating: "X", count: 6)
        var name = Array(template.utf8CString)
        guard mkdtemp(&name) != nil else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: template])
        }
        path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Where a file of it lies, or would lie.
    package func url(_ name: String) -> URL { URL(filePath: path).appending(path: name) }

    /// Makes the folders on the way, too.
    package func write(_ bytes: [UInt8], to name: String) throws {
        let file = url(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    package func write(_ text: String, to name: String) throws {
        try write(Array(text.utf8), to: name)
    }

    /// Makes a symbolic link in it.
    package func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path + "/" + name, withDestinationPath: target)
    }
}
