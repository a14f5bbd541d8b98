internal import Synchronization

/// Lets so many calls in at once and no more; the rest wait in the order in which they came.
final class CallGate: Sendable {
    private struct Waiter {
        let number: UInt64
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var free: Int
        var next: UInt64 = 0
        var waiting: [Waiter] = []
    }

    private let state: Mutex<State>

    init(places: Int) {
        state = Mutex(State(free: places))
    }

    /// Returns when there is a place, which `leave` gives back.
    func enter() async throws(CancellationError) {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0, as: number) }
        } onCancel: {
            giveUp(number)
        }
        if !isIn { throw CancellationError() }
    }

    func leave() {
        let next = state.withLock { state -> Waiter? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.continuation.resume(returning: true)
    }

    private func wait(_ continuation: CheckedContinuation<Bool, Never>, as number: UInt64) {
        let isIn = state.withLock { state -> Bool? in
            // Whoever is cancelled after this is found among those that wait.
            if Task.isCancelled { return false }
            if state.free > 0 {
                state.free -= 1
                return true
            }
            state.waiting.append(Waiter(number: number, continuation: continuation))
            return nil
        }
        if let isIn { continuation.resume(returning: isIn) }
    }

    private func giveUp(_ number: UInt64) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
                return nil
            }
            return state.waiting.remove(at: index)
        }
        waiter?.continuation.resume(returning: false)
    }
}
