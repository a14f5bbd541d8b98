/// A path that usher.sock serves beside the questions (spec 3.1).
enum OperationsRoute: String, CaseIterable, Sendable {
    case evidence = "/v1/evidence"
    case notifications = "/v1/notifications"
    case status = "/status"
    case metrics = "/metrics"
    case description = "/openapi.json"

    /// The one method that it knows.
    var method: RequestHead.Method {
        switch self {
        case .evidence, .notifications: .post
        case .status, .metrics, .description: .get
        }
    }

    /// Who may call it.
    var role: PeerRole {
        switch self {
        case .evidence, .notifications: .ingest
        case .status, .metrics, .description: .query
        }
    }
}
