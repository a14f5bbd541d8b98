internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Glibc
internal import StrictJSON
internal import Synchronization

/// Keeps the state of a long comparison in a file, so that it can be gone on with.
final class CheckpointKeeper: Sendable {
    private struct State {
        var keptAt: Instant?
        var failure: CommandFailure?
        var holdsState = false
    }

    /// Nil to keep nothing.
    private let path: String?
    /// Milliseconds.
    private let pause: Int64
    private let clock = SystemClock()
    private let state = Mutex(State())

    init(path: String?, pause: Int64) {
        self.path = path
        self.pause = pause
    }

    /// Why the state could not be kept.
    var failure: CommandFailure? { state.withLock { $0.failure } }

    /// The file from which the comparison can be continued; nil while there is nothing in one.
    var resumable: String? { state.withLock { $0.holdsState } ? path : nil }

    /// What an earlier run has left; nil where there is no file.
    ///
    /// - Parameter policy: what is compared now: a run of another one is not continued.
    /// - Throws: where the file is something else, which is not to be overwritten.
    func read(for policy: Digest256) throws(CommandFailure) -> ImpactCheckpoint? {
        guard let path, access(path, F_OK) == 0 else { return nil }
        guard let bytes = try? InputFile.read(path),
            let json = try? parseJSON(
                bytes, limits: JSONLimits(bytes: bytes.count, values: bytes.count)),
            let checkpoint = try? ImpactCheckpoint.read(json)
        else { throw .unreadableFile(path) }
        state.withLock { $0.holdsState = checkpoint.impact.policy == policy }
        return checkpoint
    }

    /// Written from time to time, and at the end.
    func note(_ progress: ImpactProgress, isLast: Bool) {
        guard let path, let checkpoint = due(progress, isLast: isLast) else { return }
        let temporary = path + ".new"
        do throws(CommandFailure) {
            try OutputFile.write(checkpoint.json, to: temporary)
            guard rename(temporary, path) == 0 else { throw .unwritableFile(path) }
            state.withLock { $0.holdsState = true }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
    }

    private func due(_ progress: ImpactProgress, isLast: Bool) -> ImpactCheckpoint? {
        let now = clock.now()
        let isDue = state.withLock { state in
            let keptAt = state.keptAt ?? now
            let isDue = isLast || now < keptAt || now.milliseconds(since: keptAt) >= pause
            state.keptAt = isDue ? now : keptAt
            return isDue
        }
        return isDue ? progress.checkpoint : nil
    }

    /// The comparison is done.
    func remove() {
        if let path { unlink(path) }
    }
}
