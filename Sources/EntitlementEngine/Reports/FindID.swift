package import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

extension LedgerQuestions {
    /// Everything that an id is, and where it leads (spec 3.1); no meaning where no entry has it.
    /// Blocks.
    package func find(_ id: SoughtID) throws(EngineError) -> FoundID {
        try ledger.reading { reader throws(LedgerError) in
            let search = IDSearch(text: id.text, policy: policy, reader: reader)
            return FoundID(
                id: id, meanings: try search.meanings(), revision: try reader.head().sequence)
        }
    }
}

/// Tries an id as everything that the ledger can be asked for by name.
private struct IDSearch {
    let text: String
    let policy: ActivePolicy
    let reader: any LedgerReading

    func meanings() throws(LedgerError) -> [FoundMeaning] {
        var found = try transactions() + lineages() + appleIDs() + tokens()
        found += try [entry(), order(), grant(), block(), account()].compactMap(\.self)
        return found
    }

    private func transactions() throws(LedgerError) -> [FoundMeaning] {
        guard let id = TransactionID(text) else { return [] }
        var found: [FoundMeaning] = []
        for environment in StoreEnvironment.allCases {
            let key = TransactionKey(environment, id)
            guard let lineage = try reader.lineage(of: key) else { continue }
            let facts = policy.folding(try reader.facts(forLineage: lineage))
            let snapshots = facts.transactions.filter { $0.value.key == key }
            let newest = snapshots.max { $0.value.signedDate < $1.value.signedDate }
            found.append(
                FoundMeaning(
                    .transaction, in: environment,
                    accounts: policy.deriver.owners(of: key, facts),
                    lineages: [lineage.originalTransactionID],
                    products: newest.map { [$0.value.productID] } ?? [],
                    sequence: snapshots.map(\.sequence).min()))
        }
        return found
    }

    private func lineages() throws(LedgerError) -> [FoundMeaning] {
        guard let id = TransactionID(text) else { return [] }
        var found: [FoundMeaning] = []
        for environment in StoreEnvironment.allCases {
            let key = LineageKey(environment, id)
            let facts = try reader.facts(forLineage: key)
            let places =
                facts.transactions.filter { $0.value.lineage == key }.map(\.sequence)
                + facts.renewals.filter { $0.value.lineage == key }.map(\.sequence)
            guard let first = places.min() else { continue }
            var meaning = try self.meaning(.lineage, in: environment, of: [key])
            meaning.sequence = first
            found.append(meaning)
        }
        return found
    }

    private func appleIDs() throws(LedgerError) -> [FoundMeaning] {
        guard let key = AppleIDKey(text),
            let lineages = try policy.appleID(named: key, reader)?.lineages,
            let environment = lineages.first?.environment
        else { return [] }
        return [try meaning(.appleID, in: environment, of: lineages)]
    }

    /// What it was registered for last, and the purchases that carry it.
    private func tokens() throws(LedgerError) -> [FoundMeaning] {
        guard let token = AppAccountToken(text) else { return [] }
        var found: [FoundMeaning] = []
        if let registration = try reader.accountTokens(token).last {
            found.append(
                FoundMeaning(
                    .token, accounts: [policy.name(registration.value.account)],
                    sequence: registration.sequence))
        }
        let lineages = try reader.lineages(withToken: token)
        for environment in StoreEnvironment.allCases {
            let own = lineages.filter { $0.environment == environment }
            if !own.isEmpty { found.append(try meaning(.token, in: environment, of: own)) }
        }
        return found
    }

    /// A claim, a merge or a ticket, by its number.
    private func entry() throws(LedgerError) -> FoundMeaning? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let place = Int64(text).map(LedgerSequence.init)
        else { return nil }
        switch try reader.entry(place)?.value {
        case .claim(let claim):
            let key = claim.transaction
            let lineage = try reader.lineage(of: key)
            var meaning = try self.meaning(
                .claim, in: key.environment, of: lineage.map { [$0] } ?? [])
            meaning.accounts = [policy.name(claim.account)]
            meaning.sequence = place
            return meaning
        case .accountMerge(let merge):
            return FoundMeaning(
                .merge, accounts: [policy.name(merge.from), policy.name(merge.into)],
                sequence: place)
        case .evidenceTicket(let ticket):
            return FoundMeaning(
                .ticket, in: ticket.environment,
                accounts: ticket.account.map { [policy.name($0)] } ?? [], sequence: place)
        default: return nil
        }
    }

    private func order() throws(LedgerError) -> FoundMeaning? {
        guard let token = AppAccountToken(text), let order = try reader.order(OrderID(token))
        else { return nil }
        return FoundMeaning(
            .order, in: order.order.value.environment, accounts: [policy.name(order.account)],
            products: [order.order.value.product], sequence: order.order.sequence)
    }

    private func grant() throws(LedgerError) -> FoundMeaning? {
        guard let id = GrantID(text), let place = try reader.sequence(of: id),
            case .grant(let grant)? = try reader.entry(place)?.value
        else { return nil }
        return FoundMeaning(
            .grant, in: grant.environment, accounts: [policy.name(grant.account)],
            sequence: place)
    }

    private func block() throws(LedgerError) -> FoundMeaning? {
        guard let id = BlockID(text), let place = try reader.sequence(of: id),
            case .block(let block)? = try reader.entry(place)?.value
        else { return nil }
        return FoundMeaning(.block, accounts: [policy.name(block.account)], sequence: place)
    }

    private func account() throws(LedgerError) -> FoundMeaning? {
        guard let account = AccountID(text), try reader.knows(account) else { return nil }
        return FoundMeaning(.account, accounts: [policy.name(account)])
    }

    /// What leads to purchases: their owners and products. The facts of an Apple ID are read once.
    private func meaning(
        _ kind: FoundMeaning.Kind, in environment: StoreEnvironment, of lineages: [LineageKey]
    ) throws(LedgerError) -> FoundMeaning {
        var owners: Set<AccountID> = []
        var products: Set<ProductID> = []
        var rest = lineages
        while let first = rest.first {
            let facts = policy.folding(try reader.facts(forLineage: first))
            let here = Set(facts.transactions.map(\.value.lineage)).intersection(rest)
                .union([first])
            owners.formUnion(policy.deriver.owners(ofPurchasesIn: here, facts))
            for transaction in facts.transactions where here.contains(transaction.value.lineage) {
                products.insert(transaction.value.productID)
            }
            rest.removeAll(where: here.contains)
        }
        return FoundMeaning(
            kind, in: environment, accounts: owners.sorted(),
            lineages: lineages.map(\.originalTransactionID), products: products.sorted())
    }
}
