internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel
internal import MemoryLedger
internal import TestSupport

@testable internal import EntitlementEngine

/// Everything that is told of some accounts, as bytes.
struct PastAnswers: Equatable {
    private(set) var lines: [String] = []

    /// Every report, at an instant.
    ///
    /// - Parameter keys: Apple IDs that there are, or that there will be.
    init(
        _ questions: LedgerQuestions, of accounts: [AccountID], through keys: [AppleIDKey],
        at instant: Instant
    ) throws {
        for account in accounts {
            try add(account, questions, at: instant)
            for key in keys { try add(account, through: key, questions, at: instant) }
        }
        for key in keys {
            let view = try questions.ledger.read { try questions.policy.appleID(named: key, $0) }
            lines.append("\(key): \(String(describing: view))")
        }
        add("waiting", try questions.waitingClaims())
    }

    private mutating func add(
        _ account: AccountID, _ questions: LedgerQuestions, at instant: Instant
    ) throws {
        for environment in [StoreEnvironment.production, .sandbox] {
            for name in questions.policy.history.current.entitlements.keys.sorted() {
                let key = RightKey(environment, name)
                add("\(account) \(name)", try questions.answer(key, of: account, at: instant))
            }
        }
        for name in questions.policy.history.current.entitlements.keys.sorted() {
            let key = RightKey(.production, name)
            add("\(account) why \(name)", try questions.explain(key, of: account, at: instant))
        }
        add("\(account)", try questions.report(on: account, at: instant))
        add("\(account) over time", try questions.timeline(of: account, at: instant))
        add("\(account) findings", try questions.findings(of: account, at: instant))
        try addPacked(account, questions, at: instant)
        add(
            "\(account) catalogue",
            try questions.catalogue(for: account, in: .production, on: nil, at: instant))
        var place = LedgerSequence.zero
        while true {
            let page = try questions.orders(of: account, after: place, at: instant, limit: 2)
            add("\(account) orders", page)
            for order in page.orders {
                add("\(order.id)", try questions.order(order.id, at: instant))
            }
            guard let next = page.next else { break }
            place = next
        }
        for product in questions.policy.history.current.soldProducts {
            let request = PreflightRequest(account: account, product: product.id)
            add("\(account) before \(product.id)", try questions.preflight(request, at: instant))
        }
    }

    private mutating func addPacked(
        _ account: AccountID, through key: AppleIDKey? = nil, _ questions: LedgerQuestions,
        at instant: Instant
    ) throws {
        let (packed, revision) = try questions.account(account, throughIfAny: key)
        var writer = AnswerWriter()
        for answer in packed.answers(in: .production, at: instant, revision: revision) {
            writer.append(answer)
        }
        lines.append(String(decoding: writer.bytes, as: UTF8.self))
        for balance in packed.balances(in: .production, at: instant) { add("balance", balance) }
    }

    private mutating func add(
        _ account: AccountID, through key: AppleIDKey, _ questions: LedgerQuestions,
        at instant: Instant
    ) throws {
        try addPacked(account, through: key, questions, at: instant)
        add("\(account) by \(key)", try questions.report(on: account, at: instant, through: key))
        add(
            "\(account) catalogue by \(key)",
            try questions.catalogue(for: account, in: .production, on: key, at: instant))
        for name in questions.policy.history.current.entitlements.keys.sorted() {
            let right = RightKey(.production, name)
            add(
                "\(account) why \(name) by \(key)",
                try questions.explain(right, of: account, at: instant, through: key))
        }
    }

    private mutating func add(_ question: String, _ answer: (some WireObject)?) {
        let text = answer.map { String(decoding: $0.json, as: UTF8.self) } ?? "none"
        lines.append("\(question): \(text)")
    }
}

/// A ledger that gets the entries of another one, one after the other.
final class GrowingLedger {
    private let entries: [Recorded<LedgerEntry>]
    private let ledger: any Ledger
    private var count = 0

    /// - Parameter ledger: an empty one.
    init(_ entries: [Recorded<LedgerEntry>], in ledger: any Ledger) {
        (self.entries, self.ledger) = (entries, ledger)
    }

    /// What is asked of the first entries.
    func questions(through last: LedgerSequence) async throws -> LedgerQuestions {
        while count < Int(last.number) {
            let entry = entries[count]
            let place = try await ledger.write { try $0.append(entry.value, at: entry.recordedAt) }
            precondition(place == entry.sequence, "nothing is missing")
            count += 1
        }
        return try LedgerQuestions(ledger)
    }

    func close() throws { try ledger.close() }
}
