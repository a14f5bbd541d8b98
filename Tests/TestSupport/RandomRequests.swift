internal import EntitlementModel

extension HistoryDraw {
    /// Accounts present purchases, again and again, on every occasion.
    mutating func claims() {
        guard !transactions.isEmpty else { return }
        // Some histories are of one account, some of a purchase that many want.
        let claimants = dice.chance(1, in: 3) ? [dice.pick(accounts)] : accounts
        let wanted = dice.chance(1, in: 3) ? [dice.pick(transactions)] : transactions
        let isContested = wanted.count == 1
        for _ in 0..<((isContested ? 4 : 1) + dice.below(8)) {
            let transaction = dice.pick(wanted)
            let key = TransactionKey(transaction.environment, transaction.transactionID)
            let moment: ClaimMoment =
                isContested ? dice.pick([.restore, .purchase]) : dice.pick(ClaimMoment.allCases)
            var claim = Claim(
                account: dice.pick(claimants), transaction: key, moment: moment,
                isReturn: dice.chance(1, in: 8))
            if claim.isReturn, dice.chance(1, in: 2) {
                claim.erasedOwners = dice.some(of: accounts).sorted()
            }
            claim.hasErasedToken = dice.chance(1, in: 12)
            let shown =
                dice.chance(1, in: 2)
                ? instant(after: transaction.signedDate, within: 10) : anyInstant()
            record(.claim(claim), at: shown)
            // The same again, as devices and queues do.
            for _ in 0..<dice.pick([0, 0, 1, 2]) {
                let again = dice.chance(1, in: 4) ? shown : instant(after: shown, within: 40)
                record(.claim(claim), at: again)
            }
        }
    }

    /// Evidence of several purchases: late receipts with and without a moment, and Apple's
    /// notifications, some of them again and again.
    mutating func presentations() {
        guard !transactions.isEmpty else { return }
        for _ in 0..<dice.below(5) {
            let environment = dice.pick(transactions).environment
            let own = transactions.filter { $0.environment == environment }
            let named = dice.chance(1, in: 3) ? [dice.pick(own)] : dice.some(of: own)
            let account = dice.chance(1, in: 3) ? nil : dice.pick(accounts)
            let moment: ClaimMoment? =
                dice.chance(1, in: 2) ? nil : dice.pick(ClaimMoment.allCases)
            let latest = named.map(\.signedDate).max() ?? beginning
            for _ in 0..<dice.pick([1, 1, 2]) {
                let shown =
                    dice.chance(1, in: 2) ? instant(after: latest, within: 10) : anyInstant()
                record(.presentation(account, moment, named), at: shown)
            }
        }
    }

    /// People rule on what accounts want.
    mutating func rulings() {
        guard !transactions.isEmpty, dice.chance(1, in: 2) else { return }
        let subject = dice.pick(transactions)
        for _ in 0..<(1 + dice.below(4)) {
            // Mostly one purchase, so that rulings meet.
            let ruled = dice.chance(3, in: 4) ? subject : dice.pick(transactions)
            let ruling: HistoryRuling =
                switch dice.below(8) {
                case 0, 1: .approve(dice.pick(accounts))
                case 2: .refuse(dice.pick(accounts))
                case 3, 4: .transfer(dice.pick(accounts))
                case 5: .release(dice.chance(1, in: 3) ? dice.pick(accounts) : nil)
                default: .undo(back: dice.pick([0, 0, 0, 1, 2]))
                }
            record(
                .ruling(TransactionKey(ruled.environment, ruled.transactionID), ruling),
                at: anyInstant())
        }
    }

    mutating func grantsAndBlocks() {
        for index in 0..<dice.below(3) {
            let from = anyInstant()
            let id = GrantID(unchecked: "g\(index)")
            let account = dice.pick(accounts)
            let gift: GrantedGift =
                dice.chance(1, in: 2)
                ? .entitlement(dice.pick(Shelf.entitlements))
                : .credit(dice.pick(Shelf.credits), units: Int64(1 + dice.below(50)))
            let grant = Grant(
                id: id, account: account, environment: dice.pick([.production, .sandbox]),
                gift: gift, from: from,
                until: dice.chance(2, in: 3) ? instant(after: from, within: 20) : nil,
                actor: "support", reason: "a test")
            let given = anyInstant()
            record(.grant(grant), at: given)
            if dice.chance(1, in: 3) {
                let revocation = GrantRevocation(
                    grant: id, account: account, actor: "support", reason: "a test")
                record(.grantRevocation(revocation), at: instant(after: given, within: 20))
            }
        }
        for index in 0..<dice.below(3) {
            let id = BlockID(unchecked: "b\(index)")
            let account = dice.pick(accounts)
            let put = anyInstant()
            var block = Block(id: id, account: account, actor: "fraud", reason: "a test")
            if dice.chance(1, in: 3) {
                block.purpose = .closure
            } else if dice.chance(1, in: 2) {
                let coins = CreditName(unchecked: "coins")
                block.scope = BlockScope(
                    entitlements: dice.chance(2, in: 3) ? dice.some(of: Shelf.entitlements) : [],
                    credits: dice.chance(1, in: 3) ? [coins] : [])
            }
            record(.block(block), at: put)
            if dice.chance(1, in: 2) {
                let removal = BlockRemoval(
                    block: id, account: account, actor: "fraud", reason: "a test")
                record(.blockRemoval(removal), at: instant(after: put, within: 20))
            }
        }
    }

    mutating func tokens() {
        for _ in 0..<dice.below(5) {
            guard let token = token() else { continue }
            let registration = AccountTokenRegistration(
                token: token, account: dice.pick(accounts), actor: "support", reason: "a test")
            record(.accountToken(registration), at: anyInstant())
        }
    }

    /// Merges of some accounts, undone in some order, in between of everything else.
    mutating func merges() {
        guard dice.chance(1, in: 2) else { return }
        for _ in 0..<(1 + dice.below(3)) {
            let (from, into) = (dice.pick(accounts), dice.pick(accounts))
            let merged = anyInstant()
            let isUpToNow = dice.chance(1, in: 3)
            let merge = HistoryEvent.merge(from: from, into: into, isUpToNow: isUpToNow)
            record(merge, at: merged)
            if dice.chance(1, in: 6) { record(merge, at: instant(after: merged, within: 20)) }
            guard dice.chance(2, in: 3) else { continue }
            record(
                .mergeUndo(from: from, into: into), at: instant(after: merged, within: 20))
        }
    }
}
