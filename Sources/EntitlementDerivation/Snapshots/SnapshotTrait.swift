internal import EntitlementModel

/// Fields of a snapshot that some forms of evidence can never say (spec 4.1).
enum SnapshotTrait {
    case kind
    /// Whether it was revoked, when, and for which reason.
    case cancellation
    /// How it was revoked: type and percentage.
    case cancellationDetail
    case upgrade
    /// Ownership, subscription group and appAccountToken.
    case identity
    case offer
    /// What only a JWS says: appTransactionId, storefront, price, plan, transaction reasons.
    case detail
}

extension TransactionSnapshot {
    /// Whether silence about the trait would mean something. `kind` is the kind that the
    /// transaction is known to have; it matters for consumables, whose cancellation a receipt
    /// never shows.
    func carries(_ trait: SnapshotTrait, kind known: ProductKind?) -> Bool {
        switch (trait, source.form) {
        case (.kind, .jws): kind != nil
        case (.kind, .receipt): true
        case (.kind, _): false
        case (.cancellation, .receipt): known != .consumable
        case (.cancellation, _): true
        case (.upgrade, .jws), (.upgrade, .latestReceiptInfo): true
        case (.identity, .jws), (.identity, .latestReceiptInfo): true
        case (.upgrade, _), (.identity, _): false
        case (.offer, let form): form == .jws || offer != nil
        case (.cancellationDetail, let form), (.detail, let form): form == .jws
        }
    }
}

extension Stated<ProductKind> {
    /// As `== .known(kind)`, without a comparison of everything that it might be.
    func isKnown(_ kind: ProductKind) -> Bool {
        if case .known(let own) = self { own == kind } else { false }
    }
}
