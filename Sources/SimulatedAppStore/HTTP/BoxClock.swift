internal import EntitlementModel
internal import Synchronization

/// Moves a box's clock, and sends what is due on the way: one at a time, in order. While a
/// notification is on its way the virtual clock stands.
final class BoxClock: Sendable {
    private struct State {
        /// Virtual milliseconds for each of the machine's; 0 stands still.
        var speed: Double
        /// Where both clocks were when the speed was set or the box began.
        var anchor: (machine: Instant, box: BoxTime)
        var last: Task<Void, Never>?
    }

    private let box: SimulatedAppStore
    private let poster: NotificationPoster?
    private let machine: @Sendable () -> Instant
    private let state: Mutex<State>

    init(
        _ box: SimulatedAppStore, speed: Double, poster: NotificationPoster?,
        machine: @escaping @Sendable () -> Instant
    ) {
        self.box = box
        self.poster = poster
        self.machine = machine
        state = Mutex(State(speed: speed, anchor: (machine(), box.time)))
    }

    var speed: Double { state.withLock(\.speed) }

    func setSpeed(_ speed: Double) {
        let anchor = (machine(), box.time)
        state.withLock {
            $0.speed = speed
            $0.anchor = anchor
        }
    }

    /// What time the machine's clock makes it in the box. A box that has begun again since goes on
    /// from where it is.
    private func target(_ time: BoxTime) -> Instant {
        let now = machine()
        return state.withLock { state in
            if state.anchor.box.generation != time.generation { state.anchor = (now, time) }
            let (begun, anchor) = (state.anchor.machine, state.anchor.box.now)
            let passed = Double(now.milliseconds(since: begun)) * state.speed
            let limit = Double(SimulatedAppStoreSettings.end.milliseconds(since: anchor))
            return anchor.advanced(byMilliseconds: Int64(max(0, min(passed, limit))))
        }
    }

    /// Catches up with the machine's clock as far as nothing has to be sent on the way. Who waits
    /// for an answer may be the server that a notification is being sent to.
    func catchUpWithoutSending() {
        _ = box.advance(to: target)
    }

    /// Catches up with the machine's clock, and sends what is due.
    func catchUp() async {
        await advance { self.target($0) }
    }

    /// Goes to an instant, whatever the speed; from there on it goes on as before.
    func jump(to instant: Instant) async {
        await advance { _ in instant }
        setSpeed(speed)
    }

    private func advance(to target: @escaping @Sendable (BoxTime) -> Instant) async {
        let task = state.withLock { state in
            let task = Task { [last = state.last] in
                await last?.value
                await self.proceed(to: target)
            }
            state.last = task
            return task
        }
        await task.value
    }

    private func proceed(to target: @Sendable (BoxTime) -> Instant) async {
        while !box.advance(to: target) {
            for delivery in box.deliveries {
                let result = await poster?.post(delivery.body) ?? .noResponse
                box.report(result, of: delivery)
            }
        }
    }
}
