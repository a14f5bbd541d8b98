internal import EntitlementModel
internal import StrictJSON

extension EvidenceRecord: LedgerRecord {
    /// The bytes are not in the payload: the hash covers their digest.
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let digest = try visitor.value("digest", \.digest)
        let judgedAt = try visitor.value("judgedAt", \.judgedAt)
        return Self(
            kind: try visitor.value("kind", \.kind), digest: digest, bytes: [], judgedAt: judgedAt)
    }

    /// The first place where bytes are kept is where they are found.
    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.first(.evidence, digest.bytes)]
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [] }
}

extension EvidenceRefusal: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let code = try visitor.value("code", \.code)
        let digest = try visitor.value("digest", \.digest)
        return Self(
            digest: digest, code: code,
            order: try visitor.optional("order", \.order))
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        order.map { [.noteOfOrder($0)] } ?? []
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] {
        order.map { [.order($0)] } ?? []
    }
}

extension Quarantine: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.optional("account", \.account)
        let code = try visitor.value("code", \.code)
        let evidence = try visitor.value("evidence", \.evidence)
        return Self(
            evidence: evidence, code: code,
            transaction: try visitor.optional("transaction", \.transaction), account: account)
    }

    /// The account that submitted it gets no key of the lineage by it.
    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.quarantine] + (transaction.map { [.purchase($0)] } ?? [])
            + (account.map { [.account($0)] } ?? [])
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] {
        [.quarantine(sequence)] + (account.map { [.account($0)] } ?? [])
    }

    var signedEvidence: LedgerSequence? { evidence }
}

extension NotificationFact: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let environment = try visitor.value("environment", \.environment)
        let evidence = try visitor.value("evidence", \.evidence)
        let notice = try visitor.optional("notice", \.notice)
        let signedDate = try visitor.value("signedDate", \.signedDate)
        let subtype = try visitor.optional("subtype", \.subtype)
        let type = try visitor.value("type", \.type)
        return Self(
            environment: environment, uuid: try visitor.value("uuid", \.uuid), type: type,
            subtype: subtype, signedDate: signedDate, evidence: evidence, notice: notice)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        var keys = [EntryKey.unique(.notification, uuid)]
        if notice != nil { keys.append(.unique(.notification, Self.noticeName(at: sequence))) }
        if isAboutRefund { keys.append(.unique(.notification, Self.refundName(at: sequence))) }
        return keys
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] {
        (notice == nil ? [] : [.notice(sequence)]) + (isAboutRefund ? [.refund(sequence)] : [])
    }

    var signedEvidence: LedgerSequence? { evidence }
}

extension NotificationNames: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let appTransactionID = try visitor.optional("appTransactionId", \.appTransactionID)
        let productID = try visitor.optional("productId", \.productID)
        return Self(
            appTransactionID: appTransactionID,
            transactionID: try visitor.optional("transactionId", \.transactionID),
            productID: productID)
    }
}
