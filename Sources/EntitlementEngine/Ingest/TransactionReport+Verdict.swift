internal import EntitlementDerivation
internal import EntitlementModel
internal import EvidenceVerification

extension TransactionSnapshot {
    var key: TransactionKey { TransactionKey(environment, transactionID) }
    var lineageKey: LineageKey { LineageKey(environment, originalTransactionID) }
}

extension VerifiedEvidence {
    /// The lineages that it speaks of.
    var lineages: [LineageKey] {
        let named =
            transactions.map(\.lineageKey)
            + renewals.map { LineageKey($0.environment, $0.originalTransactionID) }
        return Set(named).sorted()
    }
}

extension TransactionReport {
    /// The report on a recorded transaction.
    /// - Parameters:
    ///   - verdict: what was decided on the presenting account's claim; nil where it made none.
    ///   - owners: by the decisions so far, those of this commit included.
    init(
        _ snapshot: TransactionSnapshot, verdict: JudgedClaim?, owners: [AccountID],
        presentedBy account: AccountID?
    ) {
        transaction = snapshot.key
        lineage = snapshot.lineageKey
        product = snapshot.productID
        rule = verdict?.rule
        finish = true
        self.owners = owners.map { $0 == account ? $0.text : $0.masked }
        standing =
            if case .denied(let refusal)? = verdict?.outcome {
                .denied(refusal)
            } else if let account, owners.contains(account) {
                .owned
            } else {
                .recorded
            }
    }
}

extension AccountID {
    /// Enough to recognise an account that one knows, too little to learn one that one does not:
    /// the first two characters of ids longer than four.
    package var masked: String {
        text.utf8.count > 4 ? text.prefix(2) + "***" : "***"
    }
}
