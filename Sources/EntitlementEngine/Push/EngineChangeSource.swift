package import EntitlementAnswers
internal import EntitlementModel
internal import LedgerModel

/// The feed of an engine's ledger.
package struct EngineChangeSource: ChangeSource {
    private let engine: EntitlementEngine
    /// Pushers wait beside those that ask.
    private static let mostWaiting = 1_000_000

    package init(engine: EntitlementEngine) {
        self.engine = engine
    }

    package func changes(
        after cursor: FeedCursor?, limit: Int
    ) async throws(EngineError) -> ChangePage? {
        do throws(EngineError) {
            return try engine.questions.changes(
                after: cursor, matching: ChangeFilter(), limit: limit, at: engine.now())
        } catch {
            switch error {
            case .otherFeed, .futureChange: return nil
            default: throw error
            }
        }
    }

    package func wait(behind number: Int64, atMost milliseconds: Int64) async {
        let followers = engine.feed.followers
        // The service stops, and nobody is told of changes any more.
        guard !followers.hasEnded else {
            try? await Task.sleep(for: .milliseconds(milliseconds))
            return
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let outcome = followers.wait(behind: number, limit: Self.mostWaiting) {
                continuation.resume()
            }
            switch outcome {
            case .isThere, .noRoom: continuation.resume()
            case .waits(let ticket):
                Task {
                    try? await Task.sleep(for: .milliseconds(milliseconds))
                    followers.giveUp(ticket)
                }
            }
        }
    }
}
