package import EntitlementModel

/// Decides when a watched folder has stood still long enough to be read as a policy: a
/// half-written file can be a valid, narrower policy (spec 2.6).
///
/// A pure state machine: whoever looks at the folder says what was seen and when.
package struct FolderQuietPeriod: Sendable {
    /// How long the folder must not have changed. Milliseconds.
    package static let required: Int64 = 1_000

    private var seen: Digest256?
    private var unchangedSince: Instant?
    private var settled: Digest256?

    /// Whether what was seen last is not in force yet, nor refused: it is worth looking soon.
    package var isWaiting: Bool { seen == nil || seen != settled }

    package init() {}

    /// For a folder whose content is in force already: only a change makes it settle anew.
    package init(settled: Digest256) {
        self.settled = settled
        seen = settled
    }

    /// - Parameters:
    ///   - fingerprint: of everything in the folder, times of change included, so that a file
    ///     written anew with the same text counts as a change; nil if it could not be read.
    ///   - hasChanged: whether a watcher has seen the folder change since the last look; it may
    ///     look the same again.
    ///   - now: may not go back; where it does, waiting begins again.
    /// - Returns: whether the folder has just settled on something new: once per content.
    package mutating func look(
        _ fingerprint: Digest256?, hasChanged: Bool = false, at now: Instant
    ) -> Bool {
        guard let fingerprint else {
            seen = nil
            unchangedSince = nil
            return false
        }
        let hasChanged =
            hasChanged || fingerprint != seen || unchangedSince.map { now < $0 } == true
        if hasChanged {
            seen = fingerprint
            unchangedSince = now
        }
        guard let since = unchangedSince, now.milliseconds(since: since) >= Self.required,
            fingerprint != settled
        else { return false }
        settled = fingerprint
        return true
    }
}
