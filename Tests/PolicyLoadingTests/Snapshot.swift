internal import Foundation
internal import Testing

/// Compares text with a file of the repository. `RECORD_SNAPSHOTS=1` writes the file instead and
/// fails, so that a recording is never mistaken for a pass.
enum Snapshot {
    static var isRecording: Bool {
        ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"
    }

    static func check(_ text: String, at path: String) throws {
        try check(Array(text.utf8), at: path)
    }

    static func check(_ bytes: [UInt8], at path: String) throws {
        let file = URL(fileURLWithPath: Repository.path(path))
        let stored = try? Data(contentsOf: file)
        if stored.map(Array.init) == bytes { return }
        guard isRecording else {
            Issue.record(
                """
                \(path) is not current; RECORD_SNAPSHOTS=1 records this:
                \(String(decoding: bytes, as: UTF8.self))
                """)
            return
        }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        Issue.record("recorded \(path); read the difference")
    }
}
