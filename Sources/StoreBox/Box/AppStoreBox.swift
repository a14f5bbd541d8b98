package import EntitlementModel
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import StrictJSON
internal import Synchronization

/// Serves an App Store in a box over HTTP, without TLS, until its task is cancelled.
package struct AppStoreBox: Sendable {
    /// Milliseconds between two readings of the machine's clock.
    private static let tick: Int64 = 50

    private let box: SimulatedAppStore
    private let address: SocketAddressText
    private let clock: BoxClock
    private let host: BoxHost
    private let whenServing: @Sendable (Int) async -> Void

    /// - Parameters:
    ///   - speed: virtual milliseconds for each of the machine's.
    ///   - whenServing: learns the port.
    package init(
        _ box: SimulatedAppStore, at address: SocketAddressText, speed: Double,
        notifying target: NotificationTarget?, host: BoxHost,
        whenServing: @escaping @Sendable (Int) async -> Void
    ) {
        self.box = box
        self.address = address
        self.host = host
        self.whenServing = whenServing
        clock = BoxClock(
            box, speed: speed, poster: target.map(NotificationPoster.init), machine: host.now)
    }

    package func run() async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(BoxConnectionHandler { await respond(to: $0) })
                }
            }
            .bind(host: address.name, port: address.port).get()
        await whenServing(listener.localAddress?.port ?? 0)
        while !Task.isCancelled, (try? await host.sleep(Self.tick)) != nil {
            await clock.catchUp()
        }
        try? await listener.close()
    }

    private func respond(to asked: AppStoreRequest) async -> AppStoreResponse {
        if asked.target == "/box/clock", asked.method == "POST" {
            return await move(asked)
        }
        clock.catchUpWithoutSending()
        if asked.target == "/box/clock" { return showClock() }
        let answer = box.answer(asked)
        if answer.delay > 0 { try? await host.sleep(answer.delay) }
        // The effects of a control call are complete when its answer arrives.
        if asked.target.hasPrefix("/box/"), asked.method != "GET" { await clock.catchUp() }
        return answer
    }

    /// `{"advance": "31d"}`, `{"to": "2026-03-01T00:00:00Z"}`, `{"speed": 60}`.
    private func move(_ request: AppStoreRequest) async -> AppStoreResponse {
        do throws(ControlError) {
            let fields = try ControlFields(request.body)
            try fields.allow(["advance", "to", "speed"])
            await clock.catchUp()
            if let instant = try box.instant(fields) { await clock.jump(to: instant) }
            if let number = fields.value["speed"]?.number {
                guard (0...1e9).contains(number.double) else {
                    throw ControlError(.badValue, "speed")
                }
                clock.setSpeed(number.double)
            }
        } catch {
            return error.response
        }
        return showClock()
    }

    private func showClock() -> AppStoreResponse {
        var answer = box.answer(AppStoreRequest(method: "GET", target: "/box/clock"))
        guard var clock = try? parseJSON(answer.body) else { return answer }
        clock["speed"] = try? parseJSON(Array("\(self.clock.speed)".utf8))
        answer.body = clock.serialized()
        return answer
    }
}

/// The box's access to its machine.
package struct BoxHost: Sendable {
    package let now: @Sendable () -> Instant
    /// Waits that many milliseconds.
    package let sleep: @Sendable (Int64) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Instant,
        sleep: @escaping @Sendable (Int64) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }
}

extension SimulatedAppStore {
    /// The instant that a control call moves the clock to; nil if it does not.
    fileprivate func instant(_ fields: ControlFields) throws(ControlError) -> Instant? {
        let instant: Instant?
        if let text = try fields.string("advance") {
            instant = Period(text)?.end(from: now)
            if instant == nil { throw ControlError(.unknownWord, "advance", text) }
        } else if let text = try fields.string("to") {
            instant = Instant(rfc3339: text)
            if instant == nil { throw ControlError(.unknownWord, "to", text) }
        } else {
            return nil
        }
        guard let instant, instant >= now, instant < SimulatedAppStoreSettings.end else {
            throw ControlError(.badValue, fields.value["to"] == nil ? "advance" : "to")
        }
        return instant
    }
}

/// Moves a box's clock, and sends due notifications on the way: one at a time, in order. During a
/// notification the virtual clock stands still.
final class BoxClock: Sendable {
    private struct State {
        /// Virtual milliseconds for each of the machine's; 0 for a stopped clock.
        var speed: Double
        /// Both clocks when the speed was set or the box began.
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

    /// The box's time by the machine's clock. A box that was reset since continues from its own
    /// time.
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

    /// Advances with the machine's clock as far as no notification is due. A caller that waits may
    /// be the receiver of a notification.
    func catchUpWithoutSending() {
        _ = box.advance(to: target)
    }

    /// Advances with the machine's clock, and sends due notifications.
    func catchUp() async {
        await advance { self.target($0) }
    }

    /// Advances to an instant at any speed; from there on it continues as before.
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
