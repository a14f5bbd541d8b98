/// The end of a connection whose peer may still be sending (THREATS.md H32): it has our last bytes
/// and the end of our side, and what it sends is thrown away until it ends its own. Closing with
/// bytes unread would tell it of an error before it has read the answer.
struct LingeringClose: Sendable {
    /// More than any body that is taken.
    static let bytes = 128 * 1_024 * 1_024

    private var discarded = 0

    /// - Returns: whether it has sent too much.
    mutating func discard(_ count: Int) -> Bool {
        discarded += count
        return discarded > Self.bytes
    }
}
