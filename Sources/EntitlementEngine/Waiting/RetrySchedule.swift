package import EntitlementModel

/// When Apple is asked about a ticket: a pure function of when the ticket was made and of what it is
/// seeded with. It needs no entry in the ledger, and survives every restart (spec 1.8).
package struct RetrySchedule: Sendable {
    let since: Instant
    /// The ticket's place in the ledger: no two tickets come at the same instants.
    let seed: LedgerSequence

    /// Milliseconds between the first attempt and the second; each pause is twice the one before.
    static let firstPause: Int64 = 10_000
    /// Milliseconds that no pause is longer than, but for the jitter of a fifth either way.
    static let longestPause: Int64 = 3_600_000
    /// Milliseconds after which a ticket that Apple does not answer is given up: 30 days.
    static let patience: Int64 = 30 * 86_400_000

    /// The first attempt that is planned after the instant; at once where none was made.
    func attempt(after instant: Instant?) -> Instant {
        guard let instant, instant >= since else { return since }
        var (planned, number) = (since, UInt64(0))
        while planned <= instant {
            planned = planned.advanced(byMilliseconds: pause(after: number))
            number += 1
        }
        return planned
    }

    /// Milliseconds between an attempt and the next one.
    private func pause(after number: UInt64) -> Int64 {
        let doubled = number < 20 ? Self.firstPause << Int64(number) : Self.longestPause
        let pause = min(doubled, Self.longestPause)
        let parts = Int64(mixed(UInt64(bitPattern: seed.number) &* 1_048_583 &+ number) % 401)
        return pause + pause * (parts - 200) / 1_000
    }

    /// Milliseconds for which Apple is asked again about a receipt that it calls malformed: it says
    /// so of some that it only now cannot read.
    static let doubt: Int64 = 86_400_000

    /// Whether Apple has said no for good.
    package func isFinal(_ failure: AppStoreFailure, at instant: Instant) -> Bool {
        failure.meaning == .final
            || failure.code == 21_002 && instant.milliseconds(since: since) >= Self.doubt
    }

    /// Whether nobody is to be asked about it any more.
    func isOver(at instant: Instant) -> Bool {
        instant.milliseconds(since: since) >= Self.patience
    }
}

/// The finaliser of SplitMix64: neighbouring numbers give unrelated ones, on every machine the same.
private func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
}

/// One of Apple's services, which is up or down for all tickets together.
enum AppStoreRoute: Hashable, Sendable {
    case verifyReceipt
    case serverAPI(StoreEnvironment)
}

extension EvidenceTicket {
    /// Where it is asked first.
    var route: AppStoreRoute {
        switch form {
        case .receipt, .oldReceipt: .verifyReceipt
        case .transaction, .refresh, .accountToken: .serverAPI(environment ?? .production)
        }
    }
}

/// Keeps a thousand tickets from asking a service that is down: after a failure one ticket asks for
/// all of them, and none before the pause is over.
struct Circuit: Sendable {
    /// Milliseconds after the first failure; each pause is twice the one before.
    static let firstPause: Int64 = 5_000
    static let longestPause: Int64 = 300_000

    private var failures = 0
    /// Nobody asks before; nil while the service answers.
    private(set) var opensAt: Instant?
    /// What it has failed with; nil while it answers.
    private(set) var failure: AppStoreFailure?

    /// The service has failed all who ask: until the instant that it asks for itself, or longer.
    mutating func fail(at now: Instant, with failure: AppStoreFailure, isLasting: Bool) {
        self.failure = failure
        failures = min(failures + 1, 16)
        let doubled = isLasting ? Self.longestPause : Self.firstPause << Int64(failures - 1)
        let pause = now.advanced(byMilliseconds: min(doubled, Self.longestPause))
        opensAt = max(pause, failure.retryAt ?? pause)
    }

    /// The service has answered, whatever it said.
    mutating func succeed() { self = Circuit() }

    /// How many may ask at the instant, of those that want to.
    func admits(_ number: Int, at now: Instant) -> Int {
        guard let opensAt else { return number }
        return now < opensAt ? 0 : min(1, number)
    }
}

extension AppStoreFailure {
    /// Whom a failure concerns, and what is done about it.
    package enum Meaning: Hashable, Sendable {
        /// The service fails everybody: all wait for it.
        case service
        /// The key, the secret or the clock is wrong: all wait until a person has mended it.
        case settings
        /// This ticket may do better later.
        case ticket
        /// Apple has answered, and would answer the same again.
        case final
    }

    package var meaning: Meaning {
        switch kind {
        case .network, .rateLimited: .service
        case .unavailable: Self.codesOfOne.contains(code ?? 0) || isOfAReceipt ? .ticket : .service
        case .unauthorized: .settings
        // An answer that is no answer says nothing about what was asked.
        case .badAnswer: .ticket
        case .notFound: .final
        case .rejected:
            if let code {
                Self.codesOfSettings.contains(code)
                    ? .settings : Self.codesOfOne.contains(code) ? .ticket : .final
            } else {
                // A status without Apple's own number is nobody's word on what was asked.
                httpStatus == nil ? .final : .ticket
            }
        }
    }

    /// What a ticket that Apple rejects is closed with.
    package var closingCode: String { "app-store.\(kind.rawValue)" }

    /// The shared secret, the bundle id of the key or the app's number is wrong.
    private static let codesOfSettings: Set<Int> = [21_004, 4_040_003, 4_000_002]
    /// Accounts, apps and transactions that are not found for now, and a receipt that cannot be read
    /// or only now cannot.
    private static let codesOfOne: Set<Int> = [4_040_002, 4_040_004, 4_040_006, 21_002, 21_009]
    private var isOfAReceipt: Bool { (21_100...21_199).contains(code ?? 0) }
}
