package import EntitlementModel

/// What the client learns from outside itself: the time, how to wait, and chance.
package protocol AppStoreSurroundings: Sendable {
    func now() -> Instant
    /// Returns at that instant, at once if it is past.
    func wait(until instant: Instant) async throws(CancellationError)
    /// A random number from 0 up to, not including, 1.
    func chance() -> Double
}
