package import EntitlementModel

extension LedgerTransaction {
    package func sequence(
        of snapshot: TransactionSnapshot
    ) throws(LedgerStoreError) -> LedgerSequence? {
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

    package func sequence(
        of snapshot: RenewalSnapshot
    ) throws(LedgerStoreError) -> LedgerSequence? {
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

    package func sequence(
        of snapshot: AppTransactionSnapshot, presentedBy account: AccountID?
    ) throws(LedgerStoreError) -> LedgerSequence? {
        try sequence(of: .appTransaction, snapshot.uniqueName(presentedBy: account))
    }

    package func sequence(
        ofNotification uuid: String
    ) throws(LedgerStoreError) -> LedgerSequence? {
        try sequence(of: .notification, Array(uuid.utf8))
    }

    package func sequence(of grant: GrantID) throws(LedgerStoreError) -> LedgerSequence? {
        try sequence(of: .grant, Array(grant.text.utf8))
    }

    package func sequence(of block: BlockID) throws(LedgerStoreError) -> LedgerSequence? {
        try sequence(of: .block, Array(block.text.utf8))
    }

    private func sequence(
        of kind: EntryKind, _ name: [UInt8]
    ) throws(LedgerStoreError) -> LedgerSequence? {
        try sequence {
            try connection.integer(
                "SELECT seq FROM unique_name WHERE kind = ? AND name = ?", kind.rawValue,
                name.blob)
        }
    }

    private func sequence(
        _ query: () throws -> Int64?
    ) throws(LedgerStoreError) -> LedgerSequence? {
        try LedgerStoreError.mapping(nil, query).map { LedgerSequence($0) }
    }

    /// 0 for evidence that is no receipt, -1 for a receipt that no row can have.
    private func receipt(of source: EvidenceSource) throws -> Int64 {
        guard let digest = source.receipt else { return 0 }
        return try names.known(digest) ?? -1
    }
}
