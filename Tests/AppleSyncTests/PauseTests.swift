internal import AppleSync
internal import EntitlementEngine
internal import EntitlementModel
internal import Testing

@Suite("Pauses between attempts", .timeLimit(.minutes(5)))
struct PauseTests {
    private func finish(
        _ servers: ScriptedServers, _ context: VirtualContext
    ) async throws -> AppStoreFailure? {
        let client = try Sample.client(servers, context)
        return await Sample.failure { () async throws(AppStoreFailure) in
            try await client.finish(Sample.id, in: .production)
        }
    }

    @Test(
        "double, and chance shortens them by up to a half",
        arguments: [
            (0.0, [500, 1_000, 2_000]), (0.5, [375, 750, 1_500]), (0.999, [250, 500, 1_000]),
        ])
    func grow(chance: Double, expected: [Int64]) async throws {
        let context = VirtualContext(chance: chance)
        let failure = try await finish(ScriptedServers(always: .status(503)), context)
        #expect(failure == AppStoreFailure(.unavailable, httpStatus: 503))
        #expect(context.waits == expected)
    }

    @Test("end with the first good answer")
    func endWithSuccess() async throws {
        let context = VirtualContext()
        let servers = ScriptedServers(inTurn: [.status(500), .failure(.timedOut), .status(200)])
        let failure = try await finish(servers, context)
        #expect(failure == nil)
        #expect(context.waits == [500, 1_000])
    }

    /// From now, in milliseconds; what the pause before the second attempt is, or nil where the call
    /// ends, and with which `retryAt`.
    @Test(
        "are as long as a Retry-After says, within bounds",
        arguments: [
            (3_000, 3_000, nil), (100, 500, nil), (0, 500, nil), (-5_000, 500, nil),
            (60_000, nil, 60_000), (3_600_000, nil, 3_600_000),
            (400 * 86_400_000, nil, 3_600_000),
        ] as [(Int64, Int64?, Int64?)])
    func retryAfter(delay: Int64, pause: Int64?, retryAt: Int64?) async throws {
        let context = VirtualContext()
        let text = "\(Sample.now.advanced(byMilliseconds: delay).milliseconds)"
        let servers = ScriptedServers(
            inTurn: [.error(4_290_000, retryAfter: text), .status(200)])
        let failure = try await finish(servers, context)
        #expect(context.waits.first == pause)
        #expect(
            failure?.retryAt == retryAt.map { Sample.now.advanced(byMilliseconds: $0) })
        #expect((failure == nil) == (retryAt == nil))
    }

    @Test(
        "are our own where a Retry-After cannot be read",
        arguments: [
            "", "soon", "120", "-1", "9223372036854775808", "Wed, 21 Oct 2026 07:28:00 GMT",
        ])
    func unreadableRetryAfter(text: String) async throws {
        let context = VirtualContext()
        let servers = ScriptedServers(
            inTurn: [.error(4_290_000, retryAfter: text), .status(200)])
        let failure = try await finish(servers, context)
        #expect(failure == nil)
        #expect(context.waits == [500])
    }

    @Test("that Apple asks for are kept by all calls to that environment, and by no others")
    func retryAfterHoldsForAll() async throws {
        let context = VirtualContext()
        let later = Sample.now.advanced(byMilliseconds: 600_000)
        let servers = ScriptedServers { request, _ in
            request.url.hasPrefix(Sample.production) && context.now() < later
                ? .error(4_290_000, retryAfter: "\(later.milliseconds)") : .status(200)
        }
        let client = try Sample.client(servers, context)
        for _ in 0..<3 {
            let failure = await Sample.failure { () async throws(AppStoreFailure) in
                try await client.finish(Sample.id, in: .production)
            }
            #expect(failure?.kind == .rateLimited)
            #expect(failure?.retryAt == later)
        }
        #expect(servers.requests.count == 1)
        try await client.finish(Sample.id, in: .sandbox)
        context.set(to: later)
        try await client.finish(Sample.id, in: .production)
        #expect(servers.count(to: Sample.production) == 2)
    }

    @Test("what may have been carried out is not sent again, unless Apple says that it was not")
    func unrepeatable() async throws {
        for (answer, count) in [
            (.failure(.brokenOff), 1), (.failure(.timedOut), 1), (.status(503), 1),
            (.error(5_000_001), 1), (.error(4_290_000), 4),
        ] as [(Result<TransportResponse, TransportFailure>, Int)] {
            let servers = ScriptedServers(always: answer)
            let client = try Sample.client(servers)
            let extent = try #require(
                RenewalExtension(extraDays: 3, reason: .outage, requestID: "r"))
            let failure = await Sample.failure { () async throws(AppStoreFailure) in
                try await client.extend(Sample.id, by: extent, in: .production)
            }
            #expect(failure != nil)
            #expect(servers.requests.count == count)
        }
    }

    @Test("a caller who is cancelled waits no longer")
    func cancelled() async throws {
        let servers = ScriptedServers { _, _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return .status(503)
        }
        let client = try Sample.client(servers)
        let failure = await Task {
            await Sample.failure { () async throws(AppStoreFailure) in
                try await client.finish(Sample.id, in: .production)
            }
        }.value
        #expect(failure == AppStoreFailure(.network))
        #expect(servers.requests.count == 1)
    }
}
