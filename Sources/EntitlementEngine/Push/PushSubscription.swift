package import EntitlementModel

/// Somebody who is sent the changes of the feed, and which of them (spec 1.10).
package struct PushSubscription: Sendable {
    /// Unique; lower-case letters, digits and hyphens.
    package let name: String
    package let receiver: ReceiverAddress
    package let secret: PushSecret
    package var filter = PushFilter()
    /// Where it begins that was never sent anything: with the first change, or with the next one.
    package var beginsAtFirst = false

    package init(name: String, receiver: ReceiverAddress, secret: PushSecret) {
        self.name = name
        self.receiver = receiver
        self.secret = secret
    }

    /// How many there may be: each has a connection and a task of its own.
    package static let most = 32

    package static func isName(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
            }
    }
}

/// The changes that a subscription wants: those for which all that it names is true.
package struct PushFilter: Hashable, Sendable {
    /// What an account begins with; a change without an account is not wanted then.
    package var accountPrefix: String?
    /// Empty for all.
    package var kinds: Set<FeedChange.Kind> = []
    /// Empty for all; a change of something else than a right is not wanted then.
    package var entitlements: Set<String> = []

    package init() {}

    package func includes(_ change: FeedChange) -> Bool {
        if let accountPrefix, change.account?.text.hasPrefix(accountPrefix) != true {
            return false
        }
        guard kinds.isEmpty || kinds.contains(change.kind) else { return false }
        return entitlements.isEmpty
            || change.kind.isRight && entitlements.contains(change.subject)
    }
}

/// Where changes are sent: on this machine, and nowhere else.
package struct ReceiverAddress: Hashable, Sendable {
    /// As the transport takes it.
    package let url: String
    /// The path of the unix socket; nil for a port.
    package let socket: String?
    /// As people wrote it.
    package let shown: String

    /// Reads `http://127.0.0.1:PORT/PATH`, `http://[::1]:PORT/PATH`, or the path of a socket with
    /// the path of the request behind a colon: `/run/app/hook.sock:/changes`. Nil for anything else:
    /// a name may be resolved to another machine, and nobody listens to TLS on a loopback.
    package init?(_ text: String) {
        guard text.utf8.count <= 512, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        if text.hasPrefix("/") {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let path = parts.count == 2 ? String(parts[1]) : "/"
            guard parts[0].utf8.count <= Self.longestSocketPath, parts[0].utf8.count > 1,
                Self.isPath(path[...])
            else { return nil }
            (url, socket) = ("http://localhost" + path, String(parts[0]))
        } else {
            let hosts = ["http://127.0.0.1:", "http://[::1]:"]
            guard let host = hosts.first(where: { text.hasPrefix($0) }) else { return nil }
            let rest = text.dropFirst(host.count)
            let port = rest.prefix { $0 != "/" }
            guard (1...5).contains(port.utf8.count),
                port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(port),
                (1...65_535).contains(number)
            else { return nil }
            let path = rest.dropFirst(port.count)
            guard path.isEmpty || Self.isPath(path) else { return nil }
            (url, socket) = (text, nil)
        }
        shown = text
    }

    /// What the system takes, without the byte at its end.
    private static let longestSocketPath = 107

    private static func isPath(_ path: Substring) -> Bool {
        path.hasPrefix("/") && !path.contains("#") && !path.contains("\\")
    }
}
