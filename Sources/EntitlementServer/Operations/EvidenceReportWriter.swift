internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification

/// Writes what became of evidence as JSON (spec 3.1).
struct EvidenceReportWriter {
    private let now: Instant
    private let language: Language
    private var writer = AnswerWriter(reserving: 2_048)
    private var isList = false
    private var count = 0
    private var isRefused = false

    init(now: Instant, language: Language) {
        self.now = now
        self.language = language
    }

    mutating func beginAnswer(isList: Bool) {
        self.isList = isList
        if isList { writer.append("[") }
    }

    mutating func endAnswer() -> ResponseDraft {
        if isList { writer.append("]") }
        var draft = ResponseDraft()
        draft.body = writer.bytes
        if isRefused, !isList {
            draft.status = .unprocessable
            draft.mediaType = .problem
        }
        return draft
    }

    /// A piece of a list that could not be read.
    mutating func append(_ problem: Problem) {
        separate()
        var bytes: [UInt8] = []
        problem.append(to: &bytes, language: language)
        writer.append(String(decoding: bytes, as: UTF8.self))
    }

    mutating func append(_ report: SubmissionReport) {
        separate()
        switch report {
        case .refused(let refusal):
            isRefused = true
            append(refusal)
        case .judged(let judged): append(judged)
        }
    }

    private mutating func separate() {
        if count > 0 { writer.append(",") }
        count += 1
    }

    /// A refusal is a problem with a code of spec 4.2; never the evidence, only its digest.
    private mutating func append(_ refusal: VerificationRefusal) {
        writer.append("{\"title\":\"")
        writer.append(HTTPStatus.unprocessable.phrase)
        writer.append("\",\"status\":422,\"code\":\"")
        writer.append(refusal.code.rawValue)
        writer.append("\",\"detail\":")
        writer.appendText(refusal.text(language))
        writer.append(",\"evidence\":\"")
        writer.appendHexadecimal(refusal.digest)
        writer.append("\"}")
    }

    private mutating func append(_ judged: JudgedSubmission) {
        writer.append("{\"verdict\":\"judged\",\"kind\":\"")
        writer.append(judged.kind.rawValue)
        writer.append("\",\"revision\":")
        writer.append(judged.revision.number)
        writer.append(",\"transactions\":[")
        for (index, transaction) in judged.transactions.enumerated() {
            if index > 0 { writer.append(",") }
            append(transaction)
        }
        writer.append("],\"quarantined\":[")
        for (index, part) in judged.quarantined.enumerated() {
            if index > 0 { writer.append(",") }
            append(part)
        }
        writer.append("]")
        if judged.isAccountUnused { writer.append(",\"account_unused\":true") }
        if let account = judged.mergedInto {
            writer.append(",\"merged_into\":")
            writer.appendText(account.text)
        }
        if let packed = judged.packed {
            appendRights(packed, judged)
        }
        writer.append("}")
    }

    private mutating func append(_ transaction: TransactionReport) {
        writer.append("{\"environment\":\"")
        writer.append(transaction.transaction.environment.rawValue)
        writer.append("\",\"transaction\":")
        writer.appendText(transaction.transaction.transactionID.text)
        writer.append(",\"lineage\":")
        writer.appendText(transaction.lineage.originalTransactionID.text)
        writer.append(",\"product\":")
        writer.appendText(transaction.product.text)
        writer.append(",\"verdict\":\"")
        writer.append(transaction.standing.word)
        writer.append("\"")
        if let code = transaction.standing.code {
            writer.append(",\"code\":\"")
            writer.append(code)
            writer.append("\"")
        }
        if let rule = transaction.rule {
            writer.append(",\"rule\":")
            writer.append(rule)
        }
        writer.append(",\"owners\":[")
        for (index, owner) in transaction.owners.enumerated() {
            if index > 0 { writer.append(",") }
            writer.appendText(owner)
        }
        writer.append("],\"finish\":")
        writer.append(transaction.finish)
        writer.append("}")
    }

    private mutating func append(_ part: QuarantinedPart) {
        writer.append("{\"code\":\"")
        writer.append(part.code.rawValue)
        writer.append("\"")
        if let field = part.field {
            writer.append(",\"field\":")
            writer.appendText(field)
        }
        if let transaction = part.transaction {
            writer.append(",\"transaction\":")
            writer.appendText(transaction.transactionID.text)
        }
        writer.append(",\"finish\":false}")
    }

    /// The account's rights after it, in the environment that the evidence is of.
    private mutating func appendRights(_ packed: PackedAccount, _ judged: JudgedSubmission) {
        let environment = judged.transactions.first?.transaction.environment ?? .production
        writer.append(",\"account\":")
        writer.appendText(packed.account.text)
        writer.append(
            list: packed.answers(in: environment, at: now, revision: judged.revision),
            endsObject: false)
    }
}
