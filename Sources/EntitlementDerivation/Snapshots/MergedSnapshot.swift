internal import EntitlementModel

/// The one current snapshot of a set of snapshots, as positions in `FactSet.transactions`: the
/// newest, and for each trait that its form can never say the newest older one that could
/// (spec 1.2). -1 where nothing can say it.
struct MergedSnapshot {
    let newest: Int
    private(set) var kind: Int
    private(set) var cancellation: Int
    private(set) var cancellationDetail: Int
    private(set) var upgrade: Int
    private(set) var identity: Int
    private(set) var offer: Int
    private(set) var detail: Int

    /// A snapshot that speaks for itself.
    init(_ index: Int) {
        newest = index
        (kind, cancellation, cancellationDetail, upgrade) = (index, index, index, index)
        (identity, offer, detail) = (index, index, index)
    }

    /// `candidates` is not empty. `catalogued` is the catalogue's kind of the product.
    init(
        _ candidates: ArraySlice<Int>, of snapshots: [Recorded<TransactionSnapshot>],
        catalogued: (ProductID) -> ProductKind?
    ) {
        let newest = Self.newest(of: candidates, in: snapshots)
        self.init(newest)
        let current = snapshots[newest].value
        if current.source.form == .jws, current.kind != nil { return }
        let older = Self.newestFirst(candidates, in: snapshots)
        func carrier(_ trait: SnapshotTrait, _ kind: ProductKind?) -> Int {
            older.first { snapshots[$0].value.carries(trait, kind: kind) } ?? -1
        }
        kind = carrier(.kind, nil)
        let signed = kind < 0 ? nil : snapshots[kind].value.kind
        let known = signed == nil ? catalogued(current.productID) : signed?.known
        cancellation = carrier(.cancellation, known)
        cancellationDetail = carrier(.cancellationDetail, known)
        upgrade = carrier(.upgrade, known)
        identity = carrier(.identity, known)
        offer = carrier(.offer, known)
        detail = carrier(.detail, known)
    }

    /// The snapshot that outranks all others; of one recorded twice, the first record.
    private static func newest(
        of candidates: ArraySlice<Int>, in snapshots: [Recorded<TransactionSnapshot>]
    ) -> Int {
        var best = candidates[candidates.startIndex]
        for index in candidates.dropFirst()
        where isOlder(best, index, in: snapshots) {
            best = index
        }
        return best
    }

    private static func newestFirst(
        _ candidates: ArraySlice<Int>, in snapshots: [Recorded<TransactionSnapshot>]
    ) -> [Int] {
        candidates.sorted { isOlder($1, $0, in: snapshots) }
    }

    private static func isOlder(
        _ left: Int, _ right: Int, in snapshots: [Recorded<TransactionSnapshot>]
    ) -> Bool {
        if SnapshotOrder.precedes(snapshots[left].value, snapshots[right].value) { return true }
        if SnapshotOrder.precedes(snapshots[right].value, snapshots[left].value) { return false }
        return snapshots[left].sequence > snapshots[right].sequence
    }
}

extension MergedSnapshot {
    /// The revocation that holds; its type and percentage come from a form that can say them.
    func revocation(in snapshots: [Recorded<TransactionSnapshot>]) -> Revocation? {
        guard cancellation >= 0, var revocation = snapshots[cancellation].value.revocation else {
            return nil
        }
        guard snapshots[cancellation].value.source.form != .jws, cancellationDetail >= 0,
            let detail = snapshots[cancellationDetail].value.revocation
        else { return revocation }
        revocation.type = detail.type
        revocation.percentage = detail.percentage
        return revocation
    }

    /// Of the snapshots of which this is made, those that state the same refund: the newest ones
    /// that can state one, up to the first that states none (spec 1.2).
    func refundRun(
        of candidates: [Int], in snapshots: [Recorded<TransactionSnapshot>], kind: ProductKind?
    ) -> [TransactionSnapshot] {
        let stating = candidates.filter {
            snapshots[$0].value.carries(.cancellation, kind: kind)
        }
        return Self.newestFirst(stating[...], in: snapshots).map { snapshots[$0].value }
            .prefix { $0.revocation != nil }.map(\.self)
    }

    /// Whether it says that seats were added to its period (spec 1.4): only a JWS does.
    func isAddition(in snapshots: [Recorded<TransactionSnapshot>]) -> Bool {
        detail >= 0 && snapshots[detail].value.additionalReason != nil
    }

    /// The ledger entries that the current snapshot is made of, ascending.
    func sequences(in snapshots: [Recorded<TransactionSnapshot>]) -> [LedgerSequence] {
        let first = snapshots[newest].sequence
        if kind == newest, cancellation == newest, detail == newest { return [first] }
        let carriers = [
            kind, cancellation, cancellationDetail, upgrade, identity, offer, detail,
        ]
        return Set(carriers.filter { $0 >= 0 }.map { snapshots[$0].sequence } + [first]).sorted()
    }
}

/// Which of two snapshots of one thing holds: the later is the larger (spec 1.2).
enum SnapshotOrder {
    /// Imported before the rest, then by `signedDate`, then a JWS last, then by digest.
    static func precedes(_ left: TransactionSnapshot, _ right: TransactionSnapshot) -> Bool {
        precedes(left.signedDate, left.source, right.signedDate, right.source)
    }

    static func precedes(
        _ leftDate: Instant, _ left: EvidenceSource, _ rightDate: Instant,
        _ right: EvidenceSource
    ) -> Bool {
        let (leftIsImported, rightIsImported) = (left.isImported, right.isImported)
        if leftIsImported != rightIsImported { return leftIsImported }
        if leftDate != rightDate { return leftDate < rightDate }
        if (left.form == .jws) != (right.form == .jws) { return right.form == .jws }
        return left.canonicalDigest < right.canonicalDigest
    }
}

extension EvidenceSource {
    /// An imported snapshot never overrides one that Apple signed or answered.
    var isImported: Bool { trust == .imported }
}

/// Fields of a snapshot that some forms of evidence can never say (spec 4.1).
enum SnapshotTrait {
    case kind
    /// Whether it was revoked, when, and for which reason.
    case cancellation
    /// How it was revoked: type and percentage.
    case cancellationDetail
    case upgrade
    /// Ownership, subscription group and appAccountToken.
    case identity
    case offer
    /// What only a JWS says: appTransactionId, storefront, price, plan, transaction reasons.
    case detail
}

extension TransactionSnapshot {
    /// Whether silence about the trait would mean something. `kind` is the kind that the
    /// transaction is known to have; it matters for consumables, whose cancellation a receipt
    /// never shows.
    func carries(_ trait: SnapshotTrait, kind known: ProductKind?) -> Bool {
        switch (trait, source.form) {
        case (.kind, .jws): kind != nil
        case (.kind, .receipt): true
        case (.kind, _): false
        case (.cancellation, .receipt): known != .consumable
        case (.cancellation, _): true
        case (.upgrade, .jws), (.upgrade, .latestReceiptInfo): true
        case (.identity, .jws), (.identity, .latestReceiptInfo): true
        case (.upgrade, _), (.identity, _): false
        case (.offer, let form): form == .jws || offer != nil
        case (.cancellationDetail, let form), (.detail, let form): form == .jws
        }
    }
}

extension Stated<ProductKind> {
    /// As that of every statement: nothing generic of another module is specialised here.
    var known: ProductKind? {
        if case .known(let kind) = self { kind } else { nil }
    }

    /// As `== .known(kind)`, without a comparison of everything that it might be.
    func isKnown(_ kind: ProductKind) -> Bool {
        if case .known(let own) = self { own == kind } else { false }
    }
}
