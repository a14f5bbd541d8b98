internal import EntitlementModel
internal import HeapModule
internal import StoreSimulator

/// What a virtual clock has to do when it gets there, soonest first.
struct DueQueue {
    enum Task {
        /// A line of a play.
        case step(StoreEnvironment, PlayStep)
        /// A subscription comes to the end of a period, its grace or its retries.
        case purchase(StoreEnvironment, String)
        case massExtension(StoreEnvironment, String)
        /// A notification is sent, or sent again.
        case notification(StoreEnvironment, Int)

        /// What a person wrote comes before what happens by itself at the same instant.
        fileprivate var rank: Int {
            switch self {
            case .step: 0
            case .purchase, .massExtension: 1
            case .notification: 2
            }
        }
    }

    struct Item: Comparable {
        let at: Instant
        let task: Task
        fileprivate let order: Int

        static func == (one: Item, other: Item) -> Bool { one.order == other.order }

        static func < (one: Item, other: Item) -> Bool {
            (one.at, one.task.rank, one.order) < (other.at, other.task.rank, other.order)
        }
    }

    private var items = Heap<Item>()
    private var count = 0

    var first: Item? { items.min }

    mutating func add(_ task: Task, at instant: Instant) {
        count += 1
        items.insert(Item(at: instant, task: task, order: count))
    }

    mutating func removeFirst() -> Item? { items.popMin() }
}
