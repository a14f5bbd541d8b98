internal import AppStoreClient
internal import Testing

@Suite("Failures of Apple's servers", .timeLimit(.minutes(1)))
struct AppStoreFailureTests {
    @Test("only what time alone can mend is tried again")
    func retryable() {
        let retryable = AppStoreFailure.Kind.allCases.filter { AppStoreFailure($0).isRetryable }
        #expect(retryable == [.rateLimited, .unavailable, .network])
    }
}
