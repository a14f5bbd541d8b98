package import EntitlementModel
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import StrictJSON

/// Serves an App Store in a box over HTTP, without TLS, until its task is cancelled.
package struct AppStoreBox: Sendable {
    /// Milliseconds between two looks at the machine's clock.
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
        // Who tells the box something finds it done when the answer comes.
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

/// What a box needs of the machine it runs on.
package struct BoxHost: Sendable {
    package let now: @Sendable () -> Instant
    /// Waits so many milliseconds.
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
    /// Where a control call moves the clock to; nil where it does not.
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
