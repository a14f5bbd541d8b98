package import EntitlementModel
package import StrictJSON

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

/// One piece of evidence of a play, as it reaches the service.
package struct PlayedEvidence: Sendable {
    package let at: Instant
    package let kind: EvidenceKind
    /// Who hands it in; nil where Apple does.
    package let account: String?
    package let moment: ClaimMoment?
    /// The name of its file, in the order of the play.
    package let file: String
    package let bytes: [UInt8]

    package init(
        at: Instant, kind: EvidenceKind, account: String?, moment: ClaimMoment?, file: String,
        bytes: [UInt8]
    ) {
        self.at = at
        self.kind = kind
        self.account = account
        self.moment = moment
        self.file = file
        self.bytes = bytes
    }
}

/// A play that was played: its evidence in order, and the roots to trust.
package struct PlayedEvidenceSet: Sendable {
    package let root: SimulatedCertificate
    /// Behind receipts; nil where the play shows none. Its key is random.
    package let receiptRoot: SimulatedCertificate?
    package var evidence: [PlayedEvidence]

    package init(
        root: SimulatedCertificate, receiptRoot: SimulatedCertificate?,
        evidence: [PlayedEvidence]
    ) {
        self.root = root
        self.receiptRoot = receiptRoot
        self.evidence = evidence
    }
}

extension PlayedEvidence {
    /// The line of `usher ingest` that hands in the file.
    package var fileLine: JSONValue {
        var line: JSONValue = [:]
        line["account"] = account.map(JSONValue.string)
        line["moment"] = moment.map { .string($0.rawValue) }
        line["file"] = .string(file)
        return line
    }

    /// The form in which it is submitted without the file.
    package var payload: String {
        kind == .receipt ? Base64.standard.encode(bytes) : String(decoding: bytes, as: UTF8.self)
    }
}

/// Network faults for evidence on its way. They follow from the seed.
package struct PlayChaos: Sendable {
    /// Whether evidence arrives in another order.
    package var reorders = false
    /// Whether a third of it arrives once more, later.
    package var repeats = false
    /// Whether a quarter of Apple's notifications is lost. Submissions of devices are never lost:
    /// they repeat them until they are answered.
    package var drops = false

    package init(reorders: Bool = false, repeats: Bool = false, drops: Bool = false) {
        self.reorders = reorders
        self.repeats = repeats
        self.drops = drops
    }

    package func apply(to evidence: [PlayedEvidence], seed: UInt64) -> [PlayedEvidence] {
        var dice = SeededGenerator(seed: seed)
        var evidence = evidence
        if drops { evidence.removeAll { $0.account == nil && dice.below(4) == 0 } }
        if repeats { repeatSome(&evidence, &dice) }
        if reorders { evidence.shuffle(using: &dice) }
        return evidence
    }

    private func repeatSome(_ evidence: inout [PlayedEvidence], _ dice: inout SeededGenerator) {
        for index in evidence.indices.reversed() where dice.below(3) == 0 {
            let place = index + 1 + dice.below(evidence.count - index)
            evidence.insert(evidence[index], at: place)
        }
    }
}

/// A generator whose whole state is its seed.
struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// SplitMix64.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// From 0 to one less than the bound.
    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
