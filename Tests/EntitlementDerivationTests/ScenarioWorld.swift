internal import EntitlementDerivation
internal import EntitlementModel
internal import EntitlementSpecification

/// What has happened so far in a scenario: a small engine without a ledger.
struct ScenarioWorld {
    let policies: [Policy]
    private(set) var history: PolicyHistory
    var facts = FactSet()
    private(set) var lastSequence = LedgerSequence.zero
    /// The lineage of subscriptions and renewal infos that name none.
    var usualLineage: TransactionID?
    private var digests: UInt64 = 0

    init(policies: [Policy]) throws {
        guard let first = policies.first else { throw ScenarioMistake("no policy") }
        self.policies = policies
        history = PolicyHistory(
            PolicyHistory.Activation(policy: first, activatedAt: .distantPast))
    }

    var deriver: Deriver { Deriver(policies: history) }

    mutating func activate(_ number: Int64, at instant: Instant) throws {
        guard policies.indices.contains(Int(number) - 1) else {
            throw ScenarioMistake("there is no policy \(number)")
        }
        history.activate(policies[Int(number) - 1], at: instant)
    }

    mutating func record<Value>(_ value: Value, at instant: Instant) -> Recorded<Value> {
        lastSequence = LedgerSequence(lastSequence.number + 1)
        return Recorded(sequence: lastSequence, recordedAt: instant, value: value)
    }

    /// A digest that no other snapshot has, growing from snapshot to snapshot.
    mutating func nextDigest() throws -> Digest256 {
        digests += 1
        return try Self.digest(digests)
    }

    static func digest(_ number: UInt64) throws -> Digest256 {
        let low = (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        guard let digest = Digest256([UInt8](repeating: 0, count: 24) + low) else {
            throw ScenarioMistake("no digest")
        }
        return digest
    }

    /// A token that stands for an account, or any other name.
    static func token(_ name: String) throws -> AppAccountToken {
        if let token = AppAccountToken(name) { return token }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        let digits = String(hash, radix: 16)
        let padded = String(repeating: "0", count: 16 - digits.count) + digits
        guard
            let token = AppAccountToken(
                "00000000-0000-4000-\(padded.prefix(4))-\(padded.suffix(12))")
        else { throw ScenarioMistake("'\(name)' makes no token") }
        return token
    }

    /// The environment of a transaction that the scenario has told of.
    func key(_ id: TransactionID) throws -> TransactionKey {
        let known = facts.transactions.first { $0.value.transactionID == id }
        guard let known else { throw ScenarioMistake("T\(id) is not known") }
        return TransactionKey(known.value.environment, id)
    }

    func lineage(_ id: TransactionID) throws -> LineageKey {
        let known = facts.transactions.first { $0.value.transactionID == id }
        guard let known else { throw ScenarioMistake("T\(id) is not known") }
        return LineageKey(known.value.environment, known.value.originalTransactionID)
    }

    /// The unit that a transaction is part of, by everything that has been derived.
    func unit(_ id: TransactionID, in derived: DerivedTimelines) throws -> UnitTimeline {
        let lineage = try lineage(id)
        let key = try key(id)
        let units =
            derived.accounts.values.flatMap(\.units)
            + derived.appleIDs.values.flatMap(\.units)
        let found =
            units.first { $0.unit == .purchase(key) }
            ?? units.first { $0.unit == .lineage(lineage) }
        guard let found else { throw ScenarioMistake("T\(id) is part of no unit") }
        return found
    }

    /// Records what follows from lineages that go on from others.
    mutating func submitSuccessions(of told: Recorded<TransactionSnapshot>) {
        let decisions = deriver.successions(
            firstKnownSince: told.sequence, recordedAt: told.recordedAt, facts)
        for decision in decisions {
            facts.decisions.append(record(decision, at: told.recordedAt))
        }
    }

    /// Judges a claim, as the specification must, and records what is to be recorded.
    mutating func submit(_ claim: Claim, at instant: Instant) throws -> [JudgedClaim] {
        let judged = deriver.judge(claim, recordedAt: instant, facts)
        let specified = Specification(policies: history, facts: facts)
            .judgement(of: claim, recordedAt: instant)
        guard specified?.says(judged.first) ?? judged.isEmpty else {
            throw ScenarioMistake(
                "the specification answers \(claim.account)'s claim of "
                    + "T\(claim.transaction.transactionID) otherwise at \(instant.rfc3339)")
        }
        for one in judged where one.isRecorded {
            let recorded = record(one.claim, at: instant)
            facts.claims.append(recorded)
            let decision = one.decision(
                cause: recorded.sequence, policy: history.current.digest)
            facts.decisions.append(record(decision, at: instant))
        }
        return judged
    }

    /// Judges a ruling and records it, if it can be.
    mutating func submit(_ ruling: Ruling, at instant: Instant) -> RulingOutcome {
        let outcome = deriver.rule(ruling, recordedAt: instant, facts)
        guard case .decided(let decisions) = outcome else { return outcome }
        let recorded = record(ruling, at: instant)
        facts.rulings.append(recorded)
        for decision in decisions {
            let fact = decision.decision(
                ruling: recorded.sequence, policy: history.current.digest)
            facts.decisions.append(record(fact, at: instant))
        }
        return outcome
    }
}

/// `T12` names the transaction 12.
extension ScenarioWords {
    mutating func transaction(_ what: String = "a transaction") throws -> TransactionID {
        let word = try next(what)
        guard let id = Self.transaction(word) else {
            throw mistake("'\(word)' is no \(what)")
        }
        return id
    }

    static func transaction(_ word: String?) -> TransactionID? {
        guard let word, word.hasPrefix("T"), Int64(word.dropFirst()) != nil else { return nil }
        return TransactionID(word.dropFirst())
    }

    mutating func account() throws -> AccountID {
        let word = try next("an account")
        guard let account = AccountID(word) else { throw mistake("'\(word)' is no account") }
        return account
    }

    mutating func named<Word: RawRepresentable<String>>(
        _ type: Word.Type, _ what: String
    ) throws -> Word {
        let word = try next(what)
        guard let value = Word(rawValue: word) else { throw mistake("'\(word)' is no \(what)") }
        return value
    }
}

extension SpecifiedJudgement {
    fileprivate func says(_ judged: JudgedClaim?) -> Bool {
        outcome == judged?.outcome && unit == judged?.unit && isRecorded == judged?.isRecorded
            && ownersAfter == judged?.ownersAfter
    }
}
