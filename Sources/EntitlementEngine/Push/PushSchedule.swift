internal import EntitlementModel

/// What an attempt to deliver a change has come to.
package enum PushOutcome: String, CaseIterable, Hashable, Sendable {
    /// 2xx.
    case delivered
    /// 4xx: the receiver does not take this change.
    case rejected
    /// 5xx, a redirect, which is never followed, an answer that is too long or none in time: the
    /// receiver fails, perhaps because of this change.
    case failed
    /// 408, 425, 429: later.
    case busy
    /// 410: the receiver wants nothing any more.
    case gone
    /// Nobody listens: that is not the change's fault.
    case unreachable

    package init(_ result: Result<TransportResponse, TransportFailure>) {
        switch result {
        case .failure(.unreachable), .failure(.noLibrary): self = .unreachable
        case .failure: self = .failed
        case .success(let response):
            switch response.status {
            case 200...299: self = .delivered
            case 410: self = .gone
            case 408, 425, 429: self = .busy
            case 400...499: self = .rejected
            default: self = .failed
            }
        }
    }
}

/// When a change is tried again, and when it is put aside: a pure function of what its attempts have
/// come to (spec 1.10).
struct PushSchedule: Sendable {
    /// Attempts that count before a change is put aside: of those that are rejected, and of all.
    static let mostRejections = 5
    static let mostFailures = 12
    /// Milliseconds before the second attempt; each pause is twice the one before.
    static let firstPause: Int64 = 1_000
    static let longestPause: Int64 = 300_000
    /// To a receiver at which nobody listens: it may come back in a moment.
    static let longestAbsence: Int64 = 15_000
    /// To one that wants nothing any more.
    static let pauseWhenGone: Int64 = 3_600_000
    /// The longest pause that a receiver can ask for.
    static let longestAsked: Int64 = 3_600_000

    private(set) var rejections = 0
    private(set) var failures = 0
    private var inRow = 0

    /// How many attempts were the change's own fault, as far as anybody can know.
    var attempts: Int { rejections + failures }

    /// What comes next.
    enum Step: Equatable {
        case done
        /// Milliseconds.
        case pause(Int64)
        case putAside
    }

    /// - Parameters:
    ///   - retryAfter: the seconds that the receiver asks for.
    ///   - chance: from 0 to 1; a pause is up to a fifth shorter or longer.
    mutating func step(
        after outcome: PushOutcome, retryAfter: Int64?, chance: Double
    ) -> Step {
        inRow = min(inRow + 1, 30)
        let asked = retryAfter.map { min(max(0, $0), Self.longestAsked / 1_000) * 1_000 } ?? 0
        let doubled = min(Self.firstPause << Int64(inRow - 1), Self.longestPause)
        switch outcome {
        case .delivered: return .done
        case .rejected:
            rejections += 1
            if rejections >= Self.mostRejections { return .putAside }
        case .failed:
            failures += 1
            if attempts >= Self.mostFailures { return .putAside }
        case .busy: break
        case .gone: return .pause(Self.pauseWhenGone)
        case .unreachable: return .pause(jittered(min(doubled, Self.longestAbsence), chance))
        }
        return .pause(max(asked, jittered(doubled, chance)))
    }

    private func jittered(_ pause: Int64, _ chance: Double) -> Int64 {
        pause + Int64(Double(pause) * (chance * 2 - 1) / 5)
    }
}
