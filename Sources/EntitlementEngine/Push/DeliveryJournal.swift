internal import EntitlementAnswers
internal import EntitlementModel
internal import LedgerModel
internal import StrictJSON

/// How far the deliveries of each subscription have come, and what was put aside: kept beside the
/// ledger, so that a service that is killed goes on where it was.
struct DeliveryJournal: Sendable {
    /// What is kept of a subscription.
    struct Content: Equatable, Sendable {
        /// All up to this change is delivered, put aside or not wanted.
        var cursor: FeedCursor?
        /// By number.
        var undelivered: [Int64: UndeliveredChange] = [:]
        /// What was struck off, and by whom; the newest last.
        var discarded: [DiscardedChanges] = []
    }

    /// How much of what was struck off is kept of a subscription.
    private static let mostDiscarded = 100

    /// Lines before the journal is written anew.
    private static let mostLines = 20_000

    private let store: any DeliveryStore
    private(set) var contents: [String: Content] = [:]
    private var lineCount = 0

    /// Reads what is kept; what is damaged ends it.
    init(_ store: any DeliveryStore) throws(LedgerError) {
        self.store = store
        for bytes in try store.lines() {
            guard let json = try? parseJSON(bytes), let line = try? DeliveryLine.read(json)
            else { break }
            apply(line)
            lineCount += 1
        }
    }

    subscript(name: String) -> Content { contents[name] ?? Content() }

    mutating func setCursor(_ cursor: FeedCursor, of name: String) throws(LedgerError) {
        guard self[name].cursor != cursor else { return }
        try append(DeliveryLine(subscription: name, cursor: cursor))
    }

    /// Puts a change aside, and goes on behind it.
    mutating func putAside(
        _ change: UndeliveredChange, goingOnAt cursor: FeedCursor
    ) throws(LedgerError) {
        try append(
            DeliveryLine(subscription: change.subscription, cursor: cursor, undelivered: change))
    }

    mutating func update(_ change: UndeliveredChange) throws(LedgerError) {
        try append(DeliveryLine(subscription: change.subscription, undelivered: change))
    }

    mutating func remove(_ number: Int64, of name: String) throws(LedgerError) {
        guard self[name].undelivered[number] != nil else { return }
        try append(DeliveryLine(subscription: name, delivered: number))
    }

    /// Strikes off one change, or all that a subscription has put aside.
    mutating func discard(_ changes: DiscardedChanges) throws(LedgerError) {
        try append(DeliveryLine(subscription: changes.subscription, discarded: changes))
    }

    private mutating func append(_ line: DeliveryLine) throws(LedgerError) {
        if lineCount >= Self.mostLines {
            // What is struck off comes before what is still there, which it would take along.
            let kept = contents.sorted { $0.key < $1.key }.flatMap { name, content in
                [DeliveryLine(subscription: name, cursor: content.cursor)]
                    + content.discarded.map { DeliveryLine(subscription: name, discarded: $0) }
                    + content.undelivered.sorted { $0.key < $1.key }.map {
                        DeliveryLine(subscription: name, undelivered: $0.value)
                    }
            }
            try store.replace(with: kept.map(\.json))
            lineCount = kept.count
        }
        try store.append([line.json])
        lineCount += 1
        apply(line)
    }

    private mutating func apply(_ line: DeliveryLine) {
        var content = self[line.subscription]
        if let cursor = line.cursor { content.cursor = cursor }
        if let change = line.undelivered { content.undelivered[change.number] = change }
        if let number = line.delivered { content.undelivered[number] = nil }
        if let discarded = line.discarded {
            if let number = discarded.number {
                content.undelivered[number] = nil
            } else {
                content.undelivered = [:]
            }
            content.discarded = Array((content.discarded + [discarded]).suffix(Self.mostDiscarded))
        }
        contents[line.subscription] = content
    }
}

/// One line of the journal.
struct DeliveryLine: WireObject {
    var subscription: String
    var cursor: FeedCursor?
    /// Put aside, or sent again in vain.
    var undelivered: UndeliveredChange?
    /// Delivered after it had been put aside.
    var delivered: Int64?
    var discarded: DiscardedChanges?

    static var shapeName: String { "DeliveryLine" }

    static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> DeliveryLine {
        DeliveryLine(
            subscription: try visitor.value("subscription", \.subscription),
            cursor: try visitor.optional("cursor", \.cursor),
            undelivered: try visitor.optional("undelivered", \.undelivered),
            delivered: try visitor.optional("delivered", \.delivered),
            discarded: try visitor.optional("discarded", \.discarded))
    }
}
