internal import EntitlementModel

extension PreflightCounter {
    /// Judges the claim that the purchase would make, with the account's token and without one.
    var foretoldClaims: ForetoldClaims? {
        guard device != nil,
            let token = AppAccountToken("00000000-0000-0000-0000-000000000000"),
            let withToken = foretoldClaim(token), let withoutToken = foretoldClaim(nil)
        else { return nil }
        return ForetoldClaims(withToken: withToken, withoutToken: withoutToken)
    }

    /// With a snapshot such as Apple would sign: in the lineage that the device's Apple ID
    /// already has.
    private func foretoldClaim(_ token: AppAccountToken?) -> ClaimOutcome? {
        guard let id = TransactionID("preflight") else { return nil }
        let lineage = onDevice.last?.lineage
        var snapshot = TransactionSnapshot(
            environment: request.environment, bundleID: view.policy.policy.app.bundleID,
            transactionID: id,
            originalTransactionID: lineage?.originalTransactionID ?? id,
            productID: product.id, purchaseDate: instant, signedDate: instant,
            source: EvidenceSource(form: .jws, trust: .signed, canonicalDigest: .zero))
        snapshot.kind = product.kind == .free ? nil : .known(product.kind)
        snapshot.expiresDate =
            product.kind == .autoRenewable
            ? (product.period ?? Period(1, .months)).end(from: instant) : nil
        snapshot.ownership = .purchased
        snapshot.appAccountToken = token
        var facts = view.facts
        facts.transactions.append(.foretold(snapshot, at: instant))
        if let token {
            let registration = AccountTokenRegistration(
                token: token, account: request.account, actor: "preflight", reason: "preflight")
            facts.accountTokens.append(.foretold(registration, at: instant))
        }
        let claim = Claim(
            account: request.account, transaction: TransactionKey(request.environment, id),
            moment: .purchase)
        let hypothesis = FactView(facts, policy: view.policy)
        return ClaimEvaluation(claim, recordedAt: instant, view: hypothesis)?.judged.outcome
    }
}

extension Recorded {
    /// A fact that is not in the ledger.
    fileprivate static func foretold(_ value: Value, at instant: Instant) -> Recorded {
        Recorded(sequence: LedgerSequence(.max), recordedAt: instant, value: value)
    }
}

extension Digest256 {
    fileprivate static let zero: Digest256 = {
        guard let digest = Digest256(repeatElement(0, count: 32)) else {
            preconditionFailure("32 bytes are a digest")
        }
        return digest
    }()
}
