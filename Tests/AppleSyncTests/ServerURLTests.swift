internal import AppleSync
internal import EntitlementEngine
internal import Testing

@Suite("Addresses of servers", .timeLimit(.minutes(5)))
struct ServerURLTests {
    @Test(
        "https, or http on this machine",
        arguments: [
            "https://api.storekit.apple.com", "https://example.com:8443/apple",
            "http://127.0.0.1:8080", "http://127.1.2.3", "http://localhost:1", "http://[::1]:80",
            "https://[2001:db8::1]:443/x", AppStoreConfiguration.verifyReceiptSandbox,
        ])
    func allowed(text: String) {
        #expect(ServerURL(text)?.text == text)
        #expect(ServerURL(text + "/")?.text == text)
    }

    @Test(
        "and nothing else",
        arguments: [
            "", "api.storekit.apple.com", "http://api.storekit.apple.com", "http://10.0.0.1",
            "http://127.0.0.1.example.com", "http://localhost.example.com", "http://127.0.0.256",
            "https://", "https:///x", "https:/x", "ftp://127.0.0.1", "HTTPS://x", "file:///etc",
            "https://user@example.com", "https://user:pass@example.com", "http://127.0.0.1@evil",
            "https://example.com?x", "https://example.com#x", "https://exa mple.com",
            "https://example.com:0", "https://example.com:", "https://example.com:99999",
            "https://[::1", "https://[]", "https://例え.jp", "https://a\\b", "http://127.0.0.1\u{0}",
        ])
    func refused(text: String) {
        #expect(ServerURL(text) == nil)
    }
}
