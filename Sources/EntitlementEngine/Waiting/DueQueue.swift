internal import EntitlementModel

/// What waits for one of Apple's services, by when it is due: a binary heap, so that a look costs
/// what is due and not what waits.
///
/// A turn that was put in is never changed: whoever takes one compares it with what is true by then.
struct DueQueue: Sendable {
    struct Turn: Comparable, Sendable {
        let due: Instant
        let number: LedgerSequence

        static func < (one: Turn, other: Turn) -> Bool {
            (one.due, one.number) < (other.due, other.number)
        }
    }

    private var turns: [Turn] = []

    /// The turn that is due before all others; of equal ones the older ticket's.
    var first: Turn? { turns.first }

    mutating func insert(_ turn: Turn) {
        turns.append(turn)
        var place = turns.count - 1
        while place > 0, turns[place] < turns[(place - 1) / 2] {
            turns.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func removeFirst() {
        guard let last = turns.popLast(), !turns.isEmpty else { return }
        turns[0] = last
        var place = 0
        while 2 * place + 1 < turns.count {
            var child = 2 * place + 1
            if child + 1 < turns.count, turns[child + 1] < turns[child] { child += 1 }
            guard turns[child] < turns[place] else { return }
            turns.swapAt(place, child)
            place = child
        }
    }
}
