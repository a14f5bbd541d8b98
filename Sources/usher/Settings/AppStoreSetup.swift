internal import AppleSync
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import Logging

/// What the settings say of Apple's servers, checked. Nothing of it opens a connection.
struct AppStoreSetup {
    static let callsPerSecond = 10
    static let concurrency = 8

    let key: AppStoreKey?
    let sharedSecret: Secret?
    /// Nil where the policy is to say it.
    let bundleID: BundleID?
    let api: AppStoreConfiguration.Servers
    let verifyReceipt: AppStoreConfiguration.Servers
    let isReleased: Bool
    let callsPerSecond: Int
    let concurrency: Int

    /// For an app: that of the settings, else of the policy.
    ///
    /// - Throws: if neither names one.
    func configuration(_ policy: Policy?) throws(CommandFailure) -> AppStoreConfiguration {
        guard let bundleID = bundleID ?? policy?.app.bundleID else {
            throw .appStore(.bundleID)
        }
        var configuration = AppStoreConfiguration(
            key: key, sharedSecret: sharedSecret, bundleID: bundleID, api: api,
            verifyReceipt: verifyReceipt)
        if bundleID == policy?.app.bundleID { configuration.appAppleID = policy?.app.appleID }
        configuration.isReleased = isReleased
        configuration.callsPerSecond = callsPerSecond
        configuration.concurrency = concurrency
        return configuration
    }
}

extension CommandFailure {
    /// Apple's servers cannot be asked as the settings have it.
    static func appStore(
        _ phrase: AppStoreSetupPhrase, _ setting: Setting? = nil, _ path: String = ""
    ) -> CommandFailure {
        .settings(SettingProblem(.appStore, phrase, setting?.rawValue ?? "", path))
    }
}

extension ServiceSettings {
    /// Nil where neither a key nor a shared secret is set: then Apple's servers are not asked.
    ///
    /// - Throws: for values also then, and for files and keys.
    func appStoreSetup() throws(CommandFailure) -> AppStoreSetup? {
        let setup = AppStoreSetup(
            key: try appStoreKey(), sharedSecret: try sharedSecret(),
            bundleID: try storeBundleID(),
            api: .init(production: try url(.productionURL), sandbox: try url(.sandboxURL)),
            verifyReceipt: .init(
                production: try url(.receiptProductionURL),
                sandbox: try url(.receiptSandboxURL)),
            isReleased: try flag(.isReleased), callsPerSecond: try number(.callsPerSecond),
            concurrency: try number(.callConcurrency))
        return setup.key == nil && setup.sharedSecret == nil ? nil : setup
    }

    private func appStoreKey() throws(CommandFailure) -> AppStoreKey? {
        let settings: [Setting] = [.issuerID, .keyID, .keyFile]
        let given = settings.compactMap(textIfAny)
        guard !given.isEmpty else { return nil }
        if let missing = settings.first(where: { textIfAny($0) == nil }) {
            throw .appStore(.incomplete, missing)
        }
        let pem = try secret(.keyFile, at: given[2])
        do throws(AppStoreKey.Problem) {
            return try AppStoreKey(issuerID: given[0], keyID: given[1], pem: pem)
        } catch {
            switch error {
            case .issuerID: throw .appStore(.issuerID, .issuerID)
            case .keyID: throw .appStore(.keyID, .keyID)
            case .notPEM: throw .appStore(.notPEM, .keyFile, given[2])
            case .notP256: throw .appStore(.notP256, .keyFile, given[2])
            }
        }
    }

    private func sharedSecret() throws(CommandFailure) -> Secret? {
        guard let path = textIfAny(.sharedSecretFile) else { return nil }
        let text = try secret(.sharedSecretFile, at: path).revealed
        let line = text.hasSuffix("\n") ? String(text.dropLast()) : text
        guard (1...256).contains(line.utf8.count),
            line.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .appStore(.secret, .sharedSecretFile, path) }
        return Secret(line)
    }

    private func secret(_ setting: Setting, at path: String) throws(CommandFailure) -> Secret {
        do throws(SecretFile.Problem) {
            return try SecretFile.read(path)
        } catch {
            throw .appStore(error == .exposed ? .exposed : .unreadable, setting, path)
        }
    }

    private func storeBundleID() throws(CommandFailure) -> BundleID? {
        guard let text = textIfAny(.storeBundleID) else { return nil }
        guard let id = BundleID(text) else { throw bad(.storeBundleID) }
        return id
    }

    private func url(_ setting: Setting) throws(CommandFailure) -> ServerURL {
        guard let url = ServerURL(self[setting]) else { throw bad(setting) }
        return url
    }

    private func flag(_ setting: Setting) throws(CommandFailure) -> Bool {
        guard let flag = Bool(self[setting]) else { throw bad(setting) }
        return flag
    }

    private func number(_ setting: Setting) throws(CommandFailure) -> Int {
        guard let number = Int(plain: self[setting]), setting.range?.contains(number) ?? false
        else { throw bad(setting) }
        return number
    }
}

extension AppStoreClient {
    /// The client that asks over the network.
    init(_ configuration: AppStoreConfiguration) {
        self.init(
            configuration, transport: NetworkTransport(), context: SystemContext())
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

/// What is said where Apple's servers cannot be asked as the settings have it.
enum AppStoreSetupPhrase: String, CaseIterable, UsherText, Wording {
    case notConfigured = """
        Apple's servers are not configured: set app-store.issuer-id, app-store.key-id and \
        app-store.key-file
        """
    case incomplete =
        "{0} is missing: issuer id, key id and key file of Apple's servers belong together"
    case unreadable = "{0}: the file {1} cannot be read, or is not a file of at most 64 KiB"
    case exposed = "{0}: others may read the file {1}; run 'chmod 600' on it"
    case issuerID = "{0}: the issuer id must be a UUID, as App Store Connect shows it"
    case keyID = "{0}: the key id must be letters and digits, as App Store Connect shows it"
    case notPEM = "{0}: the file {1} is not a .p8 file with a private key"
    case notP256 = "{0}: the private key in {1} is not a P-256 key, or is damaged"
    case secret = "{0}: the file {1} must contain one line of at most 256 printable characters"
    case bundleID = "set app-store.bundle-id: there is no valid policy that names the app"
}
