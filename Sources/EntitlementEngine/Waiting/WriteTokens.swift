internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

extension EngineTransaction {
    /// Has Apple write the token of the account to which a person gave a purchase, so that renewals
    /// say whose they are (spec 1.8). Not for what a family or an organisation shares: there the
    /// token is not the owner's.
    func writeToken(
        of account: AccountID?, for key: TransactionKey
    ) throws(LedgerError) {
        guard mayAskApple, [.production, .sandbox].contains(key.environment), let account,
            let token = try token(of: account),
            let lineage = try transaction.lineage(of: key)
        else { return }
        let newest = try transaction.facts(forLineage: lineage).transactions.map(\.value)
            .filter { $0.lineage == lineage && $0.source.form == .jws }
            .max { $0.signedDate < $1.signedDate }
        guard let newest, newest.ownership == .purchased else { return }
        // What an earlier ruling had set is at Apple, or on its way, and in no transaction yet.
        let isFirstRuling = try transaction.facts(forClaimsOn: [key], by: []).rulings.count <= 1
        guard newest.appAccountToken != token || !isFirstRuling else { return }
        let ticket = EvidenceTicket(
            .accountToken, environment: lineage.environment,
            transaction: lineage.originalTransactionID, account: account, token: token)
        // The same wish from before another one: it is the newest now, and the newest holds.
        if let older = try transaction.waitingTicket(like: ticket) {
            _ = try transaction.append(.ticketClosed(.superseded(older)), at: now)
        }
        _ = try open(ticket, by: nil)
    }

    /// The account's own id where that is one, else what was registered for it last. The token of an
    /// order is none: on an older purchase it would look as if that had paid the order.
    private func token(of account: AccountID) throws(LedgerError) -> AppAccountToken? {
        if policy.history.current.app.accountToken == .isAccountID {
            return AppAccountToken(account.text)
        }
        let registrations = try transaction.facts(forAccount: account).accountTokens
        for registration in registrations.reversed()
        where policy.name(registration.value.account) == account {
            let token = registration.value.token
            if try transaction.order(OrderID(token)) == nil { return token }
        }
        return nil
    }
}

extension TicketClosing {
    /// A newer ticket sets another token of the same lineage.
    static func superseded(_ ticket: LedgerSequence) -> TicketClosing {
        TicketClosing(
            ticket: ticket, outcome: .refused, code: AppStoreTrouble.superseded.rawValue)
    }
}
