internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel
internal import PolicyLoading
internal import StrictJSON
internal import Synchronization

/// Where pieces are handed in.
protocol EvidenceReceiver {
    /// What became of each piece.
    func handIn(_ items: [IngestItem]) async throws(CommandFailure) -> [IngestResult]

    /// Nothing more comes.
    func finish() throws(CommandFailure)
}

/// The running service.
struct ServiceEvidenceReceiver: EvidenceReceiver {
    let call: ServiceCall

    func handIn(_ items: [IngestItem]) async throws(CommandFailure) -> [IngestResult] {
        let body = try call.post("/v1/evidence", items.map(\.line))
        let limits = JSONLimits(bytes: body.count, values: body.count)
        do {
            let results = try parseJSON(body, limits: limits).elements ?? []
            guard results.count == items.count else { throw CommandFailure.unreadableAnswer }
            return try results.map(IngestResult.init)
        } catch {
            throw .unreadableAnswer
        }
    }

    func finish() {}
}

/// What became of a piece.
struct IngestResult {
    enum Fate {
        case judged(denials: [ClaimDenial], quarantined: [Quarantined])
        case refused(code: String, detail: String)
    }

    /// A part of it that is kept without effect.
    struct Quarantined {
        let code: String
        let text: Title?
    }

    let fate: Fate
    /// For programs.
    let json: JSONValue

    init(_ fate: Fate, json: JSONValue) {
        self.fate = fate
        self.json = json
    }

    init(refused code: String, _ detail: String) {
        self.init(
            .refused(code: code, detail: detail),
            json: ["code": .string(code), "detail": .string(detail)])
    }

    /// As the service tells it: a report, or the problem that it has with the piece.
    init(_ answer: JSONValue) throws(ShapeError) {
        if answer["code"] != nil {
            let problem = try ProblemAnswer.read(answer)
            fate = .refused(code: problem.code.shown, detail: problem.detail.shown)
        } else {
            let isWaiting = answer["verdict"] == "waiting"
            let report =
                isWaiting
                ? try WaitingEvidence.read(answer).judged : try EvidenceAnswer.read(answer)
            fate = .judged(
                denials: report?.transactions.compactMap(\.code) ?? [],
                quarantined: report?.quarantined.map {
                    Quarantined(code: $0.code.shown, text: $0.text)
                } ?? [])
        }
        json = answer
    }
}

/// Why a piece is not even handed in.
enum IngestRefusal: String, CaseIterable {
    case line = "ingest.line"
    case file = "ingest.file"
    case recordedAt = "ingest.recorded-at"
    case notImported = "ingest.not-imported"

    /// As the service would say it.
    func result(_ language: Language) -> IngestResult {
        let phrase: IngestPhrase =
            switch self {
            case .line: .badLine
            case .file: .badFile
            case .recordedAt: .recordedAt
            case .notImported: .notImported
            }
        return IngestResult(refused: rawValue, phrase.text(language))
    }
}

/// Hands pieces in to a ledger that no service has open, each as of the instant at which it was
/// first known (spec 3.2). The policy is in force from the first of them on.
final class LedgerImport: EvidenceReceiver {
    private let location: any LedgerLocation
    private let policyTexts: [PolicyText]
    private let language: Language
    private let clock = ImportClock()
    private let present: Instant
    /// Nothing may be recorded before it: `recordedAt` never decreases.
    private var end: Instant
    private var engine: EntitlementEngine?

    /// - Parameters:
    ///   - policies: the folder of the policy that claims are judged by.
    ///   - present: nothing is known before it has happened.
    init(
        ledger: String, policies: String, language: Language,
        present: Instant = SystemClock().now()
    ) throws(CommandFailure) {
        let folder = CheckedFolder(policies)
        _ = try folder.required(policies)
        policyTexts = folder.texts
        let file = try LedgerFile(ofService: ledger)
        location = try file.locationOfCommands(at: present)
        self.language = language
        self.present = present
        do {
            let newest = try file.end()
            end = newest ?? .distantPast
        } catch {
            throw .engine(.ledger(error))
        }
    }

    func handIn(_ items: [IngestItem]) async throws(CommandFailure) -> [IngestResult] {
        var results: [IngestResult?] = []
        var groups: [VerifiedSubmissions] = []
        var rest = items[...]
        while let instant = rest.first.map(\.recordedAt) {
            let group = rest.prefix { $0.recordedAt == instant }
            rest = rest.dropFirst(group.count)
            guard let instant, instant >= end, instant <= present else {
                results += group.map { _ in IngestRefusal.recordedAt.result(language) }
                continue
            }
            clock.set(instant)
            end = instant
            let engine = try await opened()
            groups.append(engine.verify(group.map(EvidenceSubmission.init)))
            results += group.map { _ in nil }
        }
        do throws(EngineError) {
            var reports = try await engine?.record(groups)[...] ?? []
            return results.map { $0 ?? result(of: reports.removeFirst()) }
        } catch {
            throw .engine(error)
        }
    }

    /// The ledger is made, and the policy put into force, at the instant of the first piece.
    /// - Throws: where the policy is not the one that would judge: it waits to be accepted.
    private func opened() async throws(CommandFailure) -> EntitlementEngine {
        if let engine { return engine }
        let options = EngineOptions(ledger: location, policyTexts: policyTexts, clock: clock)
        let engine: EntitlementEngine
        do throws(EngineError) {
            engine = try await EntitlementEngine.open(options)
        } catch {
            throw .engine(error)
        }
        engine.onLedgerNotice { [language] notice in
            Terminal.current.printError(notice.text(language))
        }
        self.engine = engine
        if let waiting = engine.waitingPolicy {
            throw .said(IngestPhrase.policyWaits.text(language, waiting.replaces.hexadecimal))
        }
        return engine
    }

    func finish() throws(CommandFailure) {
        do throws(EngineError) {
            try engine?.close()
        } catch {
            throw .engine(error)
        }
    }

    /// As the service tells it, as far as the report reads it.
    private func result(of report: SubmissionReport) -> IngestResult {
        switch report {
        case .refused(let refusal):
            return IngestResult(refused: refusal.code.rawValue, refusal.text(language))
        case .waiting(let ticket):
            return IngestResult(
                .judged(denials: [], quarantined: []),
                json: ["verdict": "waiting", "ticket": .integer(ticket.number)])
        case .unanswerable(let why):
            let sentence = AppStoreTrouble(rawValue: why.rawValue)?.text(language) ?? why.rawValue
            return IngestResult(refused: why.rawValue, sentence)
        case .judged(let judged):
            let parts = judged.quarantined.map { part in
                IngestResult.Quarantined(
                    code: part.code.rawValue,
                    text: Title(english: part.text(.english), chinese: part.text(.chinese)))
            }
            return IngestResult(
                .judged(
                    denials: judged.transactions.compactMap(\.standing.denial), quarantined: parts),
                json: [
                    "verdict": "judged", "kind": .string(judged.kind.rawValue),
                    "transactions": .array(judged.transactions.map(\.summary)),
                    "quarantined": .array(parts.map { ["code": .string($0.code)] }),
                ])
        }
    }
}

extension TransactionReport {
    fileprivate var summary: JSONValue {
        var summary: JSONValue = [
            "transaction": .string(transaction.transactionID.text),
            "verdict": .string(standing.word),
        ]
        summary["code"] = standing.code.map(JSONValue.string)
        return summary
    }
}

extension TransactionReport.Standing {
    fileprivate var denial: ClaimDenial? {
        guard case .denied(let denial) = self else { return nil }
        return denial
    }
}

/// Stands where the import stands.
private final class ImportClock: EngineClock {
    private let instant = Mutex(Instant.distantPast)

    func now() -> Instant { instant.withLock { $0 } }

    func set(_ instant: Instant) { self.instant.withLock { $0 = instant } }
}

extension EvidenceSubmission {
    fileprivate init(_ item: IngestItem) {
        self.init(
            payload: Array((item.line.payload ?? "").utf8),
            account: item.line.account.flatMap { AccountID($0) },
            moment: item.line.moment.flatMap { ClaimMoment(rawValue: $0) },
            order: item.line.order.flatMap { OrderID($0) },
            isImported: item.line.imported ?? false, asksApple: item.line.verify == "remote")
        environment = item.line.environment.flatMap(StoreEnvironment.init(rawValue:))
    }
}
