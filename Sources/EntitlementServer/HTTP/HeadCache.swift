internal import EntitlementModel

/// The head of the last request of a connection, and what was read from it.
///
/// Clients send the same head again and again. What a head says depends on its bytes and nothing
/// else, so one that has the same bytes says the same, and is not read anew.
struct HeadCache: Sendable {
    /// Up to the empty line and with it; empty for none.
    private var bytes: [UInt8] = []
    private var head = RequestHead()
    private var bodyBytes = 0

    /// Longer ones are not kept: every connection has a memo.
    private static let longest = 1_024

    /// What `bytes` begins with, if that is the same head.
    func recall(
        _ bytes: Span<UInt8>
    ) -> (head: RequestHead, end: Int, bodyBytes: Int)? {
        let count = self.bytes.count
        guard count > 0, bytes.count >= count,
            bytes.extracting(..<count).isSame(as: self.bytes.span)
        else { return nil }
        return (head, count, bodyBytes)
    }

    /// Takes note of a head that was read whole and refused nothing.
    mutating func keep(_ head: RequestHead, _ bodyBytes: Int, _ bytes: Span<UInt8>) {
        guard bytes.count <= Self.longest else { return }
        self.bytes.removeAll(keepingCapacity: true)
        self.bytes.append(bytes)
        self.head = head
        self.bodyBytes = bodyBytes
    }
}
