internal import Glibc
internal import NIOCore

/// Who sits at the other end of a connection, as the kernel knew when it was made.
///
/// Never the process id, which can be used again.
package struct PeerCredentials: Equatable, Sendable {
    package var user: UInt32
    package var group: UInt32

    package init(user: UInt32, group: UInt32) {
        self.user = user
        self.group = group
    }

    /// This process.
    package static var own: PeerCredentials { PeerCredentials(user: geteuid(), group: getegid()) }
}

/// What a caller may do; each role includes those before it (spec 3.1).
package enum PeerRole: String, CaseIterable, Comparable, Sendable {
    case query
    case ingest
    case admin

    package static func < (left: PeerRole, right: PeerRole) -> Bool {
        rank(left) < rank(right)
    }

    private static func rank(_ role: PeerRole) -> Int {
        switch role {
        case .query: 0
        case .ingest: 1
        case .admin: 2
        }
    }
}

/// What a peer is to the service.
package enum PeerStanding: Equatable, Sendable {
    case role(PeerRole)
    /// It says with each call for whom it asks, and may do nothing for itself.
    case delegate

    init?(_ text: String) {
        guard text != "delegate" else {
            self = .delegate
            return
        }
        guard let role = PeerRole(rawValue: text) else { return nil }
        self = .role(role)
    }
}

/// Which callers have which role on which socket (spec 3.1).
package struct PeerAccess: Sendable {
    /// One line of the allow-list.
    package struct Entry: Equatable, Sendable {
        package enum Who: Equatable, Sendable {
            case user(UInt32)
            case group(UInt32)
        }

        package var who: Who
        package var standing: PeerStanding

        package init(_ who: Who, _ standing: PeerStanding) {
            self.who = who
            self.standing = standing
        }

        package init(_ who: Who, _ role: PeerRole) {
            self.init(who, .role(role))
        }

        fileprivate func names(_ peer: PeerCredentials) -> Bool {
            switch who {
            case .user(let user): user == peer.user
            case .group(let group): group == peer.group
            }
        }
    }

    /// The two sockets.
    package enum Socket: Sendable {
        case query
        case operations
    }

    private let entries: [Entry]?
    private let owner: UInt32

    /// - Parameters:
    ///   - entries: nil if there is no allow-list: then the service's own user and root are
    ///     `admin`, and whoever else the file mode admits may ask on query.sock.
    ///   - owner: the service's own user.
    package init(entries: [Entry]?, owner: UInt32 = PeerCredentials.own.user) {
        self.entries = entries
        self.owner = owner
    }

    /// The highest role of `peer`; nil where it may do nothing. A delegate is one whatever other
    /// entries say: a call that does not say for whom it is must not be done as its own.
    package func standing(of peer: PeerCredentials, on socket: Socket) -> PeerStanding? {
        guard let entries else {
            if peer.user == owner || peer.user == 0 { return .role(.admin) }
            return socket == .query ? .role(.query) : nil
        }
        var highest: PeerRole?
        for entry in entries where entry.names(peer) {
            switch entry.standing {
            case .role(let role): highest = max(highest ?? role, role)
            case .delegate: return socket == .query ? .role(.query) : .delegate
            }
        }
        return highest.map { .role($0) }
    }
}

/// The allow-list as it is written in settings.
extension PeerAccess.Entry {
    /// Reads `uid:1000=admin`, `gid:33=query` or `uid:1001=delegate`; nil for anything else.
    package init?(_ text: String) {
        let sides = text.split(separator: "=", omittingEmptySubsequences: false)
            .map { $0.trimmingSpaces }
        guard sides.count == 2, let standing = PeerStanding(sides[1]) else { return nil }
        let parts = sides[0].split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = UInt32(plain: parts[1]) else { return nil }
        switch parts[0] {
        case "uid": self.init(.user(number), standing)
        case "gid": self.init(.group(number), standing)
        default: return nil
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

extension PeerCredentials {
    /// Asks the kernel who is at the other end of `channel`.
    static func ofPeer(on channel: any Channel) -> EventLoopFuture<PeerCredentials> {
        guard let provider = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        let credentials: EventLoopFuture<KernelCredentials> = provider.unsafeGetSocketOption(
            level: NIOBSDSocket.OptionLevel(rawValue: SOL_SOCKET),
            name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
        return credentials.map { PeerCredentials(user: $0.user, group: $0.group) }
    }
}

/// `struct ucred` of unix(7).
private struct KernelCredentials: Sendable {
    var process: Int32
    var user: UInt32
    var group: UInt32
}
