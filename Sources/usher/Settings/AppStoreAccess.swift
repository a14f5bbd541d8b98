internal import AppStoreClient
internal import EntitlementEngine
internal import EntitlementModel
internal import Logging

extension AppStoreClient {
    /// The client that asks over the network.
    init(_ configuration: AppStoreConfiguration) {
        self.init(
            configuration, transport: NetworkTransport(), surroundings: SystemSurroundings())
    }
}

extension Logger {
    /// Says at the start whether Apple's servers are going to be asked.
    func tell(of client: AppStoreClient?) {
        guard let configuration = client?.configuration else {
            return info("Apple's servers are not configured: no network connection is opened")
        }
        let api = configuration.key == nil ? nil : configuration.api.production.text
        notice(
            "Apple's servers are configured",
            metadata: [
                "bundle": "\(configuration.bundleID)", "api": "\(api ?? "no")",
                "verify-receipt":
                    configuration.sharedSecret == nil
                    ? "no" : "\(configuration.verifyReceipt.production.text)",
            ])
        tellOfTransport()
    }

    /// Says it where what is going to be sent cannot be.
    func tellOfTransport() {
        guard !NetworkTransport.isAvailable else { return }
        error("nothing can be sent before libcurl.so.4 is installed (Debian: apt install libcurl4)")
    }
}

/// The machine's clock, its timers, and its random numbers.
struct SystemSurroundings: AppStoreSurroundings {
    func now() -> Instant { SystemClock().now() }

    func wait(until instant: Instant) async throws(CancellationError) {
        let pause = instant.milliseconds(since: now())
        do {
            if pause > 0 { try await Task.sleep(for: .milliseconds(pause)) }
        } catch {
            throw CancellationError()
        }
    }

    func chance() -> Double { Double.random(in: 0..<1) }
}

extension AppStoreFailure {
    /// What happened, and what Apple says of it.
    func sentence(_ language: Language) -> String {
        let words = AppStoreFailurePhrase(rawValue: kind.rawValue)?.text(language)
        var details: [String] = []
        if let code {
            let meaning = AppleCodePhrase(rawValue: code)?.text(language)
            details.append(
                meaning.map { AppStoreFailureDetail.codeMeaning.text(language, "\(code)", $0) }
                    ?? AppStoreFailureDetail.code.text(language, "\(code)"))
        }
        if let httpStatus {
            details.append(AppStoreFailureDetail.status.text(language, "\(httpStatus)"))
        }
        if lacksLibrary { details.append(AppStoreFailureDetail.library.text(language)) }
        if let retryAt {
            details.append(AppStoreFailureDetail.retryAt.text(language, retryAt.date))
        }
        let sentence = words ?? kind.rawValue
        return details.isEmpty ? sentence : "\(sentence) (\(language.list(details)))"
    }
}
