package import EntitlementModel

/// Who is named in a payload, and by which other names they are read.
package struct PayloadNames: Sendable {
    package var accounts: [AccountID: AccountID]
    package var tokens: [AppAccountToken: AppAccountToken]
    /// As written.
    package fileprivate(set) var foundAccounts: Set<AccountID> = []
    package fileprivate(set) var foundTokens: Set<AppAccountToken> = []

    package init(
        accounts: [AccountID: AccountID] = [:], tokens: [AppAccountToken: AppAccountToken] = [:]
    ) {
        (self.accounts, self.tokens) = (accounts, tokens)
    }
}

extension PayloadReader {
    mutating func named(_ account: AccountID) -> AccountID {
        guard names != nil else { return account }
        names?.foundAccounts.insert(account)
        return names?.accounts[account] ?? account
    }

    mutating func named(_ token: AppAccountToken) -> AppAccountToken {
        guard names != nil else { return token }
        names?.foundTokens.insert(token)
        return names?.tokens[token] ?? token
    }
}

extension LedgerEntry {
    /// Who is named in it. Bytes of evidence are not looked into.
    package var names: PayloadNames { renamed(PayloadNames()).names }

    /// The same entry with other names. A reason that a person gave is text about somebody, and is
    /// not taken over.
    package func restated(_ names: PayloadNames) -> LedgerEntry {
        var entry = renamed(names).entry
        switch entry {
        case .decision(var decision):
            decision.ownersBefore.sort()
            decision.ownersAfter.sort()
            entry = .decision(decision)
        case .ruling(var ruling):
            ruling.reason = Self.erasedReason
            entry = .ruling(ruling)
        case .accountMerge(var merge):
            merge.reason = Self.erasedReason
            entry = .accountMerge(merge)
        case .accountToken(var registration):
            registration.reason = Self.erasedReason
            entry = .accountToken(registration)
        case .grant(var grant):
            grant.reason = Self.erasedReason
            entry = .grant(grant)
        case .grantRevocation(var revocation):
            revocation.reason = Self.erasedReason
            entry = .grantRevocation(revocation)
        case .creditThaw(var thaw):
            thaw.reason = Self.erasedReason
            entry = .creditThaw(thaw)
        case .creditHold(var hold):
            hold.reason = hold.reason.map { _ in Self.erasedReason }
            (hold.reference, hold.key) = (nil, nil)
            entry = .creditHold(hold)
        case .holdEnd(var end):
            end.reason = end.reason.map { _ in Self.erasedReason }
            end.reference = nil
            entry = .holdEnd(end)
        case .spendReversal(var reversal):
            reversal.reason = reversal.reason.map { _ in Self.erasedReason }
            entry = .spendReversal(reversal)
        case .order(var order):
            order.key = nil
            entry = .order(order)
        case .orderEvent(var event):
            event.reason = event.reason.map { _ in Self.erasedReason }
            entry = .orderEvent(event)
        default: break
        }
        return entry
    }

    private static let erasedReason = "erased"

    private func renamed(_ names: PayloadNames) -> (entry: LedgerEntry, names: PayloadNames) {
        var reader = PayloadReader()
        reader.names = names
        let payload = Payload.encode(self)
        guard let entry = try? reader.entry(of: registered.kind, from: payload.span.bytes),
            let found = reader.names
        else { preconditionFailure("what is written can be read") }
        return (entry, found)
    }
}
