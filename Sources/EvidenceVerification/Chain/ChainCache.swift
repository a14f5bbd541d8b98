internal import Synchronization

/// Chains that were verified, by the very bytes that brought them: the header of a JWS, the
/// certificates of a receipt.
///
/// It never widens trust: an entry is made only after a signature held under it, belongs to one
/// verifier with its roots, and is asked again whether it covers the time and the environment.
final class ChainCache: Sendable {
    private struct Entry {
        let key: [ArraySlice<UInt8>]
        let chain: VerifiedChain
    }

    private let capacity: Int
    /// In the order of arrival; the oldest makes room. There are few, so they are looked through.
    private let entries = Mutex<[Entry]>([])

    init(capacity: Int) {
        self.capacity = capacity
    }

    func chain(for key: [ArraySlice<UInt8>]) -> VerifiedChain? {
        entries.withLock { entries in entries.first { $0.key.hasBytes(of: key) }?.chain }
    }

    func insert(_ chain: VerifiedChain, for key: [ArraySlice<UInt8>]) {
        guard capacity > 0 else { return }
        // Copies: a slice would keep the whole evidence that it is part of.
        let entry = Entry(key: key.map { Array($0)[...] }, chain: chain)
        entries.withLock { entries in
            entries.removeAll { $0.key.hasBytes(of: key) }
            entries.append(entry)
            if entries.count > capacity { entries.removeFirst() }
        }
    }

    /// How many chains are remembered.
    var count: Int { entries.withLock { $0.count } }
}

extension [ArraySlice<UInt8>] {
    fileprivate func hasBytes(of other: Self) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.hasBytes(of: $1) }
    }
}

extension ArraySlice<UInt8> {
    /// Looks at every byte: without a way out in the middle, many are compared at once.
    fileprivate func hasBytes(of other: Self) -> Bool {
        guard count == other.count else { return false }
        return withUnsafeBufferPointer { left in
            other.withUnsafeBufferPointer { right in
                left.indices.reduce(0) { $0 | (left[$1] ^ right[$1]) } == 0
            }
        }
    }
}
