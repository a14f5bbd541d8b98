/// The names of one object so far.
///
/// As long as each is greater than the one before, none is there twice: that is all that the
/// objects of canonical documents cost. Others are scanned while their names are few, and found by
/// their hash once they are many, so that a hostile object costs no more than an honest one.
struct UniqueNames {
    private static let scanned = 32

    private let first: Int
    private var count = 0
    private var last: Int?
    private var isAscending = true
    /// By hash, which no sender can foretell: the nodes of names, each with one added; 0 where there
    /// is none.
    private var slots: [UInt32] = []

    /// - Parameter object: The node of the object. Its first name is the next one.
    init(behind object: Int) {
        first = object + 1
    }

    /// False if the name is there already. It is the newest node; all names before it have been
    /// inserted.
    mutating func insert(
        _ name: Int, among nodes: [JSONNode], in bytes: Span<UInt8>, _ unescaped: Span<UInt8>
    ) -> Bool {
        defer { (last, count) = (name, count + 1) }
        guard let last else { return true }
        if isAscending {
            if nodes[last].precedes(nodes[name], in: bytes, unescaped) { return true }
            isAscending = false
        }
        guard count >= Self.scanned else { return !isAmongScanned(name, nodes, bytes, unescaped) }
        if 2 * count >= slots.count { makeRoom(before: name, nodes, bytes, unescaped) }
        return take(name, nodes, bytes, unescaped)
    }

    private func isAmongScanned(
        _ name: Int, _ nodes: [JSONNode], _ bytes: Span<UInt8>, _ unescaped: Span<UInt8>
    ) -> Bool {
        var other = first
        while other < name {
            if nodes[name].hasSameText(as: nodes[other], in: bytes, unescaped) { return true }
            other = Int(nodes[other].next)
        }
        return false
    }

    /// Makes a table for four times as many, with all names before this one.
    private mutating func makeRoom(
        before name: Int, _ nodes: [JSONNode], _ bytes: Span<UInt8>, _ unescaped: Span<UInt8>
    ) {
        var size = 4 * Self.scanned
        while size < 4 * count { size *= 2 }
        slots = Array(repeating: 0, count: size)
        var other = first
        while other < name {
            _ = take(other, nodes, bytes, unescaped)
            other = Int(nodes[other].next)
        }
    }

    /// False if it is there.
    private mutating func take(
        _ name: Int, _ nodes: [JSONNode], _ bytes: Span<UInt8>, _ unescaped: Span<UInt8>
    ) -> Bool {
        // Its size is a power of two.
        var slot = nodes[name].hash(in: bytes, unescaped) & (slots.count - 1)
        while slots[slot] != 0 {
            if nodes[Int(slots[slot]) - 1].hasSameText(as: nodes[name], in: bytes, unescaped) {
                return false
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = UInt32(truncatingIfNeeded: name + 1)
        return true
    }
}
