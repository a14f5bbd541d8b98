package import EntitlementModel
internal import StrictJSON

extension Play {
    /// Plays it: signs everything that Apple would sign, in order.
    /// - Parameter seed: of the keys and ids.
    package func perform(seed: UInt64) throws(PlayMistakes) -> PlayedEvidenceSet {
        var simulated = SimulatedStore(self, seed: seed)
        var signing = PlaySigning(self, seed: seed)
        do throws(PlayMistake) {
            for step in steps {
                try simulated.play(step)
                for event in simulated.takeEvents() { signing.sign(event) }
            }
        } catch {
            throw PlayMistakes(mistakes: [error])
        }
        return PlayedEvidenceSet(
            root: signing.store.root, receiptRoot: signing.receipts?.root,
            evidence: signing.evidence)
    }
}

/// Signs the events of a play with chains that are good for as long as it needs them.
package struct PlaySigning: Sendable {
    package let store: StoreSimulator
    package private(set) var receipts: ReceiptSimulator?
    package private(set) var evidence: [PlayedEvidence] = []
    private let extent: (first: Instant, last: Instant)

    package init(_ play: Play, seed: UInt64) {
        self.init(over: play.extent, seed: seed)
    }

    /// - Parameter extent: from the first instant at which something is signed to the last.
    package init(over extent: (first: Instant, last: Instant), seed: UInt64) {
        self.extent = extent
        store = StoreSimulator(
            seed: seed, now: Self.middle,
            shape: .apple(around: Self.middle).good(from: extent.first, to: extent.last))
    }

    /// The signing certificate is good for a year before and after, or for as long as the play
    /// needs it.
    private static let middle = Play.start.advanced(byMilliseconds: 180 * 86_400_000)

    package mutating func sign(_ event: StoreEvent) {
        switch event.content {
        case .transaction(let transaction): add(event, "jws", store.sign(transaction.payload))
        case .renewal(let renewal): add(event, "jws", store.sign(renewal.payload))
        case .appTransaction(let app): add(event, "jws", store.sign(app.payload))
        case .receipt(let receipt): add(event, "der", receiptSimulator().sign(receipt))
        case .notification(let notification):
            let text = String(decoding: notification.signed(by: store), as: UTF8.self)
            let body: JSONValue = ["signedPayload": .string(text)]
            add(event, "json", body.serialized())
        }
    }

    /// What signs receipts; made when it is first needed, since its keys take time.
    package mutating func receiptSimulator() -> ReceiptSimulator {
        if let receipts { return receipts }
        let made = ReceiptSimulator(
            now: Self.middle,
            shape: .appleReceipts(around: Self.middle).good(from: extent.first, to: extent.last))
        receipts = made
        return made
    }

    private mutating func add(_ event: StoreEvent, _ ending: String, _ bytes: [UInt8]) {
        let number = String("\(10_000 + evidence.count + 1)".dropFirst())
        let kind = event.evidenceKind
        evidence.append(
            PlayedEvidence(
                at: event.at, kind: kind, account: event.account, moment: event.moment,
                file: "\(number)-\(kind.rawValue).\(ending)", bytes: bytes))
    }
}
