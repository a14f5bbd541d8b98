internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import Synchronization

/// What the operator's page and the metrics tell of a running service.
final class ServiceStatus: Sendable {
    private struct Counts {
        /// Answers of usher.sock by status.
        var answers: [Int: Int] = [:]
        /// Pieces of evidence by verdict: `judged`, or the code of the refusal.
        var evidence: [String: Int] = [:]
        /// Parts of genuine evidence that are kept without effect, by code.
        var quarantined: [String: Int] = [:]
    }

    private let version: String
    private let startedAt: Instant
    private let counts = Mutex(Counts())
    /// Questions that were answered on query.sock, up to the last second.
    let questions = Atomic<Int>(0)
    /// Calls of usher.sock that are being worked on.
    private let inFlight = Atomic<Int>(0)

    init(version: String, startedAt: Instant) {
        self.version = version
        self.startedAt = startedAt
    }

    func count(_ status: HTTPStatus) {
        counts.withLock { $0.answers[status.rawValue, default: 0] += 1 }
    }

    func count(_ report: SubmissionReport) {
        let verdict =
            switch report {
            case .judged: "judged"
            case .refused(let rejection): rejection.code.rawValue
            }
        counts.withLock { counts in
            counts.evidence[verdict, default: 0] += 1
            guard case .judged(let judged) = report else { return }
            for part in judged.quarantined {
                counts.quarantined[part.code.rawValue, default: 0] += 1
            }
        }
    }

    /// Takes a call on, unless `limit` are being worked on already. `endCall()` must follow.
    func beginCall(limit: Int) -> Bool {
        let (before, _) = inFlight.add(1, ordering: .relaxed)
        if before < limit { return true }
        endCall()
        return false
    }

    func endCall() {
        inFlight.subtract(1, ordering: .relaxed)
    }

    /// `/status`.
    func json(_ engine: EntitlementEngine) -> [UInt8] {
        var writer = AnswerWriter()
        writer.append("{\"status\":\"")
        writer.append(engine.isReady ? "ready" : "read-only" as StaticString)
        writer.append("\",\"version\":")
        writer.appendText(version)
        writer.append(",\"started_at\":")
        writer.append(startedAt)
        writer.append(",\"now\":")
        writer.append(engine.now())
        writer.append(",\"policy\":\"")
        writer.appendHexadecimal(engine.policy.digest)
        writer.append("\",\"revision\":")
        writer.append(engine.revision.number)
        writer.append(",\"accepts_writes\":")
        writer.append(engine.acceptsWrites)
        writer.append(",\"policy_refused\":[")
        for (index, trouble) in engine.policyTroubles.enumerated() {
            if index > 0 { writer.append(",") }
            writer.append(trouble)
        }
        writer.append("],\"evidence\":{")
        let counts = counts.withLock { $0 }
        let judged = counts.evidence["judged"] ?? 0
        writer.append("\"judged\":")
        writer.append(Int64(judged))
        writer.append(",\"refused\":")
        writer.append(Int64(counts.evidence.values.reduce(0, +) - judged))
        writer.append(",\"quarantined\":")
        writer.append(Int64(counts.quarantined.values.reduce(0, +)))
        writer.append(",\"refusals_unrecorded\":")
        writer.append(engine.refusalsLeftOut)
        writer.append("}}")
        return writer.bytes
    }

    /// `/metrics`, in Prometheus' text format.
    func metrics(_ engine: EntitlementEngine) -> [UInt8] {
        let counts = counts.withLock { $0 }
        var text = MetricsText()
        text.family("usher_ready", "gauge", "Whether evidence is taken and questions answered.")
        text.sample("usher_ready", engine.isReady ? 1 : 0)
        text.family("usher_policy_refused", "gauge", "Errors that keep a changed policy out.")
        text.sample("usher_policy_refused", Int64(engine.policyTroubles.count))
        text.family("usher_ledger_revision", "gauge", "The newest ledger entry in answers.")
        text.sample("usher_ledger_revision", engine.revision.number)
        text.family("usher_questions_total", "counter", "Answers on query.sock.")
        text.sample("usher_questions_total", Int64(questions.load(ordering: .relaxed)))
        text.family("usher_answers_total", "counter", "Answers on usher.sock by status.")
        for (status, count) in counts.answers.sorted(by: { $0.key < $1.key }) {
            text.sample("usher_answers_total{status=\"\(status)\"}", Int64(count))
        }
        text.family("usher_evidence_total", "counter", "Pieces of evidence by verdict.")
        for (verdict, count) in counts.evidence.sorted(by: { $0.key < $1.key }) {
            text.sample("usher_evidence_total{verdict=\"\(verdict)\"}", Int64(count))
        }
        text.family(
            "usher_quarantined_total", "counter", "Genuine but impossible parts, kept aside.")
        for (code, count) in counts.quarantined.sorted(by: { $0.key < $1.key }) {
            text.sample("usher_quarantined_total{code=\"\(code)\"}", Int64(count))
        }
        text.family(
            "usher_refusals_unrecorded_total", "counter", "Refusals without an audit line.")
        text.sample("usher_refusals_unrecorded_total", engine.refusalsLeftOut)
        return Array(text.text.utf8)
    }
}

/// Prometheus' text format, line by line.
private struct MetricsText {
    private(set) var text = ""

    mutating func family(_ name: String, _ kind: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
    }

    mutating func sample(_ name: String, _ value: Int64) {
        text += "\(name) \(value)\n"
    }
}

extension AnswerWriter {
    fileprivate mutating func append(_ trouble: PolicyTrouble) {
        append("{\"id\":")
        appendText(trouble.id)
        append(",\"file\":")
        appendText(trouble.file)
        append(",\"line\":")
        append(Int64(trouble.line))
        append(",\"column\":")
        append(Int64(trouble.column))
        append("}")
    }
}
