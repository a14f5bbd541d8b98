package import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import EvidenceVerification
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
        var found = try transactions() + lineages() + lineItems() + appleIDs() + tokens()
        found += try [entry(), order(), grant(), block(), account()].compactMap(\.self)
        return found
    }

    fileprivate func transactions() throws(LedgerError) -> [FoundMeaning] {
        guard let id = TransactionID(text) else { return [] }
        var found: [FoundMeaning] = []
        for environment in StoreEnvironment.allCases {
            let key = TransactionKey(environment, id)
            guard let lineage = try reader.lineage(of: key) else { continue }
            let facts = policy.folding(try reader.facts(forLineage: lineage))
            let snapshots = facts.transactions.filter { $0.value.key == key }
            let newest = snapshots.max { $0.value.signedDate < $1.value.signedDate }
            var meaning = FoundMeaning(
                .transaction, in: environment,
                accounts: policy.deriver.holdings(of: [key], facts)[key]?.owners ?? [],
                // Apple may have signed it under several.
                lineages: Set(snapshots.map(\.value.originalTransactionID))
                    .union([lineage.originalTransactionID]).sorted(
                        by: TransactionID.precedesByLength),
                products: newest.map { [$0.value.productID] } ?? [],
                sequence: snapshots.map(\.sequence).min())
            meaning.purchase = newest.map { PurchaseFact($0.value) }
            let claims = facts.claims.lazy.map(\.value).filter { $0.transaction == key }
            meaning.presentedBy = Set(claims.map(\.account)).subtracting(meaning.accounts).sorted()
            found.append(meaning)
        }
        return found
    }

    /// What Apple calls a period of a subscription on its receipts and reports.
    private func lineItems() throws(LedgerError) -> [FoundMeaning] {
        guard let id = WebOrderLineItemID(text) else { return [] }
        var found: [FoundMeaning] = []
        for environment in StoreEnvironment.allCases {
            let places = try reader.transactions(ofLineItem: id, in: environment)
            guard let first = places.first else { continue }
            var lineages: Set<LineageKey> = []
            for place in places {
                guard case .transaction(let fact)? = try reader.entry(place)?.value else {
                    continue
                }
                lineages.insert(fact.snapshot.lineage)
            }
            var meaning = try self.meaning(.lineItem, in: environment, of: lineages.sorted())
            meaning.sequence = first
            found.append(meaning)
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
        var meaning = try meaning(.appleID, in: environment, of: lineages)
        var presenting = Set(meaning.presentedBy)
        for id in try appTransactions(of: lineages) {
            for place in try reader.presentations(of: id) {
                guard case .appTransaction(let fact)? = try reader.entry(place)?.value else {
                    continue
                }
                presenting.formUnion(fact.account.map { [policy.name($0)] } ?? [])
            }
        }
        meaning.presentedBy = presenting.subtracting(meaning.accounts).sorted()
        return [meaning]
    }

    private func appTransactions(
        of lineages: [LineageKey]
    ) throws(LedgerError) -> Set<AppTransactionKey> {
        guard let first = lineages.first else { return [] }
        let facts = try reader.facts(forLineage: first)
        return Set(facts.transactions.compactMap(\.value.appTransactionKey))
    }

    /// The account it was registered for last, and the purchases that carry it.
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
            meaning.presentedBy = []
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

    /// It leads to what the account claimed, whatever was decided; and to the account that it was
    /// merged into.
    private func account() throws(LedgerError) -> FoundMeaning? {
        guard let name = AccountID(text), try reader.knows(name) else { return nil }
        let account = policy.name(name)
        let facts = policy.folding(try reader.facts(forAccount: account))
        let claimed = Set(
            facts.claims.lazy.map(\.value).filter { $0.account == account }.map(\.transaction))
        let purchases = facts.transactions.lazy.map(\.value).filter { claimed.contains($0.key) }
        var meaning = FoundMeaning(
            .account, accounts: [account],
            lineages: Set(purchases.map(\.lineage)).sorted().map(\.originalTransactionID),
            products: Set(purchases.map(\.productID)).sorted())
        let standing = try reader.account(standingFor: account, policy)
        if standing != account { meaning.mergedInto = standing }
        return meaning
    }

    /// What leads to purchases: their owners and products. The facts of an Apple ID are read once.
    private func meaning(
        _ kind: FoundMeaning.Kind, in environment: StoreEnvironment, of lineages: [LineageKey]
    ) throws(LedgerError) -> FoundMeaning {
        var owners: Set<AccountID> = []
        var products: Set<ProductID> = []
        var claimants: Set<AccountID> = []
        var rest = lineages
        while let first = rest.first {
            let facts = policy.folding(try reader.facts(forLineage: first))
            let here = Set(facts.transactions.map(\.value.lineage)).intersection(rest)
                .union([first])
            owners.formUnion(policy.deriver.owners(ofPurchasesIn: here, facts))
            for transaction in facts.transactions where here.contains(transaction.value.lineage) {
                products.insert(transaction.value.productID)
            }
            claimants.formUnion(facts.claimants(of: here))
            rest.removeAll(where: here.contains)
        }
        var meaning = FoundMeaning(
            kind, in: environment, accounts: owners.sorted(),
            lineages: lineages.map(\.originalTransactionID), products: products.sorted())
        meaning.presentedBy = claimants.subtracting(owners).sorted()
        return meaning
    }
}

extension EntitlementEngine {
    /// The meaning of an order number of Apple's e-mails; empty if Apple knows none, or is not
    /// asked. Nothing is recorded.
    package func find(appleOrder id: SoughtID) async throws(EngineError) -> FoundID {
        var pieces: [String] = []
        if let appStore, appStore.hasServerAPI, id.mayBeAppleOrder {
            do throws(AppStoreFailure) {
                let order = try await appStore.lookUp(order: id.text)
                if order.isValid { pieces = order.signedTransactions }
            } catch {
                // The caller is told how to ask, as if Apple could not be asked.
            }
        }
        let keys = pieces.compactMap { piece -> TransactionSnapshot? in
            guard case .accepted(let evidence) = verify(answered: piece, as: .transaction).verdict
            else { return nil }
            return evidence.transactions.first
        }
        return try questions.find(keys, ofAppleOrder: id)
    }
}

extension SoughtID {
    /// Such as MN0ABCDEFG: other IDs are not sent to Apple.
    package var mayBeAppleOrder: Bool {
        (8...16).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
            && text.utf8.contains { $0 >= 0x41 }
    }
}

extension LedgerQuestions {
    /// The meanings of the transactions of an order, as reported by Apple. Blocks.
    fileprivate func find(
        _ transactions: [TransactionSnapshot], ofAppleOrder id: SoughtID
    ) throws(EngineError) -> FoundID {
        try ledger.reading { reader throws(LedgerError) in
            var found: [FoundMeaning] = []
            for snapshot in transactions {
                let search = IDSearch(
                    text: snapshot.transactionID.text, policy: policy, reader: reader)
                let known = try search.transactions().first {
                    $0.environment == snapshot.environment
                }
                var meaning = FoundMeaning(
                    .appleOrder, in: snapshot.environment, accounts: known?.accounts ?? [],
                    lineages: [snapshot.originalTransactionID], products: [snapshot.productID],
                    sequence: known?.sequence)
                meaning.presentedBy = known?.presentedBy ?? []
                found.append(meaning)
            }
            return FoundID(id: id, meanings: found, revision: try reader.head().sequence)
        }
    }
}
