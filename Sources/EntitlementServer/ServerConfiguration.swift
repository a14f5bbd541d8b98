package import EntitlementEngine
internal import NIOCore

/// How the sockets are served (spec 3.1).
package struct ServerConfiguration: Sendable {
    /// One of the two sockets.
    package struct Socket: Sendable {
        package var mode: UInt32 = 0o660
        /// A name or a number; nil for the service's own group.
        package var group: String?

        package init() {}
    }

    /// The folder that both sockets lie in.
    package var folder: String
    package var querySocket = Socket()
    package var operationsSocket = Socket()
    package var access = PeerAccess(entries: nil)
    package var names = CallerNames()
    package var limits = HTTPLimits()
    package var timeouts = ConnectionTimeouts()
    /// Bytes of a body that carries evidence.
    package var evidenceBytes = 2 * 1_024 * 1_024
    /// On each socket.
    package var connectionLimit = 4_096
    /// Further connections on each socket that may ask how the service is, and nothing else.
    package var reservedConnections = 256
    /// Requests that wait for the ledger, on each socket.
    package var inFlightLimit = 256
    /// Calls of usher.sock by one user that are worked on at once.
    package var inFlightLimitPerPeer = 224
    /// Callers that follow the change feed at once, on usher.sock.
    package var followerLimit = 2_048
    /// Seconds without an event after which a follower is sent a comment.
    package var heartbeatSeconds = 15
    /// Bytes of bodies that usher.sock holds at once, of all callers together.
    package var bufferedBytes = 64 * 1_024 * 1_024
    /// Bytes of evidence that are verified at once; more waits.
    package var verifiedBytes = 16 * 1_024 * 1_024
    /// How many verifications have a processor each; above, refusals are limited.
    package var processors = System.coreCount
    /// Milliseconds of processor time a second that the refused evidence of one user may cost
    /// before more of it waits for a free processor.
    package var refusalMilliseconds = 200
    /// How many previews of actions are made in a second: each has the writer for itself.
    package var previewsPerSecond = 10
    /// How many accounts are kept in memory at most: about 0.7 kB each where
    /// there are eight transactions (`scripts/bench`).
    package var accountsInMemory = 2_000_000
    /// Event loops of query.sock.
    package var queryLoops = 1
    /// Holds for sockets that the service manager has made too.
    package var backlog = 1_024
    /// Bytes of answers that the system holds for each peer (SO_SNDBUF); 0 leaves it to the
    /// system.
    package var sendBuffer = 0
    /// How long a question waits for a revision that the ledger has not reached.
    package var revisionSeconds = 2
    /// A JWS that was signed more hours ago is looked up at Apple when it brings something new; 0
    /// for never.
    package var refreshHours = 24
    /// How often the ledger is compared with Apple; 0 for on request only.
    package var reconcileEveryHours = 0
    /// Calls of Apple's servers that a comparison makes a second.
    package var reconcileCallsPerSecond = 5
    /// How long requests may take to finish once the service stops.
    package var drainSeconds = 10
    /// What AuthZEN's metadata calls the service: an https address without a final slash.
    package var baseURL = "https://localhost"
    /// What `POST /v1/policy/reload` reads; nil where it is not served.
    package var policyFolder: String?
    /// The folder that `POST /v1/backup` writes to; nil if it is not served.
    package var backupFolder: String?
    /// What compares the ledger with Apple; nil where no access to Apple's servers is configured.
    package var reconciler: (any ReconciliationRunner)?
    /// Nil if no subscription is configured.
    package var pusher: Pusher?
    /// The service manager that started the service; nil if there is none.
    package var manager: ServiceManager?
    /// How many log lines could not be written so far.
    package var linesLost: @Sendable () -> Int = { 0 }
    /// The version that the service reports.
    package var version = "0"

    package init(folder: String) {
        self.folder = folder
    }

    /// The socket for questions.
    package static let querySocketName = "query.sock"
    /// The socket for everything.
    package static let operationsSocketName = "usher.sock"
}
