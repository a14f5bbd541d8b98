internal import StoreBox
internal import Testing

@Suite("Requests to the simulated App Store", .timeLimit(.minutes(1)))
struct AppStoreRequestTests {
    @Test("a request without a body has none")
    func bodiless() {
        #expect(AppStoreRequest(method: "GET", target: "/").body.isEmpty)
    }
}
