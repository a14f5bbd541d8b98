package import EntitlementModel

/// What last gave a right that is denied (spec 1.10).
extension Specification {
    /// Of all that ever bore on the right of an account, the one that ended last; what never
    /// granted comes after what did. Nil where nothing ever bore on it.
    package func lastSource(of account: AccountID, key: RightKey, at instant: Instant)
        -> RightSource?
    {
        let units = units.filter { unit in
            decisions(on: unit).contains { $0.value.ownersAfter.contains(account) }
        }
        let histories =
            units.compactMap { history(of: $0, key: key, for: account, at: instant) }
            + grants(of: account).compactMap { ending(of: $0, key: key, at: instant) }
        return latest(histories)
    }

    /// The same for an Apple ID.
    package func lastSource(
        ofAppleIDHolding lineage: LineageKey, key: RightKey, at instant: Instant
    ) -> RightSource? {
        let units = units.filter { unit in
            guard case .lineage(let other) = unit else { return false }
            return appleIDs.areTheSame(other, lineage)
        }
        return latest(units.compactMap { history(of: $0, key: key, for: nil, at: instant) })
    }

    /// What last bore on a right, and when it stopped granting; nil for never.
    private struct SourceHistory {
        var source: RightSource
        /// Nil for a grant by hand, which comes after purchases of equal end.
        var purchase: Purchase?
        var endedAt: Instant?
    }

    private func latest(_ histories: [SourceHistory]) -> RightSource? {
        histories.min { left, right in
            if left.endedAt != right.endedAt {
                return (left.endedAt ?? .distantPast) > (right.endedAt ?? .distantPast)
            }
            guard let one = left.purchase, let other = right.purchase else {
                return left.purchase != nil
            }
            return Purchase.isNamedSmaller(one, other)
        }?.source
    }

    private func history(
        of unit: OwnedUnit, key: RightKey, for account: AccountID?, at instant: Instant
    ) -> SourceHistory? {
        var history: SourceHistory?
        var wasGranting = false
        let known = boundaries(of: unit, on: key, for: account).filter { $0 <= instant }
        for boundary in known {
            let isOwned = account.map { owners(of: unit, at: boundary).contains($0) } ?? true
            let bearing = isOwned ? bearing(of: unit, on: key, for: account, at: boundary) : nil
            let isGranting = bearing?.isGranted == true
            if let purchase = bearing?.situation.purchase {
                history = SourceHistory(
                    source: purchase.asSource, purchase: purchase, endedAt: history?.endedAt)
            }
            if wasGranting, !isGranting { history?.endedAt = boundary }
            wasGranting = isGranting
        }
        return history
    }

    private func ending(of grant: Grant, key: RightKey, at instant: Instant) -> SourceHistory? {
        guard grant.gift == .entitlement(key.entitlement), grant.environment == key.environment,
            let until = grant.until, grant.from < until, until <= instant
        else { return nil }
        return SourceHistory(source: .grant(grant.id), purchase: nil, endedAt: until)
    }
}

extension Purchase {
    /// This purchase as the reason of an answer.
    var asSource: RightSource {
        .purchase(product: current.productID, transaction: key, lineage: lineage)
    }
}
