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
    /// - Throws: `.appStoreSetup` if neither names one.
    func configuration(_ policy: Policy?) throws(CommandFailure) -> AppStoreConfiguration {
        guard let bundleID = bundleID ?? policy?.app.bundleID else {
            throw .appStoreSetup(.bundleID)
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

/// Why Apple's servers cannot be asked.
enum AppStoreSetupProblem {
    case notConfigured
    case missing(Setting)
    case file(Setting, String, SecretFile.Problem)
    case key(AppStoreKey.Problem, file: String)
    /// The file of the shared secret has something else in it.
    case secret(String)
    case bundleID

    func sentence(_ language: Language) -> String {
        func text(_ phrase: AppStoreSetupPhrase, _ setting: Setting, _ path: String) -> String {
            phrase.text(language, setting.rawValue, path.shown)
        }
        switch self {
        case .notConfigured: return AppStoreSetupPhrase.notConfigured.text(language)
        case .missing(let setting):
            return AppStoreSetupPhrase.incomplete.text(language, setting.rawValue)
        case .file(let setting, let path, .unreadable): return text(.unreadable, setting, path)
        case .file(let setting, let path, .exposed): return text(.exposed, setting, path)
        case .key(.issuerID, _): return text(.issuerID, .issuerID, "")
        case .key(.keyID, _): return text(.keyID, .keyID, "")
        case .key(.notPEM, let path): return text(.notPEM, .keyFile, path)
        case .key(.notP256, let path): return text(.notP256, .keyFile, path)
        case .secret(let path): return text(.secret, .sharedSecretFile, path)
        case .bundleID: return AppStoreSetupPhrase.bundleID.text(language)
        }
    }
}

extension ServiceSettings {
    /// Nil where neither a key nor a shared secret is set: then Apple's servers are not asked.
    ///
    /// - Throws: `.badSetting` also then, `.appStoreSetup` for files and keys.
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
            throw .appStoreSetup(.missing(missing))
        }
        let pem = try secret(.keyFile, at: given[2])
        do throws(AppStoreKey.Problem) {
            return try AppStoreKey(issuerID: given[0], keyID: given[1], pem: pem)
        } catch {
            throw .appStoreSetup(.key(error, file: given[2]))
        }
    }

    private func sharedSecret() throws(CommandFailure) -> Secret? {
        guard let path = textIfAny(.sharedSecretFile) else { return nil }
        let text = try secret(.sharedSecretFile, at: path).revealed
        let line = text.hasSuffix("\n") ? String(text.dropLast()) : text
        guard (1...256).contains(line.utf8.count),
            line.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .appStoreSetup(.secret(path)) }
        return Secret(line)
    }

    private func secret(_ setting: Setting, at path: String) throws(CommandFailure) -> Secret {
        do throws(SecretFile.Problem) {
            return try SecretFile.read(path)
        } catch {
            throw .appStoreSetup(.file(setting, path, error))
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
