internal import EntitlementModel
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

    struct Item {
        let at: Instant
        let task: Task
        fileprivate let order: Int

        fileprivate func precedes(_ other: Item) -> Bool {
            if at != other.at { return at < other.at }
            if task.rank != other.task.rank { return task.rank < other.task.rank }
            return order < other.order
        }
    }

    /// A binary heap.
    private var items: [Item] = []
    private var count = 0

    var first: Item? { items.first }

    mutating func add(_ task: Task, at instant: Instant) {
        count += 1
        items.append(Item(at: instant, task: task, order: count))
        var index = items.count - 1
        while index > 0, items[index].precedes(items[(index - 1) / 2]) {
            items.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeFirst() -> Item? {
        guard let first = items.first, let last = items.popLast() else { return nil }
        guard !items.isEmpty else { return first }
        items[0] = last
        var index = 0
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < items.count }
            guard let least = children.min(by: { items[$0].precedes(items[$1]) }),
                items[least].precedes(items[index])
            else { return first }
            items.swapAt(index, least)
            index = least
        }
    }
}
