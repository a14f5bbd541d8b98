internal import EntitlementModel

/// The fields of a transaction that not every form of evidence can carry (spec 4.1).
enum CarriedField {
    case kind
    case cancellation
    case isUpgraded
    case ownership
    case group
    case accountToken
    /// appTransactionId, storefront, price, plan, transaction reason, commitment.
    case newerDetails

    /// The table of spec 4.1.
    func canBeCarried(by form: EvidenceForm, kind: ProductKind?) -> Bool {
        switch (self, form) {
        case (_, .jws): true
        case (.kind, .receipt): true
        case (.kind, _): false
        case (.cancellation, .receipt): kind != .consumable
        case (.cancellation, _): true
        case (.isUpgraded, .latestReceiptInfo), (.ownership, .latestReceiptInfo),
            (.group, .latestReceiptInfo), (.accountToken, .latestReceiptInfo):
            true
        case (.isUpgraded, _), (.ownership, _), (.group, _), (.accountToken, _): false
        case (.newerDetails, _): false
        }
    }
}

extension TransactionSnapshot {
    /// The snapshots that state the refund which holds: the newest that can state one and those
    /// before it, up to the first that states none (spec 1.2).
    static func refundRun(
        _ newestFirst: [TransactionSnapshot], kind: ProductKind?
    ) -> [TransactionSnapshot] {
        let stating = newestFirst.filter {
            CarriedField.cancellation.canBeCarried(by: $0.source.form, kind: kind)
        }
        return Array(stating.prefix { $0.revocation != nil })
    }

    /// The newest of the snapshots, with what its form can never carry taken from the newest
    /// older one that could (spec 1.2). `newestFirst` is not empty.
    static func current(_ newestFirst: [TransactionSnapshot], kind: ProductKind?)
        -> TransactionSnapshot
    {
        func newest(_ field: CarriedField) -> TransactionSnapshot? {
            newestFirst.first { field.canBeCarried(by: $0.source.form, kind: kind) }
        }
        var current = newestFirst[0]
        current.revocation = newest(.cancellation)?.revocation
        // Only a JWS says how much and why; that is inherited where both say that it was.
        if newest(.cancellation)?.source.form != .jws,
            let details = newest(.newerDetails)?.revocation
        {
            current.revocation?.type = details.type
            current.revocation?.percentage = details.percentage
        }
        current.isUpgraded = newest(.isUpgraded)?.isUpgraded ?? false
        current.ownership = newest(.ownership)?.ownership ?? .notStated
        current.subscriptionGroupID = newest(.group)?.subscriptionGroupID
        current.appAccountToken = newest(.accountToken)?.appAccountToken
        let detailed = newest(.newerDetails)
        current.appTransactionID = detailed?.appTransactionID
        current.storefront = detailed?.storefront
        current.price = detailed?.price
        current.billingPlanType = detailed?.billingPlanType
        current.transactionReason = detailed?.transactionReason
        current.additionalReason = detailed?.additionalReason
        current.commitmentExpiresDate = detailed?.commitmentExpiresDate
        current.commitmentPeriod = detailed?.commitmentPeriod
        current.commitmentPeriods = detailed?.commitmentPeriods
        current.multiSeat = detailed?.multiSeat
        // A receipt can say some offers and not others: what it says holds, silence does not.
        current.offer = newestFirst.first { $0.source.form == .jws || $0.offer != nil }?.offer
        return current
    }
}
