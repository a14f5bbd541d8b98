internal import EntitlementModel

/// What is wrong with a subscription of the settings file.
enum SubscriptionPhrase: String, CaseIterable, UsherText, Wording {
    case tooMany = "'subscriptions': there may be {0} at most"
    case name =
        "'subscriptions': '{0}' is not a name; write 1 to 32 lower-case letters, digits and hyphens"
    case notMapping = "'subscriptions': '{0}' must have keys and values"
    case unknownKey = """
        'subscriptions': '{0}' has an unknown key '{1}'; known are 'url, secret-file, secret-env, \
        accounts, kinds, entitlements, from'
        """
    case missing = "'subscriptions': '{0}' needs '{1}', once"
    case url = """
        'subscriptions': '{0}' cannot send to '{1}'; write http://127.0.0.1:PORT/PATH, \
        http://[::1]:PORT/PATH or /path/of/a.sock:/PATH
        """
    case unreadable =
        "'subscriptions': '{0}': the file {1} cannot be read, or is not a file of at most 64 KiB"
    case exposed = "'subscriptions': '{0}': others may read the file {1}; run 'chmod 600' on it"
    case variable = "'subscriptions': '{0}': the environment has no variable {1}"
    case secret = "'subscriptions': '{0}': the secret must be whsec_ and base64 of 24 to 64 bytes"
    case value = "'subscriptions': '{0}': '{1}' cannot be as it is written; see docs/PUSH.md"
}

/// What `usher changes undelivered`, `resend` and `discard` say.
enum PushPhrase: String, CaseIterable, UsherText, Wording {
    case none = "no subscriptions"
    case title = "{0}: {1}"
    case receiver = "to {0}"
    case cursor = "delivered up to change {0}"
    case trouble = "{0} since {1}"
    case status = "{0} (HTTP {1})"
    case next = "next attempt {0}"
    case undelivered = "{0 change|changes} undelivered"
    case change = "change {0}: {1}, {2 attempt|attempts}, since {3}"
    case again = "sent again"
    case more = "more: usher changes undelivered --skip {0}"
    case resent = "{0 change is|changes are} sent again to {1}"
    case discarded = "{0 change is|changes are} not sent to {1} any more"
    case wasDiscarded = "{0}: {1 change|changes} struck off {2} by {3}: {4}"
    case waiting = "{0 change waits|changes wait}"
    case unknown = "no policy has ever had {0}: nothing of it is sent"
}

/// By the state's own word.
enum PushStatePhrase: String, CaseIterable, UsherText {
    case idle, delivering, failing, gone, full, elsewhere

    var english: String {
        switch self {
        case .idle: "all is delivered"
        case .delivering: "delivering"
        case .failing: "failing"
        case .gone: "the receiver wants nothing"
        case .full: "waiting: too much is undelivered"
        case .elsewhere: "another node sends"
        }
    }
}

/// By the trouble's own word.
enum PushTroublePhrase: String, CaseIterable, UsherText {
    case rejected, failed, busy, gone, unreachable

    var english: String {
        switch self {
        case .rejected: "the receiver rejects the change"
        case .failed: "the receiver fails"
        case .busy: "the receiver asks for time"
        case .gone: "the receiver wants nothing"
        case .unreachable: "nobody listens"
        }
    }
}
