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
    }

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

    private mutating func append(_ line: DeliveryLine) throws(LedgerError) {
        if lineCount >= Self.mostLines {
            let kept = contents.sorted { $0.key < $1.key }.flatMap { name, content in
                [DeliveryLine(subscription: name, cursor: content.cursor)]
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

    static var shapeName: String { "DeliveryLine" }

    static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> DeliveryLine {
        DeliveryLine(
            subscription: try visitor.value("subscription", \.subscription),
            cursor: try visitor.optional("cursor", \.cursor),
            undelivered: try visitor.optional("undelivered", \.undelivered),
            delivered: try visitor.optional("delivered", \.delivered))
    }
}
