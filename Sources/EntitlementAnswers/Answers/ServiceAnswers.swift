package import EntitlementModel

/// `GET /livez` and `GET /readyz`.
package struct Health: WireObject {
    package enum Word: String, WireWord {
        case live
        case ready
    }

    package var status: Word

    package init(status: Word) {
        self.status = status
    }

    package static var shapeName: String { "Health" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        Health(status: try shape.value("status", \.status))
    }
}

/// `GET /status`: the operator's page.
package struct StatusReport: WireObject {
    package enum Word: String, WireWord {
        case ready
        case readOnly = "read-only"
        /// Another node of the fleet has written what this one cannot read: nothing is answered.
        case halted
    }

    /// What an operator should look at.
    package enum Shortcoming: String, WireWord {
        case policyUnreadable = "policy-unreadable"
        case ledgerReplaced = "ledger-replaced"
        case noLeader = "fleet-no-leader"
        case ledgerReadOnly = "ledger-read-only"
        case diskFull = "ledger-disk-full"
        case ledgerUnreadable = "ledger-unreadable"
        case clockBehind = "clock-behind"
        case clockStepped = "clock-stepped"
        case feedAhead = "feed-ahead"
        case feedBehind = "feed-behind"
        case policyRefused = "policy-refused"
        case policyWaiting = "policy-waiting"
        case scheduleRefused = "policy-schedule-refused"
        case noPrivacyKey = "privacy-key-missing"
        case erasureOverdue = "erasure-overdue"
        case outdatedSQLite = "sqlite-outdated"
        case appStore = "app-store"
    }

    package var status: Word
    /// The most important first.
    package var degraded: [Shortcoming]
    package var version: String
    package var startedAt: Instant
    package var now: Instant
    package var policy: Digest256
    package var policySince: Instant
    package var policyRefused: [PolicyTrouble]
    package var policyWaiting: WaitingPolicyAnswer?
    package var policyScheduled: ScheduleStatusAnswer?
    package var trust: [Digest256]
    package var revision: LedgerSequence
    /// False too where no node of the fleet leads: this one is ready for questions then.
    package var acceptsWrites: Bool
    package var ledger: LedgerConditionAnswer?
    package var evidence: EvidenceCounts
    package var waiting: AppStoreQueueAnswer
    package var connections: ConnectionCounts
    package var inFlight: Int64
    package var questions: Int64
    package var accountsInMemory: Int64
    package var accountsToDeriveAgain: Int64
    package var logLinesLost: Int64
    /// The reconciliation that runs, or the last one since the start.
    package var reconciliation: ReconciliationAnswer?
    package var feed: FeedStatusAnswer?
    /// The state of the push subscriptions.
    package var push: [PushStanding]

    package init(
        status: Word, degraded: [Shortcoming], version: String, startedAt: Instant, now: Instant,
        policy: Digest256, policySince: Instant, policyRefused: [PolicyTrouble],
        policyWaiting: WaitingPolicyAnswer?, policyScheduled: ScheduleStatusAnswer? = nil,
        trust: [Digest256], revision: LedgerSequence,
        acceptsWrites: Bool, ledger: LedgerConditionAnswer?, evidence: EvidenceCounts,
        waiting: AppStoreQueueAnswer, connections: ConnectionCounts, inFlight: Int64,
        questions: Int64, accountsInMemory: Int64,
        accountsToDeriveAgain: Int64, logLinesLost: Int64,
        reconciliation: ReconciliationAnswer? = nil, feed: FeedStatusAnswer? = nil,
        push: [PushStanding] = []
    ) {
        self.status = status
        self.degraded = degraded
        self.version = version
        self.startedAt = startedAt
        self.now = now
        self.policy = policy
        self.policySince = policySince
        self.policyRefused = policyRefused
        self.policyWaiting = policyWaiting
        self.policyScheduled = policyScheduled
        self.trust = trust
        self.revision = revision
        self.acceptsWrites = acceptsWrites
        self.ledger = ledger
        self.evidence = evidence
        self.waiting = waiting
        self.connections = connections
        self.inFlight = inFlight
        self.questions = questions
        self.accountsInMemory = accountsInMemory
        self.accountsToDeriveAgain = accountsToDeriveAgain
        self.logLinesLost = logLinesLost
        self.reconciliation = reconciliation
        self.feed = feed
        self.push = push
    }

    package static var shapeName: String { "Status" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        StatusReport(
            status: try shape.value("status", \.status),
            degraded: try shape.value("degraded", \.degraded),
            version: try shape.value("version", \.version),
            startedAt: try shape.value("started_at", \.startedAt),
            now: try shape.value("now", \.now), policy: try shape.value("policy", \.policy),
            policySince: try shape.value("policy_since", \.policySince),
            policyRefused: try shape.value("policy_refused", \.policyRefused),
            policyWaiting: try shape.optional("policy_waiting", \.policyWaiting),
            policyScheduled: try shape.optional("policy_scheduled", \.policyScheduled),
            trust: try shape.value("trust", \.trust),
            revision: try shape.value("revision", \.revision),
            acceptsWrites: try shape.value("accepts_writes", \.acceptsWrites),
            ledger: try shape.optional("ledger", \.ledger),
            evidence: try shape.value("evidence", \.evidence),
            waiting: try shape.value("waiting", \.waiting),
            connections: try shape.value("connections", \.connections),
            inFlight: try shape.value("in_flight", \.inFlight),
            questions: try shape.value("questions", \.questions),
            accountsInMemory: try shape.value("accounts_in_memory", \.accountsInMemory),
            accountsToDeriveAgain: try shape.value(
                "accounts_to_derive_again", \.accountsToDeriveAgain),
            logLinesLost: try shape.value("log_lines_lost", \.logLinesLost),
            reconciliation: try shape.optional("reconciliation", \.reconciliation),
            feed: try shape.optional("feed", \.feed),
            push: try shape.value("push", \.push))
    }
}

/// An error of a policy folder that was not put into force.
package struct PolicyTrouble: WireObject {
    /// The diagnostic's stable id.
    package var id: String
    /// Relative to the policy folder.
    package var file: String
    package var line: Int64
    package var column: Int64

    package init(id: String, file: String, line: Int64, column: Int64) {
        self.id = id
        self.file = file
        self.line = line
        self.column = column
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        PolicyTrouble(
            id: try shape.value("id", \.id), file: try shape.value("file", \.file),
            line: try shape.value("line", \.line), column: try shape.value("column", \.column))
    }
}

/// A policy that waits to be accepted (spec 2.6).
package struct WaitingPolicyAnswer: WireObject {
    package var policy: Digest256
    package var replaces: Digest256
    /// The policy that the folder's `accept.yaml` was written for, if another one.
    package var acceptedAfter: Digest256?
    package var losses: Int64
    package var firstLosses: [LossAnswer]
    /// How many accounts lose something now or later; nil until they are counted.
    package var losing: Int64?
    /// How many were accepted, where they are more.
    package var acceptedAtMost: Int64?
    /// Whether a person has rolled back to the policy before it; nil if not.
    package var isRolledBack: Bool?
    /// Whether a scheduled policy took its place; nil where none did.
    package var isSuperseded: Bool?
    /// The files that the policy in force has, and the folder has not; nil where there are none.
    package var missingFiles: [String]?

    package init(
        policy: Digest256, replaces: Digest256, acceptedAfter: Digest256?, losses: Int64,
        firstLosses: [LossAnswer], losing: Int64? = nil, acceptedAtMost: Int64? = nil,
        isRolledBack: Bool? = nil, isSuperseded: Bool? = nil, missingFiles: [String]? = nil
    ) {
        self.missingFiles = missingFiles
        self.isSuperseded = isSuperseded
        self.losing = losing
        self.acceptedAtMost = acceptedAtMost
        self.isRolledBack = isRolledBack
        self.policy = policy
        self.replaces = replaces
        self.acceptedAfter = acceptedAfter
        self.losses = losses
        self.firstLosses = firstLosses
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        WaitingPolicyAnswer(
            policy: try shape.value("policy", \.policy),
            replaces: try shape.value("replaces", \.replaces),
            acceptedAfter: try shape.optional("accepted_after", \.acceptedAfter),
            losses: try shape.value("losses", \.losses),
            firstLosses: try shape.value("first_losses", \.firstLosses),
            losing: try shape.optional("losing", \.losing),
            acceptedAtMost: try shape.optional("accepted_at_most", \.acceptedAtMost),
            isRolledBack: try shape.optional("rolled_back", \.isRolledBack),
            isSuperseded: try shape.optional("superseded", \.isSuperseded),
            missingFiles: try shape.optional("missing_files", \.missingFiles))
    }
}

/// Something that a policy may take away.
package struct LossAnswer: WireObject {
    package var kind: String
    package var names: [String]
    package var detail: String

    package init(kind: String, names: [String], detail: String) {
        self.kind = kind
        self.names = names
        self.detail = detail
    }

    package static var shapeName: String { "PolicyLoss" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        LossAnswer(
            kind: try shape.value("kind", \.kind), names: try shape.value("names", \.names),
            detail: try shape.value("detail", \.detail))
    }
}

/// How the ledger is kept.
package struct LedgerConditionAnswer: WireObject {
    package var head: LedgerSequence
    package var hash: Digest256
    package var recordedAt: Instant
    package var fileBytes: Int64
    package var logBytes: Int64
    package var waitingWrites: Int64
    package var sqlite: String
    /// Nil where the ledger is no fleet's.
    package var fleet: FleetAnswer?

    package init(
        head: LedgerSequence, hash: Digest256, recordedAt: Instant, fileBytes: Int64,
        logBytes: Int64, waitingWrites: Int64, sqlite: String, fleet: FleetAnswer? = nil
    ) {
        self.fleet = fleet
        self.head = head
        self.hash = hash
        self.recordedAt = recordedAt
        self.fileBytes = fileBytes
        self.logBytes = logBytes
        self.waitingWrites = waitingWrites
        self.sqlite = sqlite
    }

    /// Read back when it was opened; it is not opened otherwise.
    private enum Synchronous: String, WireWord {
        case full
    }

    package static var shapeName: String { "LedgerCondition" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let answer = LedgerConditionAnswer(
            head: try shape.value("head", \.head), hash: try shape.value("hash", \.hash),
            recordedAt: try shape.value("recorded_at", \.recordedAt),
            fileBytes: try shape.value("file_bytes", \.fileBytes),
            logBytes: try shape.value("log_bytes", \.logBytes),
            waitingWrites: try shape.value("waiting_writes", \.waitingWrites),
            sqlite: try shape.value("sqlite", \.sqlite),
            fleet: try shape.optional("fleet", \.fleet))
        _ = try shape.value("synchronous") { _ in Synchronous.full }
        return answer
    }
}

/// A node's part in its fleet (docs/FLEET.md).
package struct FleetAnswer: WireObject {
    package var node: String
    package var leads: Bool
    /// Nil while this node knows of none.
    package var leader: String?
    package var epoch: Int64
    /// Which ledger it is, as the cursors of its change feed begin: the hash of its first entry.
    package var ledger: String?
    /// What an acknowledged commit is worth: `memory`, `disk` or `replicated`; nil, as the two that
    /// follow, while the database was not asked.
    package var durability: String?
    package var synchronousCommit: String?
    package var synchronousStandbys: String?
    /// Why the database cannot be asked now.
    package var problem: String?
    /// When it last answered: questions are answered with what it had then.
    package var answeredAt: Instant?
    /// The entry with a policy that this version cannot read: this node answers nothing.
    package var unreadablePolicy: LedgerSequence?

    package init(
        node: String, leads: Bool, leader: String?, epoch: Int64, ledger: String? = nil,
        durability: String? = nil, synchronousCommit: String? = nil,
        synchronousStandbys: String? = nil, problem: String? = nil, answeredAt: Instant? = nil,
        unreadablePolicy: LedgerSequence? = nil
    ) {
        self.node = node
        self.leads = leads
        self.leader = leader
        self.epoch = epoch
        self.ledger = ledger
        self.durability = durability
        self.synchronousCommit = synchronousCommit
        self.synchronousStandbys = synchronousStandbys
        self.problem = problem
        self.answeredAt = answeredAt
        self.unreadablePolicy = unreadablePolicy
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        FleetAnswer(
            node: try shape.value("node", \.node), leads: try shape.value("leads", \.leads),
            leader: try shape.optional("leader", \.leader),
            epoch: try shape.value("epoch", \.epoch),
            ledger: try shape.optional("ledger", \.ledger),
            durability: try shape.optional("durability", \.durability),
            synchronousCommit: try shape.optional("synchronous_commit", \.synchronousCommit),
            synchronousStandbys: try shape.optional(
                "synchronous_standbys", \.synchronousStandbys),
            problem: try shape.optional("problem", \.problem),
            answeredAt: try shape.optional("answered_at", \.answeredAt),
            unreadablePolicy: try shape.optional("unreadable_policy", \.unreadablePolicy))
    }
}

/// Pieces of evidence since the start.
package struct EvidenceCounts: WireObject {
    package var judged: Int64
    package var refused: Int64
    package var quarantined: Int64
    package var refusalsUnrecorded: Int64

    package init(judged: Int64, refused: Int64, quarantined: Int64, refusalsUnrecorded: Int64) {
        self.judged = judged
        self.refused = refused
        self.quarantined = quarantined
        self.refusalsUnrecorded = refusalsUnrecorded
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        EvidenceCounts(
            judged: try shape.value("judged", \.judged),
            refused: try shape.value("refused", \.refused),
            quarantined: try shape.value("quarantined", \.quarantined),
            refusalsUnrecorded: try shape.value("refusals_unrecorded", \.refusalsUnrecorded))
    }
}

/// Open connections, and rejected ones since the start.
package struct ConnectionCounts: WireObject {
    package var query: Int64
    package var usher: Int64
    package var rejected: Int64

    package init(query: Int64, usher: Int64, rejected: Int64) {
        self.query = query
        self.usher = usher
        self.rejected = rejected
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ConnectionCounts(
            query: try shape.value("query", \.query), usher: try shape.value("usher", \.usher),
            rejected: try shape.value("turned_away", \.rejected))
    }
}

/// `GET /v1/policy`: the policy in force with its full text, as the ledger has it.
package struct PolicyTextAnswer: WireObject {
    package struct File: WireObject {
        package var path: String
        package var text: String?
        /// Of a file that is not text.
        package var base64: String?

        package init(path: String, text: String?, base64: String?) {
            self.path = path
            self.text = text
            self.base64 = base64
        }

        package static var shapeName: String { "PolicyFile" }

        package static func members(
            _ shape: inout some ShapeVisitor<Self>
        ) throws(ShapeError) -> Self {
            File(
                path: try shape.value("path", \.path), text: try shape.optional("text", \.text),
                base64: try shape.optional("base64", \.base64))
        }
    }

    package var policy: Digest256
    package var since: Instant
    package var files: [File]
    /// The policy that a rollback would put into force; nil for none.
    package var previous: Digest256?

    package init(policy: Digest256, since: Instant, files: [File], previous: Digest256? = nil) {
        self.previous = previous
        self.policy = policy
        self.since = since
        self.files = files
    }

    package static var shapeName: String { "PolicyText" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        PolicyTextAnswer(
            policy: try shape.value("policy", \.policy),
            since: try shape.value("since", \.since),
            files: try shape.value("files", \.files),
            previous: try shape.optional("previous", \.previous))
    }
}
