package import EntitlementModel
package import StrictJSON

extension FeedChange.Kind: WireWord {
    package static var schemaName: String? { "ChangeKind" }
}

/// Some of the changes of the feed: `GET /v1/changes`.
package struct ChangePage: WireObject {
    package var changes: [ChangeAnswer]
    /// The value of `after` for the next page.
    package var next: FeedCursor
    /// The number of the newest change.
    package var head: Int64
    /// Whether there is no change behind `next` yet.
    package var isAtHead: Bool
    /// Whether all changes are published.
    package var isCaughtUp: Bool
    /// How long the oldest unpublished change has waited.
    package var lagMilliseconds: Int64
    /// Entries up to this one are published.
    package var revision: LedgerSequence

    package init(
        changes: [ChangeAnswer], next: FeedCursor, head: Int64, isAtHead: Bool, isCaughtUp: Bool,
        lagMilliseconds: Int64, revision: LedgerSequence
    ) {
        self.changes = changes
        self.next = next
        self.head = head
        self.isAtHead = isAtHead
        self.isCaughtUp = isCaughtUp
        self.lagMilliseconds = lagMilliseconds
        self.revision = revision
    }

    package static var shapeName: String { "Changes" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ChangePage(
            changes: try shape.value("changes", \.changes),
            next: try shape.value("next", \.next), head: try shape.value("head", \.head),
            isAtHead: try shape.value("at_head", \.isAtHead),
            isCaughtUp: try shape.value("caught_up", \.isCaughtUp),
            lagMilliseconds: try shape.value("lag_milliseconds", \.lagMilliseconds),
            revision: try shape.value("revision", \.revision))
    }
}

/// One change, as pages, events and deliveries carry it.
package struct ChangeAnswer: WireObject {
    package var change: FeedChange
    package var cursor: FeedCursor

    package init(change: FeedChange, cursor: FeedCursor) {
        self.change = change
        self.cursor = cursor
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let number = try shape.value("number", \.cursor.number)
        let cursor = try shape.value("cursor", \.cursor)
        return ChangeAnswer(
            change: try shape.part { ToldChange($0.change) }.change,
            cursor: FeedCursor(ledger: cursor.ledger, number: number))
    }
}

/// A change without its place in the feed.
package struct ToldChange: WireObject, Hashable {
    package var change: FeedChange

    package init(_ change: FeedChange) {
        self.change = change
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let kind = try shape.value("kind", \.change.kind)
        let instant = try shape.value("at", \.change.at)
        let revision = try shape.value("revision", \.change.revision)
        let account = try shape.optional("account", \.change.account)
        let environment = try shape.optional("environment", \.change.environment)
        let subjects = try [
            shape.optional("entitlement") { $0.change.subject(of: \.isRight) },
            shape.optional("credit") { $0.change.subject(of: \.isCredit) },
            shape.optional("finding") { $0.change.subject { $0.isFinding } },
            shape.optional("order") { $0.change.subject { $0 == .orderChanged } },
            shape.optional("unit") { $0.change.subject { $0 == .ownerChanged } },
            shape.optional("policy") { $0.change.subject { $0 == .policyActivated } },
        ]
        let before = try shape.optional("before") { $0.change.shown($0.change.before) }
        let after = try shape.optional("after") { $0.change.shown($0.change.after) }
        let cause = try shape.value("cause", \.change.cause)
        let corrected = try shape.optional("corrected", \.change.corrected)
        return ToldChange(
            FeedChange(
                kind: kind, at: instant, revision: revision, account: account,
                environment: environment, subject: subjects.compactMap(\.self).first ?? "",
                before: before?.value(of: kind), after: after?.value(of: kind), cause: cause,
                corrected: corrected))
    }
}

/// The answer before or after a change; its members depend on the kind of change.
package struct ChangeValue: WireObject, Hashable {
    package var decision: Bool?
    /// Of a right or of an order.
    package var state: String?
    package var until: Instant?
    package var balance: Int128?
    package var owners: [AccountID]?
    package var policy: Digest256?

    package init(state: String? = nil) {
        self.state = state
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        var value = ChangeValue()
        value.decision = try shape.optional("decision", \.decision)
        value.state = try shape.optional("state", \.state)
        value.until = try shape.optional("until", \.until)
        value.balance = try shape.optional("balance", \.balance)
        value.owners = try shape.optional("owners", \.owners)
        value.policy = try shape.optional("policy", \.policy)
        return value
    }

    init(_ value: FeedValue) {
        switch value {
        case .right(let right):
            decision = right.decision
            state = right.state?.rawValue
            until = right.until
        case .balance(let number): balance = number
        case .lapse(let lapse): (balance, until) = (lapse.units, lapse.at)
        case .finding: break
        case .order(let order): state = order.rawValue
        case .owners(let accounts): owners = accounts
        case .policy(let digest): policy = digest
        }
    }

    /// The value of a change of the kind; nil where nothing was known.
    func value(of kind: FeedChange.Kind) -> FeedValue? {
        switch kind {
        case .rightGained, .rightLost, .rightMoved, .rightState:
            FeedValue.right(
                FeedValue.Right(
                    decision: decision ?? false,
                    state: state.flatMap(EntitlementState.init(rawValue:)), until: until)
            ).orNothing
        case .balanceChanged: FeedValue.balance(balance ?? 0).orNothing
        case .creditLapsing:
            until.map { .lapse(CreditLapse(at: $0, units: balance ?? 0)) }
        case .findingOpened, .findingClosed: .finding
        case .orderChanged: state.flatMap(OrderState.init(rawValue:)).map { .order($0) }
        case .ownerChanged: .owners(owners ?? [])
        case .policyActivated: policy.map { .policy($0) }
        case .erased: nil
        }
    }
}

extension FeedChange.Kind {
    package var isFinding: Bool { self == .findingOpened || self == .findingClosed }

    fileprivate var isCredit: Bool { self == .balanceChanged || self == .creditLapsing }
}

extension FeedChange {
    fileprivate func subject(of isWanted: (Kind) -> Bool) -> String? {
        isWanted(kind) ? subject : nil
    }

    /// A right and a balance always have a value; a finding only exists or does not.
    fileprivate func shown(_ value: FeedValue?) -> ChangeValue? {
        if kind.isFinding { return nil }
        if let value { return ChangeValue(value) }
        if kind.isRight { return ChangeValue(.right(.nothing)) }
        return kind == .balanceChanged ? ChangeValue(.balance(0)) : nil
    }
}

/// How the change feed is doing, for the operator's page.
package struct FeedStatusAnswer: WireObject {
    /// Unpublished changes.
    package enum Backlog: String, WireWord {
        case entries
        /// A new policy that is being applied to one account after the other.
        case policy
        /// Changes that time has caused.
        case time
    }

    /// The number of the newest change.
    package var head: Int64
    package var isCaughtUp: Bool
    package var lagMilliseconds: Int64
    /// How far the newest change is ahead of the clock: entries recorded now get its instant.
    package var aheadMilliseconds: Int64
    /// Entries up to this one are published.
    package var revision: LedgerSequence
    /// Callers that follow it by an event stream.
    package var followers: Int64
    /// Nil if all is published.
    package var behind: Backlog?

    package init(
        head: Int64, isCaughtUp: Bool, lagMilliseconds: Int64, aheadMilliseconds: Int64,
        revision: LedgerSequence, followers: Int64, behind: Backlog? = nil
    ) {
        self.head = head
        self.isCaughtUp = isCaughtUp
        self.lagMilliseconds = lagMilliseconds
        self.aheadMilliseconds = aheadMilliseconds
        self.revision = revision
        self.followers = followers
        self.behind = behind
    }

    package static var shapeName: String { "FeedStatus" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        FeedStatusAnswer(
            head: try shape.value("head", \.head),
            isCaughtUp: try shape.value("caught_up", \.isCaughtUp),
            lagMilliseconds: try shape.value("lag_milliseconds", \.lagMilliseconds),
            aheadMilliseconds: try shape.value("ahead_milliseconds", \.aheadMilliseconds),
            revision: try shape.value("revision", \.revision),
            followers: try shape.value("followers", \.followers),
            behind: try shape.optional("behind", \.behind))
    }
}

/// A place in the change feed: the number of a change, and which ledger's feed it is.
package struct FeedCursor: Hashable, Sendable {
    /// Nil where a bare number was given, which says nothing of the ledger.
    package let ledger: String?
    package let number: Int64

    package init(ledger: String?, number: Int64) {
        self.ledger = ledger
        self.number = number
    }

    /// The name of a ledger, by the hash of its first entry: no other ledger has it, and copies of
    /// this one do.
    package static func name(ofLedger hash: Digest256?) -> String {
        hash.map { String($0.hexadecimal.prefix(nameLength)) } ?? emptyName
    }

    private static let nameLength = 16
    /// Of a ledger without entries.
    private static let emptyName = String(repeating: "0", count: nameLength)

    /// Reads `9f3a…:412`, or a number alone; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let last = parts.last, parts.count <= 2, !last.isEmpty, last.utf8.count <= 18,
            last.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(last)
        else { return nil }
        if parts.count == 2 {
            guard parts[0].utf8.count == Self.nameLength,
                parts[0].utf8.allSatisfy({
                    (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
                })
            else { return nil }
        }
        ledger = parts.count == 2 ? String(parts[0]) : nil
        self.number = number
    }

    package var text: String { (ledger.map { $0 + ":" } ?? "") + "\(number)" }
}

extension FeedCursor: WireText {
    package var wireText: String { text }

    package init(wireText: String) throws(ShapeError) {
        guard let cursor = FeedCursor(wireText) else { throw ShapeError(.value) }
        self = cursor
    }

    package static var schemaName: String? { "FeedCursor" }

    package static var textSchema: JSONValue {
        [
            "type": "string", "pattern": "^([0-9a-f]{16}:)?[0-9]{1,18}$",
            "description": "The ledger and the number of a change.",
        ]
    }

    package static var sample: FeedCursor {
        FeedCursor(ledger: emptyName, number: 1)
    }
}
