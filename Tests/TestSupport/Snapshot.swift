internal import Foundation

/// Files of the checkout that say what a test expects.
///
/// `RECORD_SNAPSHOTS=1` writes them anew. That is a complaint too, so that a recording is never
/// mistaken for a pass.
package enum Snapshot {
    package static var isRecording: Bool {
        ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"
    }

    /// What is wrong with a file of the checkout; nil where it holds this text.
    package static func complaint(_ text: String, at path: String) throws -> String? {
        try complaint(Array(text.utf8), at: path)
    }

    /// What is wrong with a file of the checkout; nil where it holds these bytes.
    package static func complaint(_ bytes: [UInt8], at path: String) throws -> String? {
        let file = Repository.url(path)
        if let stored = try? Data(contentsOf: file), Array(stored) == bytes { return nil }
        guard isRecording else {
            return """
                \(path) is not current; RECORD_SNAPSHOTS=1 records this:
                \(String(decoding: bytes, as: UTF8.self))
                """
        }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return "recorded \(path); read the difference"
    }
}
