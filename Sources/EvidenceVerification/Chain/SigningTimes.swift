internal import EntitlementModel

/// When evidence may have been signed, seen from now (spec 4.0).
struct SigningTimes: Sendable {
    /// Milliseconds that it may lie in the future: clocks differ.
    let clockSkew: Int64
    /// Nil for no limit.
    let maximumAge: Period?

    func check(_ time: Instant, now: Instant) throws(Refusal) {
        guard now.milliseconds(since: time) >= -clockSkew else { throw Refusal(.chainTime) }
        if let maximumAge, maximumAge.end(from: time) < now { throw Refusal(.chainTime) }
    }
}
