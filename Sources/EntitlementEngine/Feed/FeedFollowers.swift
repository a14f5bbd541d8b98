package import EntitlementModel
internal import Synchronization

/// Those who are handed the changes of the feed as they are told. Whoever comes later reads what was
/// told before from the ledger.
package final class FeedFollowers: Sendable {
    private let followers = Mutex<[@Sendable ([PublishedChange]) -> Void]>([])

    init() {}

    /// Hands all changes to `follower` in their order, those of one commit at once, when they are
    /// durable; on the writer's thread. It must not block.
    package func follow(_ follower: @escaping @Sendable ([PublishedChange]) -> Void) {
        followers.withLock { $0.append(follower) }
    }

    /// By the writer's thread only, once the changes are durable.
    func tell(_ changes: [PublishedChange]) {
        guard !changes.isEmpty else { return }
        for follower in followers.withLock(\.self) { follower(changes) }
    }
}
