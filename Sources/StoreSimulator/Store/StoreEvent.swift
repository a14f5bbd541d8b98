package import EntitlementModel

/// Something that a simulated store did, not signed yet: what a device hands in, or what Apple
/// tells.
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

/// A notification with what it carries: signed by whoever sends it.
package struct StoreNotification: Sendable {
    package var outer: SimulatedNotification
    package var transaction: SimulatedTransaction?
    package var renewal: SimulatedRenewal?

    package init(
        outer: SimulatedNotification, transaction: SimulatedTransaction? = nil,
        renewal: SimulatedRenewal? = nil
    ) {
        self.outer = outer
        self.transaction = transaction
        self.renewal = renewal
    }

    /// The JWS, with a JWS of each part inside (spec 4.4).
    package func signed(by store: StoreSimulator) -> [UInt8] {
        var outer = outer
        outer.transaction = transaction.map { store.sign($0.payload) } ?? outer.transaction
        outer.renewal = renewal.map { store.sign($0.payload) } ?? outer.renewal
        return store.sign(outer.payload)
    }
}

extension StoreEvent {
    package var evidenceKind: EvidenceKind {
        switch content {
        case .transaction: .transaction
        case .renewal: .renewalInfo
        case .appTransaction: .appTransaction
        case .receipt: .receipt
        case .notification: .notification
        }
    }
}
