internal import Foundation
internal import StrictJSON
internal import Testing

@testable internal import TimelineDrawing

/// Answers of `GET …/timeline`, as files beside this one.
enum Input: String, CaseIterable {
    /// What a service answered after a play: two products of one subscription, a cancellation, a
    /// second start and a failed card, two passes, and a purchase that was refunded.
    case gold
    /// Written for these tests: a subscription that changed owner and came back, a grace, a block,
    /// a shared purchase whose refund was reversed, a grant, another environment, a purchase that
    /// nobody owns, one without states.
    case moving
    /// An account that nothing is known of.
    case nobody

    var json: JSONValue {
        get throws {
            let file = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "Inputs/\(rawValue).json")
            return try parseJSON(Array(Data(contentsOf: file)))
        }
    }

    var chart: AccountChart {
        get throws { try AccountChart(json) }
    }
}

/// Compares text with a file. `RECORD_SNAPSHOTS=1` writes the file instead and fails, so that a
/// recording is never mistaken for a pass.
enum Snapshot {
    static func check(_ text: String, _ name: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Snapshots/\(name)")
        let stored = try? String(contentsOf: file, encoding: .utf8)
        if stored == text { return }
        guard ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" else {
            Issue.record("\(name) is not current; RECORD_SNAPSHOTS=1 records this:\n\(text)")
            return
        }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
        Issue.record("recorded \(name); read the difference")
    }
}
