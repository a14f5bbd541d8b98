internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// The name of a user of this machine, for the ledger.
enum CallerName: Equatable, Sendable {
    case name(String)
    /// The machine has no name for it.
    case nameless
    /// The lookup has failed; the meaning of a key must not depend on that.
    case unknown
}

/// The names of this machine's users: the same service has one name on all machines of a fleet, and
/// seldom one number.
package final class CallerNames: Sendable {
    private struct Answer {
        var name: String?
        var until: ContinuousClock.Instant
    }

    private static let longestName = 255
    /// More users than a machine lets come to the sockets at once.
    private static let limit = 1_024
    /// For so long an answer of the machine is not asked for again.
    private static let freshness = Duration.seconds(60)
    private let given: [UInt32: String]
    private let lookUp: @Sendable (UInt32) throws -> String?
    private let known = Mutex<[UInt32: Answer]>([:])

    /// - Parameters:
    ///   - given: names by the settings; they come before the machine's.
    ///   - lookUp: the machine's name of a user; may block. Throws if the lookup fails.
    package init(
        given: [UInt32: String] = [:],
        lookUp: @escaping @Sendable (UInt32) throws -> String? = userName
    ) {
        self.given = given
        self.lookUp = lookUp
    }

    /// Printable, without a space: a name is part of what lines and ids are made of.
    package static func isName(_ text: String) -> Bool {
        (1...longestName).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    func name(of user: UInt32, on loop: any EventLoop) -> EventLoopFuture<CallerName> {
        if let name = given[user] { return loop.makeSucceededFuture(.name(name)) }
        if let answer = known.withLock({ $0[user] }), .now < answer.until {
            return loop.makeSucceededFuture(answer.name.map { .name($0) } ?? .nameless)
        }
        return NIOThreadPool.singleton.runIfActive(eventLoop: loop) { [self] in ask(for: user) }
    }

    /// If the lookup fails, the last name stays valid. Blocks.
    func ask(for user: UInt32) -> CallerName {
        let found = Result { try lookUp(user) }
        let answer = known.withLock { known in
            if case .success(let name) = found {
                if known.count >= Self.limit { known = [:] }
                known[user] = Answer(
                    name: name.flatMap { Self.isName($0) ? $0 : nil },
                    until: .now + Self.freshness)
            }
            return known[user]
        }
        guard let answer else { return .unknown }
        return answer.name.map { .name($0) } ?? .nameless
    }
}

/// The machine's own name for a user (`getpwuid_r`), from whatever it keeps them in; nil for none.
///
/// - Throws: where that cannot be asked now.
@Sendable package func userName(_ user: UInt32) throws -> String? {
    var room = 1_024
    while true {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: room)
        let code = getpwuid_r(user, &entry, &buffer, room, &found)
        switch code {
        case 0: return found.map { String(cString: $0.pointee.pw_name) }
        case EINTR: continue
        case ERANGE where room < 1 << 20: room *= 4
        case EAGAIN, EIO, EMFILE, ENFILE, ENOMEM, ETIMEDOUT: throw UserNameFailure(code: code)
        // Some sources of names say so of a user that they do not know.
        default: return nil
        }
    }
}

/// The machine cannot say who a user is.
private struct UserNameFailure: Error {
    var code: Int32
}
