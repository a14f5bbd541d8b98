internal import EntitlementModel
package import LedgerModel
internal import Synchronization

/// Loads accounts after a start before anybody asks: those asked about last first, then all others,
/// as far as there is room. Nothing that was derived is kept in a file: the hint holds numbers of
/// accounts, and may be missing or wrong.
struct WarmUp: Sendable {
    /// How many numbers one line of the hint has.
    private static let lineLength = 1_024
    /// No more accounts are remembered.
    private static let most = 1 << 20

    let hint: any JournalStore

    /// Who was asked about, in no order.
    func remembered(_ reader: any LedgerReading) -> [AccountID] {
        let lines = (try? hint.lines()) ?? []
        let numbers = lines.flatMap { line in
            String(decoding: line, as: UTF8.self).split(separator: " ").compactMap { Int64($0) }
        }
        return (try? reader.accounts(numbered: Array(numbers.prefix(Self.most)))) ?? []
    }

    /// - Parameter accounts: those asked about last.
    func remember(_ accounts: [AccountID], _ reader: any LedgerReading) throws(LedgerError) {
        let numbers = try reader.numbers(of: Array(accounts.prefix(Self.most))).compactMap(\.self)
        let starts = stride(from: 0, to: numbers.count, by: Self.lineLength)
        try hint.replace(
            with: starts.map { start in
                let some = numbers[start..<min(start + Self.lineLength, numbers.count)]
                return Array(some.map(String.init).joined(separator: " ").utf8)
            })
    }
}

extension EntitlementEngine {
    /// Begins to load accounts, and remembers from now on who is asked about, for the next start.
    ///
    /// - Parameter hint: beside the ledger.
    package func warmUp(by hint: any JournalStore) {
        let warmUp = WarmUp(hint: hint)
        self.hint.withLock { $0 = warmUp }
        rederivation.begin(
            listing: { [self] in accountsToLoad(warmUp) },
            bringBack: { [self] in bringBack($0, by: $1) })
        jobs.start(HintJob(engine: self, warmUp: warmUp))
    }

    /// If the ledger cannot be read, accounts are loaded when they are asked about.
    private func accountsToLoad(_ warmUp: WarmUp) -> [DroppedAccounts.Run] {
        let folded = policy.history.current.foldsAccounts
        let found = try? ledger.reading { reader throws(LedgerError) in
            let first = try reader.inLedgerOrder(warmUp.remembered(reader).map(policy.name))
            var (others, known) = ([AccountID](), Set(first))
            var last: AccountID?
            while known.count < cache.limit {
                let page = try reader.accounts(after: last, limit: 4_096, folded: folded)
                guard let next = page.last else { break }
                let room = page.prefix(cache.limit - known.count)
                others += room.filter { known.insert($0).inserted }
                last = next
            }
            return [
                DroppedAccounts.Run(
                    accounts: try reader.inLedgerOrder(others)[...], wereRecent: false),
                DroppedAccounts.Run(accounts: first[...], wereRecent: true),
            ]
        }
        return found ?? []
    }

    /// Blocks.
    func rememberRecent(_ warmUp: WarmUp) {
        let recent = cache.recent
        guard !recent.isEmpty else { return }
        // The hint may be old or missing: the next start is slower then.
        try? ledger.reading { reader throws(LedgerError) in
            try warmUp.remember(recent.accounts, reader)
        }
    }
}

/// Keeps the hint of who was asked about last.
private struct HintJob: Job {
    private static let pause = Duration.seconds(300)

    weak let engine: EntitlementEngine?
    let warmUp: WarmUp
    private var isFirst = true
    var kind: JobKind { .hint }

    init(engine: EntitlementEngine, warmUp: WarmUp) {
        (self.engine, self.warmUp) = (engine, warmUp)
    }

    mutating func run() async -> JobPause {
        if !isFirst { engine?.rememberRecent(warmUp) }
        isFirst = false
        return JobPause(longest: Self.pause, rest: Self.pause)
    }
}
