internal import EntitlementEngine
internal import EntitlementModel
internal import FoundationEssentials
internal import Yams

/// What the settings file says of those that are sent changes (docs/PUSH.md).
struct SubscriptionSettings {
    /// Under which the file has them.
    static let name = "subscriptions"

    private static let keys: Set<String> = [
        "url", "secret-file", "secret-env", "accounts", "kinds", "entitlements", "from",
    ]

    /// The file; empty where there is none.
    private(set) var path = ""
    private var entries: [(name: String, node: Node)] = []
    private var isMapping = true
    private var line = 1

    /// None.
    init() {}

    init(_ node: Node, inFile path: String) {
        self.path = path
        line = node.mark?.line ?? 1
        isMapping = node.mapping != nil || node.null != nil
        entries = node.mapping?.map { ($0.key.string ?? "?", $0.value) } ?? []
    }

    /// Names, for whoever prints the settings.
    var names: [String] { entries.map(\.name) }

    /// In the order of the file, checked.
    ///
    /// - Throws: `.several`, one for each that cannot be.
    func read(environment: [String: String]) throws(CommandFailure) -> [PushSubscription] {
        guard isMapping else { throw failure(.because(.notMapping, Self.name), at: line) }
        guard entries.count <= PushSubscription.most else {
            throw failure(.because(.tooMany, "\(PushSubscription.most)"), at: line)
        }
        var subscriptions: [PushSubscription] = []
        var mistakes: [CommandFailure] = []
        for (name, node) in entries {
            do throws(SettingProblem) {
                guard PushSubscription.isName(name) else { throw .because(.name, name) }
                guard let mapping = node.mapping else { throw .because(.notMapping, name) }
                let reader = SubscriptionReader(
                    name: name, mapping: mapping, environment: environment)
                subscriptions.append(try reader.read())
            } catch {
                mistakes.append(failure(error, at: node.mark?.line ?? line))
            }
        }
        try CommandFailure.throwAny(of: mistakes)
        return subscriptions
    }

    private func failure(_ problem: SettingProblem, at line: Int) -> CommandFailure {
        var problem = problem
        problem.place = "\(path):\(line)"
        return .settings(problem)
    }

    /// One subscription, key by key.
    private struct SubscriptionReader {
        let name: String
        let mapping: Node.Mapping
        let environment: [String: String]

        func read() throws(SettingProblem) -> PushSubscription {
            for key in mapping.keys where !keys.contains(key.string ?? "") {
                throw .because(.unknownKey, name, key.string ?? "?")
            }
            guard let url = try text("url") else {
                throw .because(.missing, name, "url")
            }
            guard let receiver = ReceiverAddress(url) else {
                throw .because(.url, name, url)
            }
            var subscription = PushSubscription(
                name: name, receiver: receiver, secret: try secret())
            subscription.filter = try filter()
            switch try text("from") {
            case nil, "now": break
            case "start": subscription.beginsAtFirst = true
            default: throw .because(.value, name, "from")
            }
            return subscription
        }

        private func filter() throws(SettingProblem) -> PushFilter {
            var filter = PushFilter()
            if let prefix = try text("accounts") {
                guard AccountID(prefix) != nil else {
                    throw .because(.value, name, "accounts")
                }
                filter.accountPrefix = prefix
            }
            for word in try list("kinds") {
                guard let kind = FeedChange.Kind(rawValue: word) else {
                    throw .because(.value, name, "kinds")
                }
                filter.kinds.insert(kind)
            }
            for word in try list("entitlements") {
                guard EntitlementName(word) != nil else {
                    throw .because(.value, name, "entitlements")
                }
                filter.entitlements.insert(word)
            }
            return filter
        }

        private func secret() throws(SettingProblem) -> PushSecret {
            let secret: Secret
            switch (try text("secret-file"), try text("secret-env")) {
            case (let path?, nil):
                do throws(SecretFile.Problem) {
                    secret = try SecretFile.read(path)
                } catch {
                    throw .because(error == .exposed ? .exposed : .unreadable, name, path)
                }
            case (nil, let variable?):
                guard let text = environment[variable] else {
                    throw .because(.variable, name, variable)
                }
                secret = Secret(text)
            default: throw .because(.missing, name, "secret-file")
            }
            guard let key = PushSecret(secret) else { throw .because(.secret, name) }
            return key
        }

        private func text(_ key: String) throws(SettingProblem) -> String? {
            guard let node = mapping[Node(key)] else { return nil }
            guard let text = node.scalar?.string, !text.isEmpty else {
                throw .because(.value, name, key)
            }
            return text
        }

        private func list(_ key: String) throws(SettingProblem) -> [String] {
            guard let node = mapping[Node(key)] else { return [] }
            guard let words = node.sequence?.map({ $0.scalar?.string }), !words.isEmpty,
                words.count <= 1_000, words.allSatisfy({ $0 != nil })
            else { throw .because(.value, name, key) }
            return words.compactMap(\.self)
        }
    }
}

extension SettingProblem {
    /// A subscription cannot be as the settings have it.
    fileprivate static func because(
        _ phrase: SubscriptionPhrase, _ name: String, _ other: String = ""
    ) -> SettingProblem {
        SettingProblem(.subscription, phrase, name, other)
    }
}

/// What is wrong with a subscription of the settings file.
enum SubscriptionPhrase: String, CaseIterable, UsherText, Wording {
    case tooMany = "'subscriptions': there may be {0} at most"
    case name =
        "'subscriptions': '{0}' is not a name; write 1 to 32 lower-case letters, digits and hyphens"
    case notMapping = "'subscriptions': '{0}' must have keys and values"
    case unknownKey = """
        'subscriptions': '{0}' has an unknown key '{1}'; known are 'url, secret-file, secret-env, \
        accounts, kinds, entitlements, from'
        """
    case missing = "'subscriptions': '{0}' needs '{1}', once"
    case url = """
        'subscriptions': '{0}' cannot send to '{1}'; write http://127.0.0.1:PORT/PATH, \
        http://[::1]:PORT/PATH or /path/of/a.sock:/PATH
        """
    case unreadable =
        "'subscriptions': '{0}': the file {1} cannot be read, or is not a file of at most 64 KiB"
    case exposed = "'subscriptions': '{0}': others may read the file {1}; run 'chmod 600' on it"
    case variable = "'subscriptions': '{0}': the environment has no variable {1}"
    case secret = "'subscriptions': '{0}': the secret must be whsec_ and base64 of 24 to 64 bytes"
    case value = "'subscriptions': '{0}': '{1}' cannot be as it is written; see docs/PUSH.md"
}
