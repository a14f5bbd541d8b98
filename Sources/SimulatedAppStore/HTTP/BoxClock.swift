internal import EntitlementModel
internal import Synchronization

/// Moves a box's clock, and sends what is due on the way: one at a time, in order. While a
/// notification is on its way the virtual clock stands.
final class BoxClock: Sendable {
    private struct State {
        /// Virtual milliseconds for each of the machine's; 0 stands still.
        var speed: Double
        /// Where both clocks were when the speed was set.
        var anchor: (machine: Instant, box: Instant)
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
        state = Mutex(State(speed: speed, anchor: (machine(), box.now)))
    }

    var speed: Double { state.withLock(\.speed) }

    func setSpeed(_ speed: Double) {
        let anchor = (machine(), box.now)
        state.withLock {
            $0.speed = speed
            $0.anchor = anchor
        }
    }

    /// What time the machine's clock makes it in the box.
    private var target: Instant {
        let now = machine()
        let (speed, anchor) = state.withLock { ($0.speed, $0.anchor) }
        let passed = Double(now.milliseconds(since: anchor.machine)) * speed
        let limit = Double(SimulatedAppStoreSettings.end.milliseconds(since: anchor.box))
        return anchor.box.advanced(byMilliseconds: Int64(max(0, min(passed, limit))))
    }

    /// Catches up with the machine's clock as far as nothing has to be sent on the way. Who waits
    /// for an answer may be the server that a notification is being sent to.
    func catchUpWithoutSending() {
        box.advance(to: max(target, box.now))
    }

    /// Catches up with the machine's clock, and sends what is due.
    func catchUp() async {
        await advance(to: max(target, box.now))
    }

    /// Goes to an instant, whatever the speed; from there on it goes on as before.
    func jump(to instant: Instant) async {
        await advance(to: instant)
        setSpeed(speed)
    }

    private func advance(to instant: Instant) async {
        let task = state.withLock { state in
            let task = Task { [last = state.last] in
                await last?.value
                await self.proceed(to: instant)
            }
            state.last = task
            return task
        }
        await task.value
    }

    private func proceed(to instant: Instant) async {
        while !box.advance(to: instant) {
            for delivery in box.deliveries {
                let result = await poster?.post(delivery.body) ?? .noResponse
                box.report(result, of: delivery)
            }
        }
    }
}
