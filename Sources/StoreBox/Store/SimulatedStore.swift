package import EntitlementModel

/// The App Store of one environment during a play: the purchases so far, and the events they cause
/// on devices and at Apple. It signs nothing.
package struct SimulatedStore: Sendable {
    package let environment: StoreEnvironment
    package let bundleID: String
    /// The app's Apple ID.
    package let number: Int64
    /// What each word is sold as.
    package var products: [String: PlayProduct]
    private let opened: Instant
    package var names: StoreNames
    /// By the name that the play gives them.
    package internal(set) var purchases: [String: PlayedPurchase] = [:]
    /// Ask to Buy: orders without an answer.
    private var waiting: [String: PlayOrder] = [:]
    /// The names of purchases by Apple ID, in their order.
    private(set) var purchasesOfAppleID: [String: [String]] = [:]
    /// Apple IDs by `appTransactionId`.
    package private(set) var appleIDs: [String: String] = [:]
    /// Purchases by the ids of their transactions.
    package private(set) var purchaseOfTransaction: [String: String] = [:]
    /// Apple IDs that do not exist any more.
    var deletedAppleIDs: Set<String> = []
    /// The events since they were last taken.
    private var events: [StoreEvent] = []
    /// New or changed transactions since they were last taken.
    private var changes: [TransactionChange] = []
    /// The purchases with events since they were last taken.
    private var touched: [String] = []
    private var line = 0
    package private(set) var at: Instant
    /// When things are signed now: later than anything before.
    package private(set) var signed: Instant
    /// Whether purchases renew by themselves, if the play does not say.
    package var isAutomatic = false
    /// The grace that the app offers; nil for none.
    package var graceDays: Int64?

    package init(_ play: Play, seed: UInt64, opened: Instant? = nil) {
        environment = play.environment
        bundleID = play.bundleID
        number = play.appAppleID
        products = play.products
        self.opened = opened ?? play.extent.first
        (at, signed) = (self.opened, self.opened)
        isAutomatic = play.isAutomatic
        names = StoreNames(seed: seed, digest: play.digest, environment: play.environment)
    }

    /// Does what a line says, at its instant or later.
    package mutating func play(_ step: PlayStep) throws(PlayMistake) {
        line = step.line
        move(to: step.at)
        switch step.action {
        case .buys(let order): try buy(named(order))
        case .asksToBuy(let order):
            let order = named(order)
            try nameIsFree(order.name)
            waiting[order.name] = order
        case .isApproved(let name): try buy(try takeWaiting(name))
        case .isDeclined(let name): _ = try takeWaiting(name)
        case .event(let name, let action): try apply(meant(by: name), action)
        case .restores(let account, let name):
            present(try purchase(meant(by: name)), by: account, .restore)
        case .lists(let account, let name):
            present(try purchase(meant(by: name)), by: account, .listed)
        case .showsReceipt(let account, let appleID, let other):
            showReceipt(of: [appleID] + [other].compactMap(\.self), by: account)
        case .opensApp(let account, let appleID, let app):
            openApp(app, on: appleID, by: account)
        case .appleDeletes(let appleID): deletedAppleIDs.insert(appleID)
        case .appleSays(let type, let subtype, let name): try say(type, subtype, about: name)
        }
    }

    /// An order with a name: its own, that of its Apple ID, or `alice's gold`, the first that is
    /// free.
    private func named(_ order: PlayOrder) -> PlayOrder {
        guard order.name.isEmpty else { return order }
        var named = order
        let own = "\(order.account)'s \(order.product)"
        let choices = order.appleID == order.account ? [own] : [order.appleID, own]
        let free = choices.first { purchases[$0] == nil && waiting[$0] == nil }
        named.name = free ?? "\(own) (\(purchases.count + waiting.count))"
        return named
    }

    /// The purchase that a name means: its own name, or that of an Apple ID or an account that has
    /// bought just one thing.
    package func meant(by name: String) -> String {
        guard purchases[name] == nil, waiting[name] == nil else { return name }
        let others = purchasesOfAppleID[name] ?? []
        if others.count == 1 { return others[0] }
        let owned = purchases.filter {
            name == "\($0.value.account)'s \($0.value.transaction.productID)"
        }
        return owned.count == 1 ? owned.keys.first ?? name : name
    }

    /// What happens from now on happens then.
    package mutating func move(to instant: Instant) {
        at = instant
        signed = max(at, signed.advanced(byMilliseconds: 1))
    }

    /// What happened since the last call.
    package mutating func takeEvents() -> [StoreEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// Which transactions are new or changed since the last call, in order.
    mutating func takeChanges() -> [TransactionChange] {
        defer { changes.removeAll(keepingCapacity: true) }
        return changes
    }

    /// To which purchases something happened since the last call: something else may be due then.
    mutating func takeTouched() -> [String] {
        defer { touched.removeAll(keepingCapacity: true) }
        return touched
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
        guard let product = products[name] else { throw mistake(.unknownProduct(name)) }
        return product
    }

    func purchase(_ name: String) throws(PlayMistake) -> PlayedPurchase {
        guard let purchase = purchases[name] else { throw mistake(.unknownPurchase(name)) }
        return purchase
    }

    /// Remembers whose a transaction is, and that it is new or changed.
    mutating func changed(_ transaction: SimulatedTransaction, of name: String, _ appleID: String) {
        purchaseOfTransaction[transaction.transactionID] = name
        changes.append(
            TransactionChange(
                transactionID: transaction.transactionID, purchase: name, appleID: appleID,
                isRevoked: transaction.revocation != nil))
    }

    /// Stores the state of a purchase.
    mutating func keep(_ purchase: PlayedPurchase, as name: String) {
        purchases[name] = purchase
        touched.append(name)
    }

    /// Keeps a new purchase.
    mutating func open(_ purchase: PlayedPurchase, as name: String) {
        keep(purchase, as: name)
        purchasesOfAppleID[purchase.appleID, default: []].append(name)
        appleIDs[names.appTransactionID(of: purchase.appleID)] = purchase.appleID
        changed(purchase.transaction, of: name, purchase.appleID)
    }
}

/// A transaction that is new or that Apple would describe differently from now on.
struct TransactionChange: Sendable {
    package let transactionID: String
    package let purchase: String
    package let appleID: String
    package let isRevoked: Bool
}

/// Buying and presenting.
extension SimulatedStore {
    private mutating func buy(_ order: PlayOrder) throws(PlayMistake) {
        try nameIsFree(order.name)
        let sold = try product(order.product)
        let product = order.isCommitment ? sold.billedMonthly : sold
        var transaction = transaction(of: product, from: at)
        transaction.quantity = order.quantity
        transaction.appTransactionID = names.appTransactionID(of: order.appleID)
        transaction.appAccountToken =
            order.order?.text ?? (order.hasToken ? names.token(of: order.account) : nil)
        if let token = order.oddToken { transaction.setField("appAccountToken", token) }
        if let storefront = order.storefront { transaction.storefront = storefront }
        order.mark(&transaction)
        order.apply(to: &transaction, product)
        transaction.price = order.price ?? transaction.price
        var purchase = PlayedPurchase(
            account: order.account, appleID: order.appleID, kind: product.kind,
            period: product.period, transaction: transaction)
        purchase.isAutomatic = order.isAutomatic ?? isAutomatic
        purchase.isUntold = !order.isTold
        purchase.terms.seats = order.seats
        if order.isCommitment {
            purchase.terms.commitment = PurchaseTerms.Commitment(
                expires: Period(PurchaseTerms.Commitment.periods, .months).end(from: at))
        }
        purchase.terms.apply(to: &purchase.transaction)
        purchase.renewal = renewal(of: purchase.transaction, product)
        let fields = purchase.terms.renewalFields(of: purchase)
        purchase.renewal?.otherFields = fields
        if order.isPresented {
            present(purchase, by: order.account, .purchase)
            // An app finishes what it has submitted; in the box this takes a call.
            purchase.isFinished = product.kind == .consumable && !purchase.isAutomatic
        }
        switch product.kind {
        case _ where !order.isTold: break
        case .autoRenewable: notify("SUBSCRIBED", "INITIAL_BUY", purchase)
        case .consumable, .nonConsumable, .nonRenewing: notify("ONE_TIME_CHARGE", nil, purchase)
        case .free: break
        }
        open(purchase, as: order.name)
    }

    mutating func transaction(
        of product: PlayProduct, from start: Instant
    ) -> SimulatedTransaction {
        var transaction = SimulatedTransaction(
            bundleID: bundleID, productID: product.id,
            kind: product.kind == .free ? nil : product.kind,
            transactionID: names.transactionID(), purchaseDate: start,
            expiresDate: product.kind == .autoRenewable ? product.period?.end(from: start) : nil)
        transaction.environment = environment
        transaction.subscriptionGroupID = product.group
        transaction.price = product.price
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
        renewal.environment = transaction.environment
        renewal.renewalPrice = product.price
        renewal.appTransactionID = transaction.appTransactionID
        renewal.appAccountToken = transaction.appAccountToken
        renewal.recentSubscriptionStartDate = transaction.purchaseDate
        return renewal
    }

    /// A device hands in what StoreKit gave it.
    mutating func present(
        _ purchase: PlayedPurchase, by account: String, _ moment: ClaimMoment
    ) {
        present(purchase.transaction, by: account, moment)
        guard var renewal = purchase.renewal else { return }
        renewal.signedDate = signed
        add(.renewal(renewal), account, moment)
    }

    mutating func present(
        _ transaction: SimulatedTransaction, by account: String, _ moment: ClaimMoment
    ) {
        var transaction = transaction
        transaction.signedDate = signed
        add(.transaction(transaction), account, moment)
    }

    private mutating func openApp(
        _ played: PlayedApp, on appleID: String, by account: String
    ) {
        appleIDs[names.appTransactionID(of: appleID)] = appleID
        var app = appTransaction(of: appleID, signedAt: signed)
        app.originalVersion = played.version
        app.originalPurchaseDate = played.boughtAt ?? app.originalPurchaseDate
        if let environment = played.environment, environment != app.environment {
            app.environment = environment
            app.appAppleID = environment == .production ? number : nil
        }
        add(.appTransaction(app), account, nil)
    }

    /// What says that an Apple ID has the app.
    package func appTransaction(
        of appleID: String, signedAt instant: Instant
    ) -> SimulatedAppTransaction {
        var app = SimulatedAppTransaction(
            bundleID: bundleID, appAppleID: appAppleID,
            appTransactionID: names.appTransactionID(of: appleID),
            originalPurchaseDate: opened, signedDate: instant)
        app.environment = environment
        return app
    }

    /// Apple omits its number of the app outside production.
    package var appAppleID: Int64? { environment == .production ? number : nil }

    private mutating func showReceipt(of appleIDs: [String], by account: String) {
        add(.receipt(receipt(of: appleIDs, createdAt: signed)), account, .restore)
    }

    private mutating func add(
        _ content: StoreEvent.Content, _ account: String?, _ moment: ClaimMoment?
    ) {
        events.append(StoreEvent(at: signed, account: account, moment: moment, content: content))
    }
}

/// Apple's messages.
extension SimulatedStore {
    private mutating func say(
        _ type: String, _ subtype: String?, about name: String?
    ) throws(PlayMistake) {
        notify(type, subtype, try name.map { name throws(PlayMistake) in try purchase(name) })
    }

    mutating func notify(
        _ type: String, _ subtype: String?, _ purchase: PlayedPurchase?,
        about transaction: SimulatedTransaction? = nil
    ) {
        var notification = StoreNotification(outer: notification(type, subtype))
        if var purchase {
            if let transaction { purchase.transaction = transaction }
            purchase.transaction.signedDate = signed
            purchase.renewal?.signedDate = signed
            let place = purchase.transaction.environment
            notification.outer.environment = place
            notification.outer.appAppleID = place == .production ? number : nil
            notification.transaction = purchase.transaction
            notification.renewal = purchase.renewal
            notification.outer.status = purchase.status(at: at)
        }
        add(.notification(notification), nil, nil)
    }

    /// A notification about nothing yet.
    package mutating func notification(_ type: String, _ subtype: String?) -> SimulatedNotification
    {
        var notification = SimulatedNotification(
            type: type, subtype: subtype, uuid: names.notificationUUID(),
            bundleID: bundleID, appAppleID: appAppleID, signedDate: signed)
        notification.environment = environment
        notification.subject = NotificationKind(type, subtype).subject
        return notification
    }

    /// Tells of something that is about no purchase.
    package mutating func notify(_ notification: SimulatedNotification) {
        add(.notification(StoreNotification(outer: notification)), nil, nil)
    }
}

/// An event of a simulated store, not signed yet: a device's submission, or a message of Apple.
package struct StoreEvent: Sendable {
    package enum Content: Sendable {
        case transaction(SimulatedTransaction)
        case renewal(SimulatedRenewal)
        case appTransaction(SimulatedAppTransaction)
        case receipt(SimulatedReceipt)
        case notification(StoreNotification)
    }

    /// When it is signed: later than anything before.
    package let at: Instant
    /// Who hands it in; nil where Apple does.
    package let account: String?
    package let moment: ClaimMoment?
    package let content: Content
}

/// A notification with its parts: signed by its sender.
package struct StoreNotification: Sendable {
    package var outer: SimulatedNotification
    package var transaction: SimulatedTransaction?
    package var renewal: SimulatedRenewal?

    /// The JWS, with a JWS of each part inside (spec 4.4).
    package func signed(by store: StoreSimulator) -> [UInt8] {
        var outer = outer
        outer.transaction = transaction.map { store.sign($0.payload) } ?? outer.transaction
        outer.renewal = renewal.map { store.sign($0.payload) } ?? outer.renewal
        return store.sign(outer.payload)
    }
}

extension StoreEvent {
    var evidenceKind: EvidenceKind {
        switch content {
        case .transaction: .transaction
        case .renewal: .renewalInfo
        case .appTransaction: .appTransaction
        case .receipt: .receipt
        case .notification: .notification
        }
    }
}
