internal import EntitlementModel
internal import LedgerModel

extension LedgerTransaction {
    func sequence(
        of snapshot: TransactionSnapshot
    ) throws(LedgerError) -> LedgerSequence? {
        try sequence {
            guard let transaction = try names.known(snapshot.key) else { return nil }
            return try connection.integer(
                """
                SELECT seq FROM transaction_snapshot
                WHERE store_transaction = ? AND signed_at = ? AND digest = ? AND source = ?
                    AND receipt = ?
                """, transaction.id, snapshot.signedDate.milliseconds,
                snapshot.source.canonicalDigest, snapshot.source.key,
                try receipt(of: snapshot.source))
        }
    }

    func sequence(
        of snapshot: RenewalSnapshot
    ) throws(LedgerError) -> LedgerSequence? {
        try sequence {
            guard let lineage = try names.known(snapshot.lineage) else { return nil }
            return try connection.integer(
                """
                SELECT seq FROM renewal_snapshot
                WHERE lineage = ? AND signed_at = ? AND digest = ? AND source = ?
                    AND receipt = ?
                """, lineage, snapshot.signedDate.milliseconds,
                snapshot.source.canonicalDigest, snapshot.source.key,
                try receipt(of: snapshot.source))
        }
    }

    func sequence(
        of snapshot: AppTransactionSnapshot, presentedBy account: AccountID?
    ) throws(LedgerError) -> LedgerSequence? {
        try sequence(of: .appTransaction, snapshot.uniqueName(presentedBy: account))
    }

    func sequence(
        ofNotification uuid: String
    ) throws(LedgerError) -> LedgerSequence? {
        try sequence(of: .notification, Array(uuid.utf8))
    }

    func sequence(of grant: GrantID) throws(LedgerError) -> LedgerSequence? {
        try sequence(of: .grant, Array(grant.text.utf8))
    }

    func sequence(of block: BlockID) throws(LedgerError) -> LedgerSequence? {
        try sequence(of: .block, Array(block.text.utf8))
    }

    private func sequence(
        of kind: EntryKind, _ name: [UInt8]
    ) throws(LedgerError) -> LedgerSequence? {
        try sequence {
            try connection.integer(
                "SELECT seq FROM unique_name WHERE kind = ? AND name = ?", kind.rawValue,
                name.blob)
        }
    }

    private func sequence(
        _ query: () throws -> Int64?
    ) throws(LedgerError) -> LedgerSequence? {
        try LedgerError.mapping(nil, query).map { LedgerSequence($0) }
    }

    /// 0 for evidence that is no receipt, -1 for a receipt that no row can have.
    private func receipt(of source: EvidenceSource) throws -> Int64 {
        guard let digest = source.receipt else { return 0 }
        return try names.known(digest) ?? -1
    }
}

extension LedgerTransaction {
    func sequence(
        ofEvidence digest: Digest256
    ) throws(LedgerError) -> LedgerSequence? {
        try LedgerError.mapping {
            try connection.integer(
                "SELECT seq FROM unique_name WHERE kind = ? AND name = ?",
                EntryKind.evidence.rawValue, digest)
        }.map { LedgerSequence($0) }
    }

    func evidence(
        of transaction: TransactionKey
    ) throws(LedgerError) -> LedgerSequence? {
        let place = try LedgerError.mapping {
            try connection.integer(
                """
                SELECT min(seq) FROM store_transaction
                JOIN transaction_snapshot ON store_transaction = store_transaction.id
                WHERE environment = ? AND name = ?
                """, transaction.environment.number, transaction.transactionID.text)
        }
        guard let place,
            case .transaction(let fact)? = try entry(LedgerSequence(place))?.value
        else { return nil }
        return fact.evidence
    }
}
