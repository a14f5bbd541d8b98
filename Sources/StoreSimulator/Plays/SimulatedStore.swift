internal import EntitlementModel
internal import StrictJSON

extension Play {
    /// Plays it: signs everything that Apple would sign, in order.
    /// - Parameter seed: of the keys and ids.
    package func perform(seed: UInt64) throws(PlayMistakes) -> PlayedEvidenceSet {
        var simulated = SimulatedStore(self, seed: seed)
        do throws(PlayMistake) {
            for step in steps { try simulated.play(step) }
        } catch {
            throw PlayMistakes(mistakes: [error])
        }
        return PlayedEvidenceSet(
            root: simulated.store.root, receiptRoot: simulated.receipts?.root,
            evidence: simulated.evidence)
    }
}

/// The App Store while a play is played: what was bought so far, and what was signed.
struct SimulatedStore {
    let play: Play
    let store: StoreSimulator
    private(set) var receipts: ReceiptSimulator?
    private(set) var evidence: [PlayedEvidence] = []
    var names: PlayNames
    var purchases: [String: PlayedPurchase] = [:]
    /// Ask to Buy: orders without an answer.
    private var waiting: [String: PlayOrder] = [:]
    private var line = 0
    var at: Instant
    /// When things are signed now: later than anything before.
    var signed: Instant

    init(_ play: Play, seed: UInt64) {
        self.play = play
        let (first, last) = play.extent
        (at, signed) = (first, first)
        store = StoreSimulator(
            seed: seed, now: Self.middle,
            shape: .apple(around: Self.middle).good(from: first, to: last))
        names = PlayNames(seed: seed, play: play)
    }

    /// The signing certificate is good for a year before and after, or for as long as the play
    /// needs it.
    private static let middle = Play.start.advanced(byMilliseconds: 180 * 86_400_000)

    mutating func play(_ step: PlayStep) throws(PlayMistake) {
        line = step.line
        at = step.at
        signed = max(at, signed.advanced(byMilliseconds: 1))
        switch step.action {
        case .buys(let order): try buy(order)
        case .asksToBuy(let order):
            try nameIsFree(order.name)
            waiting[order.name] = order
        case .isApproved(let name): try buy(try takeWaiting(name))
        case .isDeclined(let name): _ = try takeWaiting(name)
        case .befalls(let name, let action): try befall(name, action)
        case .restores(let account, let name): try restore(name, by: account)
        case .showsReceipt(let account, let appleID): showReceipt(of: appleID, by: account)
        case .opensApp(let account, let appleID): openApp(on: appleID, by: account)
        case .appleSays(let type, let subtype, let name): try say(type, subtype, about: name)
        }
    }

    func mistake(_ reason: PlayMistake.Reason) -> PlayMistake {
        PlayMistake(line: line, reason)
    }

    func nameIsFree(_ name: String) throws(PlayMistake) {
        guard purchases[name] == nil, waiting[name] == nil else { throw mistake(.nameTaken(name)) }
    }

    private mutating func takeWaiting(_ name: String) throws(PlayMistake) -> PlayOrder {
        guard let order = waiting.removeValue(forKey: name) else {
            throw mistake(.notWaiting(name))
        }
        return order
    }

    func product(_ name: String) throws(PlayMistake) -> PlayProduct {
        guard let product = play.products[name] else { throw mistake(.unknownProduct(name)) }
        return product
    }

    func purchase(_ name: String) throws(PlayMistake) -> PlayedPurchase {
        guard let purchase = purchases[name] else { throw mistake(.unknownPurchase(name)) }
        return purchase
    }
}

/// Buying and presenting.
extension SimulatedStore {
    private mutating func buy(_ order: PlayOrder) throws(PlayMistake) {
        try nameIsFree(order.name)
        let product = try product(order.product)
        var transaction = transaction(of: product, from: at)
        transaction.quantity = order.quantity
        transaction.appTransactionID = names.appTransactionID(of: order.appleID)
        transaction.appAccountToken =
            order.order?.text ?? (order.hasToken ? names.token(of: order.account) : nil)
        transaction.offer = order.offer.map { Offer(type: $0, identifier: "offer-\($0)") }
        var purchase = PlayedPurchase(
            account: order.account, appleID: order.appleID, kind: product.kind,
            period: product.period, transaction: transaction)
        purchase.renewal = renewal(of: transaction, product)
        if order.isPresented { present(purchase, by: order.account, .purchase) }
        switch product.kind {
        case .autoRenewable: notify("SUBSCRIBED", "INITIAL_BUY", purchase)
        case .consumable, .nonConsumable, .nonRenewing: notify("ONE_TIME_CHARGE", nil, purchase)
        case .free: break
        }
        purchases[order.name] = purchase
    }

    mutating func transaction(
        of product: PlayProduct, from start: Instant
    ) -> SimulatedTransaction {
        var transaction = SimulatedTransaction(
            bundleID: play.bundleID, productID: product.id,
            kind: product.kind == .free ? nil : product.kind,
            transactionID: names.transactionID(), purchaseDate: start,
            expiresDate: product.kind == .autoRenewable ? product.period?.end(from: start) : nil)
        transaction.environment = play.environment
        transaction.subscriptionGroupID = product.group
        if product.kind == .autoRenewable {
            transaction.webOrderLineItemID = names.transactionID()
        }
        transaction.signedDate = signed
        return transaction
    }

    private func renewal(
        of transaction: SimulatedTransaction, _ product: PlayProduct
    ) -> SimulatedRenewal? {
        guard product.kind == .autoRenewable else { return nil }
        var renewal = SimulatedRenewal(
            originalTransactionID: transaction.originalTransactionID, productID: product.id,
            renewalDate: transaction.expiresDate, signedDate: signed)
        renewal.environment = play.environment
        renewal.appTransactionID = transaction.appTransactionID
        return renewal
    }

    private mutating func restore(_ name: String, by account: String) throws(PlayMistake) {
        let purchase = try purchase(name)
        present(purchase, by: account, .restore)
    }

    /// A device hands in what StoreKit gave it.
    mutating func present(
        _ purchase: PlayedPurchase, by account: String, _ moment: ClaimMoment
    ) {
        var purchase = purchase
        purchase.transaction.signedDate = signed
        add(.transaction, store.sign(purchase.transaction.payload), account, moment)
        guard var renewal = purchase.renewal else { return }
        renewal.signedDate = signed
        add(.renewalInfo, store.sign(renewal.payload), account, moment)
    }

    private mutating func openApp(on appleID: String, by account: String) {
        var app = SimulatedAppTransaction(
            bundleID: play.bundleID, appAppleID: appAppleID,
            appTransactionID: names.appTransactionID(of: appleID),
            originalPurchaseDate: play.extent.first, signedDate: signed)
        app.environment = play.environment
        add(.appTransaction, store.sign(app.payload), account, nil)
    }

    /// Apple leaves its number of the app out of what is no production.
    private var appAppleID: Int64? {
        play.environment == .production ? play.appAppleID : nil
    }

    private mutating func showReceipt(of appleID: String, by account: String) {
        let (first, last) = play.extent
        let receipts =
            receipts
            ?? ReceiptSimulator(
                now: Self.middle,
                shape: .appleReceipts(around: Self.middle).good(from: first, to: last))
        self.receipts = receipts
        let owned = purchases.values.filter { $0.appleID == appleID && $0.kind != .consumable }
        let entries = owned.flatMap { $0.earlier + [$0.transaction] }
            .sorted { $0.transactionID < $1.transactionID }
        let receipt = SimulatedReceipt(
            bundleID: play.bundleID,
            environmentName: play.environment == .production ? "Production" : "ProductionSandbox",
            createdAt: signed, purchases: entries.map(SimulatedReceiptPurchase.init))
        add(.receipt, receipts.sign(receipt), account, .restore)
    }

    mutating func add(
        _ kind: EvidenceKind, _ bytes: [UInt8], _ account: String?, _ moment: ClaimMoment?
    ) {
        let number = String("\(10_000 + evidence.count + 1)".dropFirst())
        let ending =
            switch kind {
            case .transaction, .renewalInfo, .appTransaction: "jws"
            case .notification: "json"
            case .receipt: "der"
            case .receiptAnswer, .importedAnswer: "json"
            case .unverified: "txt"
            }
        evidence.append(
            PlayedEvidence(
                at: signed, kind: kind, account: account, moment: moment,
                file: "\(number)-\(kind.rawValue).\(ending)", bytes: bytes))
    }
}

/// What Apple tells.
extension SimulatedStore {
    private mutating func say(
        _ type: String, _ subtype: String?, about name: String?
    ) throws(PlayMistake) {
        notify(type, subtype, try name.map { name throws(PlayMistake) in try purchase(name) })
    }

    mutating func notify(
        _ type: String, _ subtype: String?, _ purchase: PlayedPurchase?
    ) {
        var notification = SimulatedNotification(
            type: type, subtype: subtype, uuid: names.notificationUUID(),
            bundleID: play.bundleID, appAppleID: appAppleID, signedDate: signed)
        notification.environment = play.environment
        notification.subject = NotificationKind(type, subtype).subject
        if var purchase {
            purchase.transaction.signedDate = signed
            purchase.renewal?.signedDate = signed
            notification.transaction = store.sign(purchase.transaction.payload)
            notification.renewal = purchase.renewal.map { store.sign($0.payload) }
            notification.status = purchase.status(at: at)
        }
        let text = String(decoding: store.sign(notification.payload), as: UTF8.self)
        let body: JSONValue = ["signedPayload": .string(text)]
        add(.notification, body.serialized(), nil, nil)
    }
}

extension SimulatedReceiptPurchase {
    /// What a receipt says of a transaction (spec 4.5).
    fileprivate init(_ transaction: SimulatedTransaction) {
        self.init(
            productID: transaction.productID, transactionID: transaction.transactionID,
            typeNumber: transaction.kind.receiptNumber, purchaseDate: transaction.purchaseDate,
            expiresDate: transaction.expiresDate)
        originalTransactionID = transaction.originalTransactionID
        originalPurchaseDate = transaction.originalPurchaseDate
        cancellationDate = transaction.revocation?.date
        cancellationReason = transaction.revocation?.reason
        webOrderLineItemID = transaction.webOrderLineItemID.flatMap { Int64($0) } ?? 0
    }
}

extension ProductKind? {
    /// Attribute 1707.
    fileprivate var receiptNumber: Int64 {
        switch self {
        case .nonConsumable?: 0
        case .consumable?: 1
        case .nonRenewing?: 2
        case .autoRenewable?: 3
        case .free?, nil: 4
        }
    }
}
