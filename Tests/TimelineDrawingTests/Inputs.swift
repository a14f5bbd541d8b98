internal import EntitlementAnswers
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import PolicyTools

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
            let file = Repository.url("Tests/TimelineDrawingTests/Inputs/\(rawValue).json")
            return try parseJSON(Array(Data(contentsOf: file)))
        }
    }

    var report: TimelineReport {
        get throws { try TimelineReport.read(json) }
    }
}
