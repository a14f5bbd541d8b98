internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import StrictJSON

/// `POST /v1/policy/reload` and `POST /v1/backup`. Who asked for them and why stands in the log;
/// who accepted that a policy takes something away stands in the ledger too.
struct UpkeepCall: Sendable {
    let engine: EntitlementEngine
    let configuration: ServerConfiguration
    let caller: Caller
    let journal: CallJournal

    /// A folder with errors is answered 422, and changes nothing; so is one by which somebody may
    /// lose something, unless the caller accepts it (spec 2.6).
    func reload(_ body: JSONValue) async throws(Problem) -> ResponseDraft {
        let body = try RequestBody(body, knowing: ["reason", "accept_loss"])
        let reason = try body.reason()
        let consent = try consent(body, reason)
        guard let folder = configuration.policyFolder else { throw Problem(.unsupported) }
        journal.note("policy reload", by: caller, reason)
        let report: PolicyActivationReport
        do {
            report = try await engine.reloadPolicy(from: folder, consent: consent)
        } catch {
            throw Problem(error)
        }
        var writer = AnswerWriter()
        switch report {
        case .activated(let digest, let notes):
            writer.append(outcome: "activated", digest, notes)
        case .unchanged: writer.append(outcome: "unchanged", engine.policy.digest)
        case .waiting: throw Problem(.policyWaits)
        case .rejected: throw Problem(.policyRejected)
        }
        return ResponseDraft(writer)
    }

    /// Nil where the caller accepts nothing.
    private func consent(
        _ body: RequestBody, _ reason: String
    ) throws(Problem) -> PolicyConsent? {
        guard let accounts = try body.integerIfAny("accept_loss") else { return nil }
        guard (0...1_000_000_000).contains(accounts) else {
            throw Problem(.value, field: "accept_loss")
        }
        return .person(actor: caller.actor, reason: reason, accountsAtMost: accounts)
    }

    /// No two copies share a name, not even where the clock was set back: one would replace the
    /// other.
    private static func backupName(at now: Instant) -> String {
        let number = UInt32.random(in: .min ... .max)
        return "usher-\(now.milliseconds)-\(String(number, radix: 36)).ledger-backup"
    }

    /// Whether it is a name that `backupName` makes.
    static func isBackupName(_ name: some StringProtocol) -> Bool {
        guard name.hasPrefix("usher-"), name.hasSuffix(".ledger-backup") else { return false }
        let parts = name.dropFirst(6).dropLast(14).split(
            separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && Int64(parts[0]) != nil && UInt32(parts[1], radix: 36) != nil
    }

    /// Only ever into the configured folder, and only under a name of ours: a call must not be a
    /// way to write over anything. Blocks.
    func backUp(_ body: JSONValue) throws(Problem) -> ResponseDraft {
        let reason = try RequestBody(body, knowing: ["reason"]).reason()
        guard let folder = configuration.backupFolder, let ledger = engine.copyableLedger else {
            throw Problem(.unsupported)
        }
        journal.note("backup", by: caller, reason)
        let now = engine.clock.now()
        let name = Self.backupName(at: now)
        let revision = engine.revision
        do throws(LedgerError) {
            try ledger.backUp(to: folder + "/" + name)
        } catch {
            throw Problem(.ledger(error))
        }
        var writer = AnswerWriter()
        writer.object { writer in
            writer.member("file", folder + "/" + name)
            writer.member("at", now)
            writer.member("revision_at_least", revision.number)
        }
        return ResponseDraft(writer)
    }
}

extension AnswerWriter {
    fileprivate mutating func append(
        outcome: String, _ policy: Digest256, _ notes: ActivationNotes? = nil
    ) {
        object { writer in
            writer.member("outcome", outcome)
            writer.member("policy", policy)
            guard let notes, let acceptance = notes.acceptance else { return }
            writer.member("losses", Int64(notes.losses.count))
            writer.member("accepted_by", acceptance.means.rawValue)
            if let accounts = acceptance.accountsAtMost {
                writer.member("accounts_at_most", accounts)
            }
        }
    }
}
