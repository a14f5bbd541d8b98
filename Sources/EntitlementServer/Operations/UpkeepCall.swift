internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel

/// `POST /v1/policy/reload` and `POST /v1/backup`. Who asked for them and why stands in the log;
/// who accepted that a policy takes something away stands in the ledger too.
struct UpkeepCall: Sendable {
    let engine: EntitlementEngine
    let configuration: ServerConfiguration
    let caller: Caller
    let journal: CallJournal

    /// A folder with errors is answered 422, and changes nothing; so is one by which somebody may
    /// lose something, unless the caller accepts it (spec 2.6).
    func reload(_ body: ReloadBody) async throws(Problem) -> ReloadAnswer {
        let consent = try consent(body)
        guard let folder = configuration.policyFolder else { throw Problem(.unsupported) }
        journal.note("policy reload", by: caller, body.reason.text)
        let report: PolicyActivationReport
        do {
            report = try await engine.reloadPolicy(from: folder, consent: consent)
        } catch {
            throw Problem(error)
        }
        switch report {
        case .activated(let digest, let notes):
            guard let acceptance = notes.acceptance else {
                return ReloadAnswer(outcome: .activated, policy: digest)
            }
            return ReloadAnswer(
                outcome: .activated, policy: digest, losses: Int64(notes.losses.count),
                acceptedBy: acceptance.means, accountsAtMost: acceptance.accountsAtMost)
        case .unchanged: return ReloadAnswer(outcome: .unchanged, policy: engine.policy.digest)
        case .waiting: throw Problem(.policyWaits)
        case .rejected: throw Problem(.policyRejected)
        }
    }

    /// Nil where the caller accepts nothing.
    private func consent(_ body: ReloadBody) throws(Problem) -> PolicyConsent? {
        guard let accounts = body.acceptLoss else { return nil }
        guard (0...1_000_000_000).contains(accounts) else {
            throw Problem(.value, field: "accept_loss")
        }
        return .person(
            actor: caller.actor, reason: body.reason.text, accountsAtMost: accounts)
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
    func backUp(_ reason: Reason) throws(Problem) -> BackupAnswer {
        guard let folder = configuration.backupFolder, let ledger = engine.copyableLedger else {
            throw Problem(.unsupported)
        }
        journal.note("backup", by: caller, reason.text)
        let now = engine.clock.now()
        let path = folder + "/" + Self.backupName(at: now)
        let revision = engine.revision
        do throws(LedgerError) {
            try ledger.backUp(to: path)
        } catch {
            throw Problem(.ledger(error))
        }
        return BackupAnswer(file: path, at: now, revisionAtLeast: revision)
    }
}
