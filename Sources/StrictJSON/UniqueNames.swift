/// The names of one object so far.
///
/// As long as each is greater than the one before, none is there twice: that is all that the
/// objects of canonical documents cost. Others are scanned while their names are few, and kept
/// in a set once they are many, so that a hostile object costs no more than an honest one.
struct UniqueNames {
    private static let scanned = 32

    private let first: Int
    private var count = 0
    private var last: Int?
    private var isAscending = true
    private var set: Set<[UInt8]> = []

    /// - Parameter object: The node of the object. Its first name is the next one.
    init(behind object: Int) {
        first = object + 1
    }

    /// False if the name is there already. It is the newest node; all names before it have been
    /// inserted.
    mutating func insert(
        _ name: Int, among nodes: [JSONNode], of bytes: Span<UInt8>
    ) -> Bool {
        defer { (last, count) = (name, count + 1) }
        guard let last else { return true }
        if isAscending {
            if nodes[last].isPlain, nodes[name].isPlain,
                bytes.extracting(nodes[last].range).precedes(bytes.extracting(nodes[name].range))
            {
                return true
            }
            isAscending = false
        }
        return count < Self.scanned
            ? !isAmongScanned(name, nodes, bytes)
            : isNewInSet(name, nodes, bytes)
    }

    private func isAmongScanned(_ name: Int, _ nodes: [JSONNode], _ bytes: Span<UInt8>) -> Bool {
        var other = first
        while other < name {
            if nodes[name].hasSameText(as: nodes[other], in: bytes) { return true }
            other = Int(nodes[other].next)
        }
        return false
    }

    private mutating func isNewInSet(
        _ name: Int, _ nodes: [JSONNode], _ bytes: Span<UInt8>
    ) -> Bool {
        var other = first
        while set.count < count, other < name {
            set.insert(nodes[other].text(in: bytes))
            other = Int(nodes[other].next)
        }
        return set.insert(nodes[name].text(in: bytes)).inserted
    }
}
