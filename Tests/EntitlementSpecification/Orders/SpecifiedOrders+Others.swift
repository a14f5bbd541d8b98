package import EntitlementModel

/// Payments that one account presents and another one may have made (spec 1.8).
extension SpecifiedOrders {
    /// For whom it is claimed instead of the presenter: the one account whose client has reported it
    /// before anybody presented it, if the presenter has no order for it.
    ///
    /// - Parameter specification: by the facts before the claims.
    package func reporter(
        of transaction: TransactionKey, presentedBy claimant: AccountID, named: TransactionKey?,
        by specification: Specification, at now: Instant
    ) -> AccountID? {
        guard let payment = specification.payment(transaction), payment.isAnybodys,
            payment.owners.isEmpty, !payment.includes(named),
            !specification.facts.claims.contains(where: {
                payment.includes($0.value.transaction)
            })
        else { return nil }
        let reporting = orders.filter { $0.isReported(for: payment) }
        let accounts = Set(
            reporting.map { specification.account(standingFor: $0.lastAccount) })
        guard accounts.count == 1, let account = accounts.first, account != claimant,
            reporting.contains(where: { $0.payment == nil && canBe(payment, of: $0) }),
            !orders.contains(where: {
                specification.account(standingFor: $0.lastAccount) == claimant
                    && canBe(payment, of: $0) && isInTime(payment, for: $0)
                    && canStillBePaid($0, at: now)
            })
        else { return nil }
        return account
    }

    /// It waits for a payment, or has ended without one in a way that a late one ends.
    private func canStillBePaid(_ order: SpecifiedOrder, at now: Instant) -> Bool {
        let state = order.state(at: now)
        return isOpen(state) || order.isGivenOnly || order.endedWithoutPayment
            || [.cancelled, .failed, .abandoned].contains(state)
    }

    /// The nearest order of another account that waits for such a payment, on no other known Apple
    /// ID, tells of it.
    mutating func tell(
        _ payment: SpecifiedPayment, of claimant: AccountID, by specification: Specification,
        at now: Instant
    ) {
        guard payment.isAnybodys, payment.owners.contains(claimant),
            now < Period(30, .days).end(from: payment.boughtAt),
            !orders.contains(where: { $0.hasSeen(payment) })
        else { return }
        let waiting = orders.filter { order in
            specification.account(standingFor: order.lastAccount) != claimant
                && canBe(payment, of: order) && isInTime(payment, for: order)
                && (isOpen(order.state(at: now)) && order.lastState != .scheduled
                    || order.isGivenOnly)
                && comparison(order, payment, specification).appleID != .different
        }
        let before = waiting.filter { $0.madeAt.milliseconds(since: payment.boughtAt) < 1_000 }
        let nearest = (before.isEmpty ? waiting : before).min { left, right in
            let distances = [left, right].map {
                comparison($0, payment, specification).distance
            }
            return (distances[0], left.id) < (distances[1], right.id)
        }
        guard let nearest else { return }
        visits.insert("payment of one account, order of another")
        happen(.seen, to: nearest.id, at: now, in: nearest.lastState) { event in
            event.transaction = payment.name
            event.presenter = claimant
        }
    }

    /// Twenty transactions of which nothing is known wait for the account already.
    func isFull(
        ofReports named: TransactionKey, _ order: SpecifiedOrder, by specification: Specification
    ) -> Bool {
        let account = specification.account(standingFor: order.lastAccount)
        let reports = orders.filter {
            specification.account(standingFor: $0.lastAccount) == account && $0.payment == nil
                && ![.notAllowed, .review, .refunded].contains($0.lastState)
        }.flatMap(\.events).filter { OrderEventKind.reports.contains($0.kind) }
        let waiting = Set(reports.compactMap(\.transaction)).filter {
            specification.payment($0) == nil
        }
        return !waiting.contains(named) && specification.payment(named) == nil
            && waiting.count >= 20
    }
}
