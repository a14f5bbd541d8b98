internal import Crypto
package import EntitlementModel
internal import StrictJSON

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

/// What an attempt to deliver a change has come to.
package enum PushOutcome: String, CaseIterable, Hashable, Sendable {
    /// 2xx.
    case delivered
    /// 4xx: the receiver does not take this change.
    case rejected
    /// 5xx, a redirect, which is never followed, an answer that is too long or none in time: the
    /// receiver fails, perhaps because of this change.
    case failed
    /// 408, 425, 429: later.
    case busy
    /// 410: the receiver wants nothing any more.
    case gone
    /// Nobody listens: that is not the change's fault.
    case unreachable

    package init(_ result: Result<TransportResponse, TransportFailure>) {
        switch result {
        case .failure(.unreachable), .failure(.noLibrary): self = .unreachable
        case .failure: self = .failed
        case .success(let response):
            switch response.status {
            case 200...299: self = .delivered
            case 410: self = .gone
            case 408, 425, 429: self = .busy
            case 400...499: self = .rejected
            default: self = .failed
            }
        }
    }
}

/// When a change is tried again, and when it is put aside: a pure function of what its attempts have
/// come to (spec 1.10).
struct PushSchedule: Sendable {
    /// Attempts that count before a change is put aside: of those that are rejected, and of all.
    static let mostRejections = 5
    static let mostFailures = 12
    /// Milliseconds before the second attempt; each pause is twice the one before.
    static let firstPause: Int64 = 1_000
    static let longestPause: Int64 = 300_000
    /// To a receiver at which nobody listens: it may come back in a moment.
    static let longestAbsence: Int64 = 15_000
    /// To one that wants nothing any more.
    static let pauseWhenGone: Int64 = 3_600_000
    /// The longest pause that a receiver can ask for.
    static let longestAsked: Int64 = 3_600_000

    private(set) var rejections = 0
    private(set) var failures = 0
    private var inRow = 0

    /// How many attempts were the change's own fault, as far as anybody can know.
    var attempts: Int { rejections + failures }

    /// What comes next.
    enum Step: Equatable {
        case done
        /// Milliseconds.
        case pause(Int64)
        case park
    }

    /// - Parameters:
    ///   - retryAfter: the seconds that the receiver asks for.
    ///   - chance: from 0 to 1; a pause is up to a fifth shorter or longer.
    mutating func step(
        after outcome: PushOutcome, retryAfter: Int64?, chance: Double
    ) -> Step {
        inRow = min(inRow + 1, 30)
        let asked = retryAfter.map { min(max(0, $0), Self.longestAsked / 1_000) * 1_000 } ?? 0
        let doubled = min(Self.firstPause << Int64(inRow - 1), Self.longestPause)
        switch outcome {
        case .delivered: return .done
        case .rejected:
            rejections += 1
            if rejections >= Self.mostRejections { return .park }
        case .failed:
            failures += 1
            if attempts >= Self.mostFailures { return .park }
        case .busy: break
        case .gone: return .pause(Self.pauseWhenGone)
        case .unreachable: return .pause(jittered(min(doubled, Self.longestAbsence), chance))
        }
        return .pause(max(asked, jittered(doubled, chance)))
    }

    private func jittered(_ pause: Int64, _ chance: Double) -> Int64 {
        pause + Int64(Double(pause) * (chance * 2 - 1) / 5)
    }
}

/// The key that a subscription's deliveries are signed with; nothing shows it.
package struct PushSecret: Sendable {
    private let key: Secret
    private let bytes: [UInt8]

    /// Reads `whsec_…`, base64 of 24 to 64 bytes, as the Standard Webhooks convention has it. Nil for
    /// anything else.
    package init?(_ text: Secret) {
        let line =
            text.revealed.hasSuffix("\n")
            ? String(text.revealed.dropLast()) : text.revealed
        guard line.hasPrefix("whsec_"),
            let bytes = Base64.standard.decode(Array(line.utf8.dropFirst(6))[...]),
            (24...64).contains(bytes.count)
        else { return nil }
        key = text
        self.bytes = bytes
    }

    /// `v1,` and base64 of the HMAC-SHA256 of the id, the second and the body, with points between.
    package func signature(id: String, second: Int64, body: [UInt8]) -> String {
        var signed = HMAC<SHA256>(key: SymmetricKey(data: bytes))
        signed.update(data: Array("\(id).\(second).".utf8))
        signed.update(data: body)
        return "v1," + Base64.standard.encode(Array(signed.finalize()))
    }
}

extension PushSecret: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(key)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
