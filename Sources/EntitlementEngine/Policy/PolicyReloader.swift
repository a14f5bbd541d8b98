internal import Crypto
package import EntitlementModel
package import PolicyLoading
internal import Synchronization

/// Puts a changed policy folder into force: the whole folder at once, only after it has stood
/// still, and never with an error in it (spec 2.6).
///
/// The owner calls it when `descriptor` is readable, and once a second in any case. It reads the
/// folder when a watcher has seen a change, while it waits for the folder to stand still, and once
/// a second: each read is complete, so a change that the watcher misses is found by the next one.
package struct PolicyReloader: Sendable {
    /// How long nothing is read while nothing seems to change.
    static let longestPause = Duration.seconds(1)

    private let engine: EntitlementEngine
    private let folder: String
    private let watch: FolderWatch?
    private var stillness = FolderQuietPeriod()
    private var lastLook: Instant?
    private var tellsAgain: Bool
    /// The policy in force when the folder was last read.
    private var seen: PolicyMark?

    /// - Parameter tellsAgain: Whether the first result is reported even if it is known.
    package init(engine: EntitlementEngine, folder: String, tellsAgain: Bool = false) {
        self.engine = engine
        self.folder = folder
        self.tellsAgain = tellsAgain
        watch = FolderWatch(folder)
    }

    /// Can be read when the watcher has seen a change; nil where there is no watcher.
    var descriptor: CInt? { watch?.descriptor }

    /// The result of a read.
    package enum Report: Sendable {
        case activated(Digest256, ActivationNotes)
        /// An account may lose something by the folder; the policy in force stays.
        case waits(WaitingPolicy)
        /// The folder has errors; the policy in force stays.
        case rejected([Diagnostic], texts: [PolicyText])
        /// The activation could not be recorded; it is tried again.
        case failed(EngineError)
    }

    /// - Parameter now: of a clock that measures how long the folder has stood still.
    /// - Returns: nil while there is nothing new to say.
    package mutating func look(at now: Instant) async -> Report? {
        // A due schedule comes first.
        if engine.hasDueSchedule { return nil }
        let mark = engine.policy.mark
        // Another policy is in force now than the one that the folder was compared with.
        if let seen, seen != mark { stillness = FolderQuietPeriod() }
        seen = mark
        let report = await lookAtFolder(at: now)
        if case .activated = report { seen = engine.policy.mark }
        return report
    }

    private mutating func lookAtFolder(at now: Instant) async -> Report? {
        let hasChanged = watch?.hasChanged() ?? false
        guard hasChanged || stillness.isWaiting || isDue(at: now) else { return nil }
        lastLook = now
        watch?.renew()
        let sight = FolderObservation(folder)
        guard stillness.look(sight.fingerprint, hasChanged: hasChanged, at: now) else {
            return nil
        }
        let isAsked = tellsAgain
        tellsAgain = false
        guard case .texts(let texts) = sight.contents else {
            guard case .unreadable(let diagnostics) = sight.contents else { return nil }
            return refuse(diagnostics, texts: [], isAsked)
        }
        do throws(EngineError) {
            let consent = PolicyConsent(engine.policyGuard)
            let isTheSame = FolderSameness(folder, sight.fingerprint, engine.clock)
            let jobs = engine.jobs
            let report = try await engine.activate(texts, consent: consent) {
                isTheSame.holds() && !jobs.hasStopped
            }
            switch report {
            case .activated(let digest, let notes):
                return .activated(digest, notes)
            case .unchanged:
                engine.active.accept()
                return nil
            case .waiting(let waiting):
                let isNew = engine.active.wait(waiting)
                return isNew || isAsked ? .waits(waiting) : nil
            case .rejected(let diagnostics): return refuse(diagnostics, texts: texts, isAsked)
            }
        } catch {
            stillness = FolderQuietPeriod()
            tellsAgain = isAsked
            return .failed(error)
        }
    }

    private func isDue(at now: Instant) -> Bool {
        guard let lastLook, now >= lastLook else { return true }
        return .milliseconds(now.milliseconds(since: lastLook)) >= Self.longestPause
    }

    /// The same refusal is reported once, even if it was at the start of the service.
    private func refuse(
        _ diagnostics: [Diagnostic], texts: [PolicyText], _ isAsked: Bool
    ) -> Report? {
        let isNew = engine.active.refuse(diagnostics)
        return isNew || isAsked ? .rejected(diagnostics, texts: texts) : nil
    }
}

/// Whether a folder is unchanged: asked often, read once a second.
private final class FolderSameness: Sendable {
    private let folder: String
    private let fingerprint: Digest256
    private let clock: any EngineClock
    private let last: Mutex<(at: Instant, holds: Bool)>

    init(_ folder: String, _ fingerprint: Digest256, _ clock: any EngineClock) {
        self.folder = folder
        self.fingerprint = fingerprint
        self.clock = clock
        last = Mutex((clock.now(), true))
    }

    func holds() -> Bool {
        let now = clock.now()
        return last.withLock { last in
            guard now < last.at || now.milliseconds(since: last.at) >= 1_000 else {
                return last.holds
            }
            last = (now, FolderObservation(folder).fingerprint == fingerprint)
            return last.holds
        }
    }
}

/// A policy folder as read once.
private struct FolderObservation {
    enum Contents {
        case texts([PolicyText])
        case unreadable([Diagnostic])
    }

    let contents: Contents
    /// Of the contents and of when each file was last changed: a file that is written again with
    /// the same text has not stood still.
    let fingerprint: Digest256

    init(_ folder: String) {
        var hash = SHA256()
        do throws(PolicyFolderError) {
            let texts = try readPolicyFolder(folder)
            hash.update(data: policyDigest(texts).bytes)
            for text in texts {
                for number in FileChange.numbers(of: folder + "/" + text.path) {
                    withUnsafeBytes(of: number.littleEndian) { hash.update(bufferPointer: $0) }
                }
            }
            contents = .texts(texts)
        } catch {
            for diagnostic in error.diagnostics {
                hash.update(data: Array("\(diagnostic.id) \(diagnostic.place.file)".utf8))
            }
            contents = .unreadable(error.diagnostics)
        }
        fingerprint = Digest256(hash: hash.finalize())
    }
}

/// Decides when a watched folder has stood still long enough to be read as a policy: a
/// half-written file can be a valid, narrower policy (spec 2.6).
///
/// A pure state machine: the caller passes what was read and when.
package struct FolderQuietPeriod: Sendable {
    /// How long the folder must not have changed. Milliseconds.
    package static let required: Int64 = 1_000

    private var seen: Digest256?
    private var unchangedSince: Instant?
    private var settled: Digest256?

    /// Whether the last content is neither in force nor refused: it should be read again soon.
    package var isWaiting: Bool { seen == nil || seen != settled }

    package init() {}

    /// For a folder whose content is in force already: only a change makes it settle again.
    package init(settled: Digest256) {
        self.settled = settled
        seen = settled
    }

    /// - Parameters:
    ///   - fingerprint: of everything in the folder, times of change included, so that a file
    ///     written again with the same text counts as a change; nil if it could not be read.
    ///   - hasChanged: whether a watcher has seen the folder change since the last read; it may
    ///     have changed back.
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
