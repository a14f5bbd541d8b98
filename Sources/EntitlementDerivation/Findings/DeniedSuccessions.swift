internal import EntitlementModel

/// Lineages that go on from one account's, but had another owner before that was known
/// (spec 1.4): for both accounts. A finding ends when one of those that owned the older lineage
/// comes to own the newer one.
func deniedSuccessions(
    concerning account: AccountID?, units: [DerivedUnit], view: FactView
) -> [Finding] {
    guard view.facts.decisions.contains(where: \.value.isDeniedSuccession) else { return [] }
    let owners = Dictionary(units.map { ($0.unit, $0.ownership) }) { first, _ in first }
    let book = OwnershipIndex(view)
    return view.facts.decisions.compactMap { decision in
        guard decision.value.isDeniedSuccession else { return nil }
        let heirs = view.heirs(of: decision, book)
        let accounts = Set(heirs + decision.value.ownersBefore)
        guard !heirs.isEmpty, account.map(accounts.contains) ?? true else { return nil }
        let unit = view.currentName(
            of: decision.value.unit, presenting: decision.value.transactionID)
        let owning = (owners[unit] ?? book.ownership(of: unit)).changes.first { change in
            change.sequence > decision.sequence
                && heirs.contains { change.value.ownersAfter.contains($0) }
        }
        return Interval(from: decision.recordedAt, to: owning?.recordedAt).map {
            Finding(
                kind: .accountSwitch, environment: unit.environment, interval: $0,
                accounts: accounts.sorted(), units: [unit],
                facts: [decision.value.cause, decision.sequence])
        }
    }
}

extension OwnershipDecision {
    fileprivate var isDeniedSuccession: Bool {
        rule == .succession && outcome == .denied(.kept)
    }
}

extension FactView {
    /// Those that owned the older lineage when it was decided, and not the newer one.
    fileprivate func heirs(
        of decision: Recorded<OwnershipDecision>, _ book: OwnershipIndex
    ) -> [AccountID] {
        let statement = facts.transactions.first { $0.sequence == decision.value.cause }?.value
        guard let statement, let named = statement.previousOriginalTransactionID else { return [] }
        let predecessor = OwnedUnit.lineage(LineageKey(statement.environment, named))
        let change = book.ownership(of: predecessor).changes.last {
            $0.sequence < decision.sequence
        }
        return (change?.value.ownersAfter ?? []).filter {
            !decision.value.ownersBefore.contains($0)
        }
    }
}
