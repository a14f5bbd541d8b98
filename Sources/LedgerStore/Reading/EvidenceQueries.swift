package import EntitlementModel

extension LedgerTransaction {
    package func sequence(
        ofEvidence digest: Digest256
    ) throws(LedgerStoreError) -> LedgerSequence? {
        try LedgerStoreError.mapping {
            try connection.integer(
                "SELECT seq FROM unique_name WHERE kind = ? AND name = ?",
                EntryKind.evidence.rawValue, digest)
        }.map { LedgerSequence($0) }
    }

    package func evidence(
        of transaction: TransactionKey
    ) throws(LedgerStoreError) -> LedgerSequence? {
        let place = try LedgerStoreError.mapping {
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
