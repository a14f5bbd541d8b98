internal import EntitlementModel
internal import StrictJSON

extension EvidenceRecord: LedgerRecord {
    /// The bytes stay out of the payload: their digest stands for them under the hash.
    func write(to writer: inout JSONWriter) {
        writer.field("digest", digest)
        writer.field("judgedAt", judgedAt)
        writer.field("kind", kind)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let digest = try fields.digest("digest")
        let judgedAt = try fields.instant("judgedAt")
        self.init(kind: try fields.word("kind"), digest: digest, bytes: [], judgedAt: judgedAt)
    }

    /// The first place where bytes are kept is where they are found.
    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.reserveFirst(.evidence, digest.bytes, for: sequence)
    }
}

extension EvidenceRefusal: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("code", code)
        writer.field("digest", digest)
        writer.field("order", order)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let code = try fields.text("code")
        let digest = try fields.digest("digest")
        self.init(
            digest: digest, code: code,
            order: try fields.optionalIdentifier("order", as: OrderID.self))
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        if let order { try index.link(sequence, to: order) }
    }
}

extension Quarantine: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("code", code)
        writer.field("evidence", evidence)
        writer.optionalObject("transaction", transaction)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.optionalIdentifier("account", as: AccountID.self)
        let code = try fields.text("code")
        let evidence = try fields.sequence("evidence")
        self.init(
            evidence: evidence, code: code,
            transaction: try fields.optionalObject("transaction"), account: account)
    }

    /// Whoever handed it in has no interest in the lineage by it.
    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.insertQuarantine(at: sequence)
        if let transaction { try index.place(sequence, transaction, for: []) }
        if let account { try index.link(sequence, to: account) }
    }

    var signedEvidence: LedgerSequence? { evidence }
}

extension NotificationFact: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("environment", environment)
        writer.field("evidence", evidence)
        writer.optionalObject("notice", notice)
        writer.field("signedDate", signedDate)
        writer.field("subtype", subtype)
        writer.field("type", type)
        writer.field("uuid", uuid)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let environment = try fields.word("environment", as: StoreEnvironment.self)
        let evidence = try fields.sequence("evidence")
        let notice = try fields.optionalObject("notice", as: NotificationNames.self)
        let signedDate = try fields.instant("signedDate")
        let subtype = try fields.optionalText("subtype")
        let type = try fields.text("type")
        self.init(
            environment: environment, uuid: try fields.text("uuid"), type: type,
            subtype: subtype, signedDate: signedDate, evidence: evidence, notice: notice)
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.reserve(.notification, Array(uuid.utf8), for: sequence)
        if notice != nil {
            try index.reserve(.notification, Self.noticeName(at: sequence), for: sequence)
        }
        guard isAboutRefund else { return }
        try index.reserve(.notification, Self.refundName(at: sequence), for: sequence)
    }

    var signedEvidence: LedgerSequence? { evidence }
}

extension NotificationNames: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("appTransactionId", appTransactionID)
        writer.field("productId", productID)
        writer.field("transactionId", transactionID)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let appTransactionID = try fields.optionalIdentifier(
            "appTransactionId", as: AppTransactionID.self)
        let productID = try fields.optionalIdentifier("productId", as: ProductID.self)
        self.init(
            appTransactionID: appTransactionID,
            transactionID: try fields.optionalIdentifier("transactionId"), productID: productID)
    }
}

extension PolicyActivation: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.optionalObject("acceptance", acceptance)
        writer.field("digest", digest)
        writer.array("files", of: files)
        writer.field("heldBack", heldBack)
        writer.field(rules: rules)
        writer.field("schedule", schedule)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let acceptance: Acceptance? = try fields.optionalObject("acceptance")
        let digest = try fields.digest("digest")
        let files: [File] = try fields.objects("files")
        let heldBack = try fields.optionalDigest("heldBack")
        let rules = try fields.rules()
        // What a newer program derives is not what this one would answer.
        guard rules <= ClaimRules.version else { throw PayloadError("rules") }
        self.init(
            digest: digest, files: files, acceptance: acceptance,
            schedule: try fields.optionalSequence("schedule"), heldBack: heldBack, rules: rules)
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        guard let schedule else { return }
        try PolicyScheduleEnd.insertKeys(ofSchedule: schedule, into: &index, at: sequence)
    }
}

extension PolicyActivation.Acceptance: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("accountsAtMost", accountsAtMost)
        writer.field("actor", actor)
        writer.field("means", means)
        writer.field("reason", reason)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let accounts = try fields.optionalInteger("accountsAtMost")
        let actor = try fields.optionalText("actor")
        let means = try fields.word("means", as: Means.self)
        self.init(
            means: means, actor: actor, reason: try fields.optionalText("reason"),
            accountsAtMost: accounts)
    }
}

extension PolicyActivation.File: PayloadObject {
    func write(to writer: inout JSONWriter) {
        // Policies are text, to be read by people; the certificates that they name need not be.
        let text = String(validating: bytes, as: UTF8.self)
        if text == nil { writer.field("base64", base64) }
        writer.field("path", path)
        if let text { writer.field("text", text) }
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let encoded = try fields.optionalText("base64")
        let path = try fields.text("path")
        if let encoded {
            guard let bytes = Base64.standard.decode(Array(encoded.utf8)[...]) else {
                throw PayloadError("base64")
            }
            self.init(path: path, bytes: bytes)
        } else {
            self.init(path: path, bytes: Array(try fields.text("text").utf8))
        }
    }
}

extension PolicyActivation.File {
    /// For bytes that are no text.
    package var base64: String { Base64.standard.encode(bytes) }
}
