package import EntitlementModel
internal import HTTPTypes
internal import Hummingbird
package import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import StrictJSON

/// Serves an App Store in a box over HTTP, without TLS, until it is told to stop.
package struct AppStoreBox: Service {
    /// Of a request's body: receipts are the largest.
    private static let largestBody = 16 << 20
    /// Milliseconds between two looks at the machine's clock.
    private static let tick: Int64 = 50

    private let box: SimulatedAppStore
    private let address: SocketAddressText
    private let clock: BoxClock
    private let host: BoxHost
    private let logger: Logger
    private let whenServing: @Sendable (Int) async -> Void

    /// - Parameters:
    ///   - speed: virtual milliseconds for each of the machine's.
    ///   - whenServing: learns the port.
    package init(
        _ box: SimulatedAppStore, at address: SocketAddressText, speed: Double,
        notifying target: NotificationTarget?, host: BoxHost, logger: Logger,
        whenServing: @escaping @Sendable (Int) async -> Void
    ) {
        self.box = box
        self.address = address
        self.host = host
        self.logger = logger
        self.whenServing = whenServing
        clock = BoxClock(
            box, speed: speed, poster: target.map(NotificationPoster.init), machine: host.now)
    }

    package func run() async throws {
        let application = Application(
            responder: CallbackResponder { (request: Request, context: BoxContext) in
                try await respond(to: request, context)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(address.name, port: address.port)),
            onServerRunning: { [whenServing] channel in
                await whenServing(channel.localAddress?.port ?? 0)
            }, logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            group.addTask { [clock, host] in
                await cancelWhenGracefulShutdown {
                    while !Task.isCancelled, (try? await host.sleep(Self.tick)) != nil {
                        await clock.catchUp()
                    }
                }
            }
            // The first to end is the server, or the clock because everything stops.
            try await group.next()
            try await group.next()
        }
    }

    private func respond(to request: Request, _ context: BoxContext) async throws -> Response {
        var request = request
        let body: ByteBuffer
        do {
            body = try await request.collectBody(upTo: Self.largestBody)
        } catch {
            return Response(status: .contentTooLarge)
        }
        let asked = AppStoreRequest(
            method: request.method.rawValue, target: request.uri.string,
            headers: request.headers.reduce(into: [:]) { fields, field in
                fields[field.name.canonicalName] = field.value
            }, body: Array(body.readableBytesView))
        if asked.target == "/box/clock", asked.method == "POST" {
            return make(await move(asked), context)
        }
        clock.catchUpWithoutSending()
        if asked.target == "/box/clock" { return make(showClock(), context) }
        let answer = box.answer(asked)
        if asked.isReset { clock.setSpeed(clock.speed) }
        if answer.delay > 0 { try await host.sleep(answer.delay) }
        // Who tells the box something finds it done when the answer comes.
        if asked.target.hasPrefix("/box/"), asked.method != "GET" { await clock.catchUp() }
        return make(answer, context)
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

    private func make(_ answer: AppStoreResponse, _ context: BoxContext) -> Response {
        var fields = HTTPFields()
        for (name, value) in answer.headers.sorted(by: { $0.key < $1.key }) {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        let status = HTTPResponse.Status(code: answer.status)
        let channel = context.channel
        switch answer.cut {
        case nil:
            return Response(
                status: status, headers: fields,
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
        case .beforeHead?:
            channel.close(promise: nil)
            return Response(status: status)
        case .afterBytes(let count)?:
            let part = ByteBuffer(bytes: answer.body.prefix(count))
            return Response(
                status: status, headers: fields,
                body: ResponseBody(contentLength: answer.body.count) { writer in
                    try await writer.write(part)
                    try await channel.close()
                })
        }
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

/// A request's connection, so that it can be cut.
private struct BoxContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
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
