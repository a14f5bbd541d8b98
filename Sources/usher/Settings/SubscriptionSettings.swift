internal import EntitlementEngine
internal import EntitlementModel
internal import FoundationEssentials
internal import Yams

/// What the settings file says of those that are sent changes (docs/PUSH.md).
enum SubscriptionSettings {
    /// Under which the file has them.
    static let name = "subscriptions"

    private static let keys: Set<String> = [
        "url", "secret-file", "secret-env", "accounts", "kinds", "entitlements", "from",
    ]

    /// Whether a setting of the file is part of a subscription.
    static func contains(_ setting: String) -> Bool {
        setting == name || setting.hasPrefix(name + ".")
    }

    /// In the order of the file, checked.
    static func read(
        ofFile path: String, environment: [String: String]
    ) throws(CommandFailure) -> [PushSubscription] {
        let list = try entries(ofFile: path)
        guard list.count <= PushSubscription.most else {
            throw .subscription(.tooMany)
        }
        var subscriptions: [PushSubscription] = []
        for (name, node) in list {
            guard PushSubscription.isName(name) else { throw .subscription(.name(name)) }
            guard let mapping = node.mapping else { throw .subscription(.notMapping(name)) }
            subscriptions.append(
                try SubscriptionReader(
                    name: name, mapping: mapping, environment: environment
                ).read())
        }
        return subscriptions
    }

    /// Names, for whoever prints the settings.
    static func names(ofFile path: String) throws(CommandFailure) -> [String] {
        try entries(ofFile: path).map(\.name)
    }

    private static func entries(
        ofFile path: String
    ) throws(CommandFailure) -> [(name: String, node: Node)] {
        guard let list = try SettingsFile.root(of: path)?[name] else { return [] }
        guard let mapping = list.mapping else {
            if list.null != nil { return [] }
            throw .subscription(.notMapping(name))
        }
        return mapping.map { ($0.key.string ?? "?", $0.value) }
    }

    /// One subscription, key by key.
    private struct SubscriptionReader {
        let name: String
        let mapping: Node.Mapping
        let environment: [String: String]

        func read() throws(CommandFailure) -> PushSubscription {
            for key in mapping.keys where !keys.contains(key.string ?? "") {
                throw .subscription(.unknownKey(name, key.string ?? "?"))
            }
            guard let url = try text("url") else {
                throw .subscription(.missing(name, "url"))
            }
            guard let receiver = ReceiverAddress(url) else {
                throw .subscription(.url(name, url))
            }
            var subscription = PushSubscription(
                name: name, receiver: receiver, secret: try secret())
            subscription.filter = try filter()
            switch try text("from") {
            case nil, "now": break
            case "start": subscription.beginsAtFirst = true
            default: throw .subscription(.value(name, "from"))
            }
            return subscription
        }

        private func filter() throws(CommandFailure) -> PushFilter {
            var filter = PushFilter()
            if let prefix = try text("accounts") {
                guard AccountID(prefix) != nil else {
                    throw .subscription(.value(name, "accounts"))
                }
                filter.accountPrefix = prefix
            }
            for word in try list("kinds") {
                guard let kind = FeedChange.Kind(rawValue: word) else {
                    throw .subscription(.value(name, "kinds"))
                }
                filter.kinds.insert(kind)
            }
            for word in try list("entitlements") {
                guard EntitlementName(word) != nil else {
                    throw .subscription(.value(name, "entitlements"))
                }
                filter.entitlements.insert(word)
            }
            return filter
        }

        private func secret() throws(CommandFailure) -> PushSecret {
            let secret: Secret
            switch (try text("secret-file"), try text("secret-env")) {
            case (let path?, nil):
                do throws(SecretFile.Problem) {
                    secret = try SecretFile.read(path)
                } catch {
                    throw .subscription(.file(name, path, error))
                }
            case (nil, let variable?):
                guard let text = environment[variable] else {
                    throw .subscription(.variable(name, variable))
                }
                secret = Secret(text)
            default: throw .subscription(.missing(name, "secret-file"))
            }
            guard let key = PushSecret(secret) else { throw .subscription(.secret(name)) }
            return key
        }

        private func text(_ key: String) throws(CommandFailure) -> String? {
            guard let node = mapping[Node(key)] else { return nil }
            guard let text = node.scalar?.string, !text.isEmpty else {
                throw .subscription(.value(name, key))
            }
            return text
        }

        private func list(_ key: String) throws(CommandFailure) -> [String] {
            guard let node = mapping[Node(key)] else { return [] }
            guard let words = node.sequence?.map({ $0.scalar?.string }), !words.isEmpty,
                words.count <= 1_000, words.allSatisfy({ $0 != nil })
            else { throw .subscription(.value(name, key)) }
            return words.compactMap(\.self)
        }
    }
}

/// Why a subscription cannot be as the settings file has it.
enum SubscriptionProblem {
    case tooMany
    case name(String)
    case notMapping(String)
    case unknownKey(String, String)
    case missing(String, String)
    case url(String, String)
    case file(String, String, SecretFile.Problem)
    case variable(String, String)
    case secret(String)
    case value(String, String)

    func sentence(_ language: Language) -> String {
        func text(_ phrase: SubscriptionPhrase, _ facts: String...) -> String {
            phrase.filled(with: facts.map(\.shown), in: language)
        }
        switch self {
        case .tooMany: return text(.tooMany, "\(PushSubscription.most)")
        case .name(let name): return text(.name, name)
        case .notMapping(let name): return text(.notMapping, name)
        case .unknownKey(let name, let key): return text(.unknownKey, name, key)
        case .missing(let name, let key): return text(.missing, name, key)
        case .url(let name, let url): return text(.url, name, url)
        case .file(let name, let path, .unreadable): return text(.unreadable, name, path)
        case .file(let name, let path, .exposed): return text(.exposed, name, path)
        case .variable(let name, let variable): return text(.variable, name, variable)
        case .secret(let name): return text(.secret, name)
        case .value(let name, let key): return text(.value, name, key)
        }
    }
}
