internal import Glibc

/// What a test waited for did not come about.
package struct NeverHappened: Error, CustomStringConvertible {
    package let description: String
}

/// Waits until it is so, and gives way to others between two looks: to whoever is ready at first,
/// and for a moment each once it takes longer, so that what is waited for has the processor.
///
/// Every wait has a limit: a program that is broken fails the test that shows it, and does not
/// stop the whole suite.
package func waitUntil(
    _ what: String, within limit: Duration = .seconds(240), _ isSo: () throws -> Bool
) throws {
    let end = ContinuousClock.now + limit
    var looks = 0
    while try !isSo() {
        guard ContinuousClock.now < end else {
            throw NeverHappened(description: "after \(limit), still not: \(what)")
        }
        looks += 1
        if looks < eagerLooks { sched_yield() } else { usleep(500) }
    }
}

/// The same where a thread must not be held.
package func yieldUntil(
    _ what: String, within limit: Duration = .seconds(240),
    _ isSo: @Sendable () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    var looks = 0
    while try await !isSo() {
        guard ContinuousClock.now < end else {
            throw NeverHappened(description: "after \(limit), still not: \(what)")
        }
        looks += 1
        if looks < eagerLooks {
            await Task.yield()
        } else {
            try await Task.sleep(for: .microseconds(500))
        }
    }
}

private let eagerLooks = 200
