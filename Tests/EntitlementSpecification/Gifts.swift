internal import EntitlementModel

/// Rights given and stopped by hand (spec 1.1, 1.6).
extension Specification {
    /// The grants of an entitlement that hold at an instant; `until` is their real end.
    func grantsInForce(for account: AccountID, key: RightKey, at instant: Instant) -> [Grant] {
        grants(of: account).filter { grant in
            grant.gift == .entitlement(key.entitlement) && grant.environment == key.environment
                && grant.from <= instant && grant.until.map { instant < $0 } != false
        }
    }

    /// The grants of an account, each ended by its revocation if that is sooner.
    func grants(of account: AccountID) -> [Grant] {
        facts.grants.filter { $0.value.account == account }.map { grant in
            var ended = grant.value
            let revoked = facts.grantRevocations.filter {
                $0.value.grant == grant.value.id && $0.value.account == account
                    && $0.sequence > grant.sequence
            }.map(\.recordedAt).min()
            ended.until = Interval.earlier(ended.until, revoked)
            return ended
        }.sorted { $0.isNamedSmaller(than: $1) }
    }

    /// Whether any block of an account that stops the entitlement has been put on and not been
    /// lifted since. One that names nothing stops everything.
    func isBlocked(
        _ account: AccountID, from entitlement: EntitlementName, at instant: Instant
    ) -> Bool {
        facts.blocks.contains { block in
            let (entitlements, credits) = (
                block.value.scope.entitlements, block.value.scope.credits
            )
            let isKept = block.value.purpose == .closure && policy.closedAccounts == .keep
            return block.value.account == account && block.recordedAt <= instant && !isKept
                && (entitlements.contains(entitlement) || entitlements.isEmpty && credits.isEmpty)
                && !facts.blockRemovals.contains {
                    $0.value.block == block.value.id && $0.value.account == account
                        && $0.sequence > block.sequence && $0.recordedAt <= instant
                }
        }
    }
}

extension Grant {
    /// By length, then by bytes, as with transactions (spec 1.10).
    func isNamedSmaller(than other: Grant) -> Bool {
        let (own, others) = (id.text.utf8.count, other.id.text.utf8.count)
        return own == others ? id < other.id : own < others
    }
}
