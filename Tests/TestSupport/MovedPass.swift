internal import EntitlementModel

extension History {
    /// Alice's pass, which nothing signed calls one, becomes one by a later catalogue and bob's by a
    /// person's ruling. What alice has bought after it replaces it, until that is refunded.
    ///
    /// - Parameter isKnown: whether the catalogue has it before it moves.
    package static func movedPass(isKnown: Bool) -> History {
        let start = Instant(milliseconds: 1_767_225_600_000)
        func day(_ number: Int64) -> Instant {
            start.advanced(byMilliseconds: number * 86_400_000)
        }
        func key(_ id: String) -> TransactionKey {
            TransactionKey(.production, TransactionID(unchecked: id))
        }
        func pass(
            _ id: String, at date: Instant, _ kind: ProductKind?, refundedAt refund: Instant?
        ) -> TransactionSnapshot {
            var snapshot = TransactionSnapshot(
                environment: .production, bundleID: Shelf.bundle,
                transactionID: key(id).transactionID, originalTransactionID: key(id).transactionID,
                productID: ProductID(unchecked: "pass"), purchaseDate: date,
                signedDate: refund ?? date,
                source: EvidenceSource(
                    form: kind == nil ? .inApp : .jws, trust: .signed,
                    canonicalDigest: digest(refund == nil ? 1 : 2)))
            snapshot.kind = kind.map { .known($0) }
            snapshot.revocation = refund.map { Revocation(date: $0) }
            return snapshot
        }
        func claim(_ id: String) -> HistoryEvent {
            .claim(
                Claim(
                    account: AccountID(unchecked: "alice"), transaction: key(id),
                    moment: .support))
        }
        var policy = Policy(digest: digest(3), app: AppSettings(bundleID: Shelf.bundle))
        let first = PolicyHistory.Activation(policy: policy, activatedAt: start)
        policy.digest = digest(4)
        policy.entitlements[Shelf.entitlements[0]] = Title(english: "Premium")
        var product = Product(id: ProductID(unchecked: "pass"), kind: .nonRenewing)
        product.duration = Period(30, .days)
        product.stacking = .replace
        product.grants = [.entitlement(Shelf.entitlements[0], lasting: nil)]
        policy.products[product.id] = product
        let move = HistoryEvent.ruling(key("1"), .transfer(AccountID(unchecked: "bob")))
        let events: [HistoryEvent] = [
            .transaction(pass("1", at: day(0), nil, refundedAt: nil)), claim("1"),
            isKnown ? .policy(policy) : move, isKnown ? move : .policy(policy),
            .transaction(pass("2", at: day(1), .nonRenewing, refundedAt: nil)), claim("2"),
            .transaction(pass("2", at: day(1), .nonRenewing, refundedAt: day(20))),
        ]
        return History(
            seed: 0, firstPolicy: first,
            events: events.enumerated().map { Dated($1, recordedAt: day(Int64($0) + 2)) })
    }
}

private func digest(_ byte: UInt8) -> Digest256 {
    Digest256(hash: repeatElement(byte, count: 32))
}
