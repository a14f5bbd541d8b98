internal import Dispatch
package import EntitlementAnswers
package import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import Synchronization

/// How far a comparison that was asked for has come.
package enum ImpactStanding: Sendable {
    /// A part of the total, or zero at the start.
    case running(done: Int64, total: Int64)
    case done(PolicyImpactAnswer)
    /// Another one is under way.
    case busy
    /// The policy has errors, or the one before it has.
    case rejected(isOld: Bool)
}

/// The impact runs of a running service. They give way to everything else.
final class ImpactJobs: Sendable {
    /// The compared policies.
    private struct Key: Hashable {
        let old: Digest256
        let new: Digest256
        let days: Int
    }

    private struct Run {
        let key: Key
        var progress: (done: Int64, total: Int64) = (0, 0)
        var result: Result<PolicyImpactAnswer, EngineError>?
        var askedAt: Instant
        var finishedAt: Instant?

        func isOld(at now: Instant) -> Bool {
            guard let finishedAt else { return false }
            return now < finishedAt || now.milliseconds(since: finishedAt) >= ImpactJobs.freshness
        }
    }

    private struct State {
        /// The one that was asked for.
        var run: Run?
        var hasStopped = false
    }

    /// A run is ended if nobody has asked about it for this long, and its result is computed again
    /// when it is this old. Milliseconds.
    private static let (abandonAfter, freshness) = (30_000 as Int64, 10_000 as Int64)

    private let state = Mutex(State())
    private let threads = DispatchGroup()

    /// Ends all runs, and waits for none.
    func end() { state.withLock { $0.hasStopped = true } }

    /// Ends all runs. Blocks until none of their threads works.
    func stop() {
        end()
        threads.wait()
    }

    var hasStopped: Bool { state.withLock { $0.hasStopped } }

    /// Does something long on a thread that gives way to all others.
    func inBackground<Value: Sendable>(
        _ body: @escaping @Sendable () throws(EngineError) -> Value
    ) async -> Result<Value, EngineError> {
        await withCheckedContinuation { continuation in
            let work = { @Sendable () -> Void in
                continuation.resume(returning: Result { () throws(EngineError) in try body() })
            }
            threads.enter()
            let hasStarted = WorkerThread.start("usher-impact", priority: .idle) { [threads] in
                work()
                threads.leave()
            }
            // Without a free thread it is computed here.
            if !hasStarted {
                work()
                threads.leave()
            }
        }
    }

    /// The progress of the comparison; nil if it has to be started.
    func standing(
        old: Digest256, new: Digest256, days: Int, at now: Instant
    ) throws(EngineError) -> ImpactStanding? {
        let key = Key(old: old, new: new, days: days)
        let standing = state.withLock { Self.standing(of: key, at: now, in: &$0) }
        return try standing?.get()
    }

    private static func standing(
        of key: Key, at now: Instant, in state: inout State
    ) -> Result<ImpactStanding, EngineError>? {
        if state.hasStopped { return .success(.busy) }
        guard let run = state.run else { return nil }
        guard run.key == key else { return run.result == nil ? .success(.busy) : nil }
        state.run?.askedAt = now
        guard let result = run.result else {
            return .success(.running(done: run.progress.done, total: run.progress.total))
        }
        if run.isOld(at: now) { return nil }
        switch result {
        case .success(let impact): return .success(.done(impact))
        case .failure(let error):
            state.run = nil
            return .failure(error)
        }
    }

    /// Starts it, unless this or another one was started meanwhile.
    ///
    /// - Parameter compare: blocks; is asked to go on again and again.
    func begin(
        old: Digest256, new: Digest256, days: Int, _ clock: any EngineClock,
        _ compare:
            @escaping @Sendable (@escaping @Sendable (ImpactProgress) -> Bool)
            throws(EngineError) -> PolicyImpactAnswer?
    ) {
        let key = Key(old: old, new: new, days: days)
        let now = clock.now()
        let isFirst = state.withLock { state in
            guard Self.standing(of: key, at: now, in: &state) == nil else { return false }
            state.run = Run(key: key, askedAt: now)
            return true
        }
        guard isFirst else { return }
        threads.enter()
        let hasStarted = WorkerThread.start("usher-impact", priority: .idle) { [self] in
            let result = Result { () throws(EngineError) in
                try compare { [self] in isWanted($0, key, at: clock.now()) }
            }
            finish(result, key, at: clock.now())
            threads.leave()
        }
        guard !hasStarted else { return }
        // The next call tries again.
        state.withLock { $0.run = nil }
        threads.leave()
    }

    private func isWanted(_ progress: ImpactProgress, _ key: Key, at now: Instant) -> Bool {
        state.withLock { state in
            guard !state.hasStopped, let run = state.run, run.key == key else { return false }
            state.run?.progress = (progress.done, progress.total)
            return now < run.askedAt || now.milliseconds(since: run.askedAt) < Self.abandonAfter
        }
    }

    private func finish(
        _ result: Result<PolicyImpactAnswer?, EngineError>, _ key: Key, at now: Instant
    ) {
        state.withLock { state in
            guard state.run?.key == key else { return }
            switch result {
            case .success(nil): state.run = nil
            case .success(let impact?): state.run?.result = .success(impact)
            case .failure(let error): state.run?.result = .failure(error)
            }
            state.run?.finishedAt = now
        }
    }
}

extension EntitlementEngine {
    /// The days that a comparison can look ahead.
    package static let impactDays =
        Int64(
            ImpactWindow.possibleDays.lowerBound)...Int64(
            ImpactWindow.possibleDays.upperBound)

    /// How far the comparison of the two has come, which runs in the background and gives way to
    /// everything else. To be asked again and again.
    ///
    /// - Parameters:
    ///   - files: of a policy's folder.
    ///   - oldFiles: of the one before it; the policy in force if omitted.
    ///   - asked: the days to look ahead, one of `impactDays`; 30 if omitted.
    package func askForImpact(
        of files: [PolicyActivation.File], replacing oldFiles: [PolicyActivation.File]?,
        days asked: Int64? = nil
    ) throws(EngineError) -> ImpactStanding {
        let texts = files.map { PolicyText(path: $0.path, bytes: $0.bytes) }
        let oldTexts = oldFiles?.map { PolicyText(path: $0.path, bytes: $0.bytes) }
        let days = asked.map(Int.init) ?? ImpactWindow.usualDays
        let (questions, instant) = (questions, now())
        let replaced = oldTexts.map(policyDigest) ?? questions.policyDigest
        let new = policyDigest(texts)
        let standing = try impacts.standing(
            old: replaced, new: new, days: days, at: clock.now())
        if let standing { return standing }
        guard let policy = loadNewPolicy(texts).policy else { return .rejected(isOld: false) }
        let old = oldTexts.flatMap { loadOldPolicy($0) }
        guard (old == nil) == (oldTexts == nil) else { return .rejected(isOld: true) }
        impacts.begin(old: replaced, new: new, days: days, clock) { isWanted throws(EngineError) in
            var options = ImpactOptions.inBackground(progress: isWanted)
            options.days = days
            return try questions.impact(of: policy, replacing: old, at: instant, options)
        }
        return try impacts.standing(old: replaced, new: new, days: days, at: clock.now())
            ?? .running(done: 0, total: 0)
    }

    /// Who gains and who loses what where the policy takes the place of another one.
    ///
    /// - Parameters:
    ///   - old: the policy in force if omitted.
    ///   - instant: from when on; now if omitted.
    ///   - collector: learns whom the policy in force, if that is the other one, answers otherwise.
    ///   - isWanted: whether the result is still needed.
    /// - Returns: nil if it is not.
    func impact(
        of new: Policy, replacing old: Policy? = nil, at instant: Instant? = nil,
        _ collector: DifferenceCollector? = nil,
        while isWanted: @escaping @Sendable (ImpactProgress) -> Bool
    ) async throws(EngineError) -> PolicyImpactAnswer? {
        let (questions, instant) = (questions, instant ?? now())
        let impacts = impacts
        return try await impacts.inBackground { () throws(EngineError) in
            var options = ImpactOptions.inBackground { !impacts.hasStopped && isWanted($0) }
            options.collector = collector
            return try questions.impact(of: new, replacing: old, at: instant, options)
        }.get()
    }
}
