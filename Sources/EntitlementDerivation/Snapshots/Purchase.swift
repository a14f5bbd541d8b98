internal import EntitlementModel

/// One purchase or period of a lineage: what all snapshots of all transactions that are one
/// with it say together (spec 1.2). A class, because periods, states and findings all refer to
/// it; it does not change once `FactView.purchases(of:)` has handed it out.
final class Purchase {
    /// The smallest transaction id of the set, which names it.
    let transactionID: TransactionID
    /// The other transactions that are the same purchase.
    let otherTransactionIDs: [TransactionID]
    let merged: MergedSnapshot
    /// Every snapshot of the set, as positions in the facts; empty where there is but one.
    private let snapshots: [Int]
    let productID: ProductID
    /// The position in the compiled policy; nil for a product that the catalogue lacks.
    let product: Int?
    /// The signed kind, else the catalogue's; nil where neither says.
    let kind: Stated<ProductKind>?
    /// Whether it is a unit of its own (spec 1.1).
    let isAccountScoped: Bool
    /// The smallest purchaseDate of the set.
    let start: Instant
    /// What its order promised; nil for a purchase that counts as sold at its start (spec 1.8).
    let promise: KeptPromise?
    /// Of a period with additions, the latest of the members that are not revoked (spec 1.4).
    private(set) var expires: Instant?
    private(set) var isUpgraded: Bool
    /// A refund or a loss of sharing; never the cancellation that marks an upgrade. Of one refund
    /// the smallest date that was signed.
    private(set) var ownRevocation: Revocation?
    /// The same; of a period with additions only where every member has one.
    private(set) var revocation: Revocation?
    /// All that Apple has signed as the date of the refund.
    private(set) var refundDates: Set<Instant> = []
    /// Whether a JWS states the refund.
    private let isRefundSigned: Bool
    /// Whether seats were added to its period: it is one with what it overlaps (spec 1.4).
    let isAddition: Bool
    /// What else is one period with this one, in the order of purchases.
    private(set) var additions: [Purchase] = []

    /// `product` is the position of the product of the merged snapshot.
    init(
        merged: MergedSnapshot, snapshots: [Int], transactionID: TransactionID,
        otherTransactionIDs: [TransactionID], start: Instant, product: Int?, view: FactView
    ) {
        let all = view.facts.transactions
        self.snapshots = snapshots
        self.merged = merged
        self.start = start
        self.transactionID = transactionID
        self.otherTransactionIDs = otherTransactionIDs
        self.product = product
        let productID = all[merged.newest].value.productID
        self.productID = productID
        promise =
            view.facts.orderPromises.isEmpty
            ? nil
            : view.promise(
                for: [transactionID] + otherTransactionIDs,
                in: all[merged.newest].value.environment, of: productID)
        expires = all[merged.newest].value.expiresDate
        isUpgraded = merged.upgrade >= 0 && all[merged.upgrade].value.isUpgraded
        kind = view.kind(of: merged, product: product)
        isAccountScoped = kind?.known?.isAccountScoped == true
        isAddition = merged.isAddition(in: all)
        guard var refund = merged.revocation(in: all) else {
            isRefundSigned = false
            return
        }
        let run = merged.refundRun(of: snapshots, in: all, kind: kind?.known)
        refundDates = Set(run.compactMap(\.revocation?.date) + [refund.date])
        refund.date = refundDates.min() ?? refund.date
        isRefundSigned =
            run.isEmpty
            ? merged.cancellation >= 0 && all[merged.cancellation].value.source.form == .jws
            : run.contains { $0.source.form == .jws }
        ownRevocation = refund
        revocation = refund
    }

    /// `addition` is one period with this one.
    func join(_ addition: Purchase) { additions.append(addition) }

    /// Reads end and revocation of all members together, once all have joined.
    func readMembers() {
        guard !additions.isEmpty else { return }
        let lasting = members.filter { $0.ownRevocation == nil }
        expires = (lasting.isEmpty ? members : lasting).compactMap(\.expires).max()
        guard lasting.isEmpty else {
            revocation = nil
            return
        }
        // Of equal dates the period's own, then that of the first addition.
        for case let later? in additions.map(\.ownRevocation) {
            if let held = revocation, later.date <= held.date { continue }
            revocation = later
        }
    }

    /// In receipts and verifyReceipt answers an upgraded period carries a cancellation: it is
    /// no refund (spec 1.2). `others` are the purchases of the lineage.
    func readCancellationAsUpgrade(among others: [Purchase], view: FactView) {
        guard let date = ownRevocation?.date, !isRefundSigned else { return }
        let meetsAnother = others.contains { other in
            other.start >= start && other.productID != productID
                && abs(other.start.milliseconds(since: date)) <= 60_000
                && isInOneGroup(with: other, view: view)
        }
        guard isUpgraded || meetsAnother else { return }
        (ownRevocation, revocation, refundDates) = (nil, nil, [])
        isUpgraded = true
    }

    /// Every snapshot of the set, as positions in the facts.
    var allSnapshots: [Int] { snapshots.isEmpty ? [merged.newest] : snapshots }

    /// The instant whose policy decides what was sold, and which conditions on dates compare.
    var soldAt: Instant { promise?.soldAt ?? start }

    /// The product that gives its rights; nil for one that the catalogue lacks.
    func given(by policy: CompiledPolicy) -> CompiledProduct? {
        promise?.product ?? product.map { policy.products[$0] }
    }

    /// Whether both are of one kind, by whatever name.
    func hasKind(of other: Purchase) -> Bool {
        if let known = kind?.known { return known == other.kind?.known }
        return kind == other.kind
    }

    func isNamed(_ id: TransactionID) -> Bool {
        transactionID == id || otherTransactionIDs.contains(id)
    }

    /// The purchase itself, and its additions.
    var members: [Purchase] { additions.isEmpty ? [self] : [self] + additions }
}

extension [Purchase] {
    /// Each with its additions. Most have none: then nothing is made.
    var members: [Purchase] {
        contains { !$0.additions.isEmpty } ? flatMap(\.members) : self
    }

    /// The purchase of that name, an addition by itself, with those before it.
    func named(_ id: TransactionID) -> (purchase: Purchase, earlier: Purchase?)? {
        for index in indices {
            if self[index].isNamed(id) {
                return (self[index], index > 0 ? self[index - 1] : nil)
            }
            if let addition = self[index].additions.first(where: { $0.isNamed(id) }) {
                return (addition, self[index])
            }
        }
        return nil
    }
}

extension Purchase {
    /// Fields that only some rules and findings need are read in place.
    func ownership(in view: FactView) -> Ownership {
        merged.identity < 0
            ? .notStated : view.facts.transactions[merged.identity].value.ownership
    }

    func token(in view: FactView) -> AppAccountToken? {
        merged.identity < 0
            ? nil : view.facts.transactions[merged.identity].value.appAccountToken
    }

    func group(in view: FactView) -> SubscriptionGroupID? {
        merged.identity < 0
            ? nil : view.facts.transactions[merged.identity].value.subscriptionGroupID
    }

    func offer(in view: FactView) -> Offer? {
        merged.offer < 0 ? nil : view.facts.transactions[merged.offer].value.offer
    }

    func storefront(in view: FactView) -> String? {
        merged.detail < 0 ? nil : view.facts.transactions[merged.detail].value.storefront
    }

    func price(in view: FactView) -> Price? {
        merged.detail < 0 ? nil : view.facts.transactions[merged.detail].value.price
    }

    func reason(in view: FactView) -> Stated<TransactionReason>? {
        merged.detail < 0 ? nil : view.facts.transactions[merged.detail].value.transactionReason
    }

    /// Of the app itself: nil for a version that is not numbers and dots.
    func firstVersion(in view: FactView) -> AppVersion? {
        guard productID == .app else { return nil }
        return view.facts.transactions[merged.newest].value.firstVersion.flatMap { AppVersion($0) }
    }

    func commitment(in view: FactView) -> Commitment? {
        guard merged.detail >= 0 else { return nil }
        // In place: a copy of a snapshot would cost more than the rest.
        let all = view.facts.transactions
        return Commitment(
            period: all[merged.detail].value.commitmentPeriod,
            periods: all[merged.detail].value.commitmentPeriods,
            expires: all[merged.detail].value.commitmentExpiresDate)
    }

    func billingPlanType(in view: FactView) -> String? {
        merged.detail < 0 ? nil : view.facts.transactions[merged.detail].value.billingPlanType
    }

    func quantity(in view: FactView) -> Int64 {
        view.facts.transactions[merged.newest].value.quantity
    }

    /// The number of seats of a period; nil if it was not sold as seats (spec 1.4). A member has
    /// the purchaser's numbers, so none are counted there.
    func seats(in view: FactView) -> Int64? {
        guard kind?.isKnown(.autoRenewable) == true,
            [.purchased, .notStated].contains(ownership(in: view)),
            isSoldAsSeats(in: view)
        else { return nil }
        return members.filter { $0.ownRevocation == nil }.reduce(0) { seats, member in
            let sold = member.quantity(in: view)
            let taken = member.multiSeat(in: view)?.revokedQuantity ?? 0
            return seats + sold - min(max(0, taken), sold)
        }
    }

    /// Whether a period was sold by the seat, whoever has its numbers.
    func isSoldAsSeats(in view: FactView) -> Bool {
        members.contains {
            $0.isAddition || $0.quantity(in: view) > 1 || $0.multiSeat(in: view) != nil
        }
    }

    private func multiSeat(in view: FactView) -> MultiSeatInfo? {
        merged.detail < 0 ? nil : view.facts.transactions[merged.detail].value.multiSeat
    }

    func sequences(in view: FactView) -> [LedgerSequence] {
        let own = merged.sequences(in: view.facts.transactions)
        if additions.isEmpty, promise == nil { return own }
        return additions.reduce(own + (promise.map { [$0.sequence] } ?? [])) {
            $0 + $1.sequences(in: view)
        }.ascendingWithoutRepetition()
    }
}

/// A promise of an order that its payment came in time for (spec 1.8).
struct KeptPromise {
    /// When the order was made.
    let soldAt: Instant
    /// The product, which gives what it gave then as well; nil if there was none.
    let product: CompiledProduct?
    let sequence: LedgerSequence
}

extension FactView {
    fileprivate func promise(
        for transactions: [TransactionID], in environment: StoreEnvironment, of product: ProductID
    ) -> KeptPromise? {
        let last = facts.orderPromises.last { promise in
            promise.value.transaction.environment == environment
                && transactions.contains(promise.value.transaction.transactionID)
        }
        guard let last, let soldAt = last.value.soldAt else { return nil }
        return KeptPromise(
            soldAt: soldAt, product: policy.product(product, alsoAsSoldAt: soldAt),
            sequence: last.sequence)
    }

    /// Every token that one of its snapshots states, whether or not it is the newest.
    func tokens(carriedBy purchase: Purchase) -> Set<AppAccountToken> {
        Set(purchase.allSnapshots.compactMap { facts.transactions[$0].value.appAccountToken })
    }

    /// The purchases of the line that started before it, additions included. Single purchases are
    /// in no line.
    func purchases(before purchase: Purchase, in lineage: LineageKey) -> [Purchase] {
        guard !purchase.isAccountScoped, let line = self.lineage(lineage) else { return [] }
        return purchases(of: line).members
            .filter { !$0.isAccountScoped && $0.start < purchase.start }
    }
}

extension FactView {
    /// Whether an earlier purchase of the line carried the same token: Apple repeats it until
    /// another is set, so it names nobody anew (spec 1.6).
    ///
    /// The line is the lineage, and those that it continues.
    func carriesInheritedToken(_ purchase: Purchase, in lineage: LineageKey) -> Bool {
        guard !purchase.isAccountScoped, let token = purchase.token(in: self) else { return false }
        var (line, unasked) = ([lineage], [lineage])
        while namesPredecessors, let next = unasked.popLast() {
            for older in successions where older.successor == next {
                guard !line.contains(older.predecessor) else { continue }
                line.append(older.predecessor)
                unasked.append(older.predecessor)
            }
        }
        return line.compactMap { self.lineage($0) }.contains { lineage in
            purchases(of: lineage).lazy.flatMap(\.members).contains { earlier in
                earlier.isBought(before: purchase)
                    && tokens(carriedBy: earlier).contains(token)
            }
        }
    }
}

extension Purchase {
    /// In the order of purchases (spec 1.2).
    fileprivate func isBought(before other: Purchase) -> Bool {
        if start != other.start { return start < other.start }
        return TransactionID.precedesByLength(transactionID, other.transactionID)
    }
}
