package import EntitlementModel

/// `POST /v1/policy/schedule`.
package struct ScheduleBody: WireObject {
    package var files: [PolicyTextAnswer.File]
    package var due: Instant
    package var reason: Reason
    /// How many accounts may lose something; nil to accept no loss.
    package var acceptLoss: Int64?

    package init(
        files: [PolicyTextAnswer.File], due: Instant, reason: Reason, acceptLoss: Int64?
    ) {
        self.files = files
        self.due = due
        self.reason = reason
        self.acceptLoss = acceptLoss
    }

    package static var shapeName: String { "ScheduleRequest" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> ScheduleBody {
        ScheduleBody(
            files: try visitor.value("files", \.files), due: try visitor.value("due", \.due),
            reason: try visitor.value("reason", \.reason),
            acceptLoss: try visitor.optional("accept_loss", \.acceptLoss))
    }
}
