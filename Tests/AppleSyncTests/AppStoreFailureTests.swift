internal import AppleSync
internal import EntitlementEngine
internal import EntitlementModel
internal import Testing

@Suite("Failures of Apple's servers", .timeLimit(.minutes(1)))
struct AppStoreFailureTests {
    @Test("only what time alone can mend is tried again")
    func retryable() {
        let retryable = AppStoreFailure.Kind.allCases.filter { AppStoreFailure($0).isRetryable }
        #expect(retryable == [.rateLimited, .unavailable, .network])
    }

    @Test("a library that is missing is named, and not looked for again in the same call")
    func lacksLibrary() async throws {
        let servers = ScriptedServers(always: .failure(.noLibrary))
        let client = try Sample.client(servers)
        let failure = await Sample.failure { () async throws(AppStoreFailure) in
            try await client.finish(Sample.id, in: .production)
        }
        #expect(failure?.kind == .network)
        #expect(failure?.lacksLibrary == true)
        #expect(servers.requests.count == 1)
    }
}
