package import EntitlementModel
package import StrictJSON

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

    /// As it is handed in without the file.
    package var payload: String {
        kind == .receipt ? Base64.standard.encode(bytes) : String(decoding: bytes, as: UTF8.self)
    }
}

/// What a network does to evidence on its way. It follows from the seed.
package struct PlayChaos: Sendable {
    /// Whether evidence arrives in another order.
    package var reorders = false
    /// Whether a third of it arrives once more, later.
    package var repeats = false
    /// Whether a quarter of Apple's notifications never arrives. What devices hand in is never
    /// dropped: they repeat it until it is answered.
    package var drops = false

    package init(reorders: Bool = false, repeats: Bool = false, drops: Bool = false) {
        self.reorders = reorders
        self.repeats = repeats
        self.drops = drops
    }

    package func apply(to evidence: [PlayedEvidence], seed: UInt64) -> [PlayedEvidence] {
        var dice = SeededDice(seed: seed)
        var evidence = evidence
        if drops { evidence.removeAll { $0.account == nil && dice.below(4) == 0 } }
        if repeats { repeatSome(&evidence, &dice) }
        if reorders { evidence.shuffle(using: &dice) }
        return evidence
    }

    private func repeatSome(_ evidence: inout [PlayedEvidence], _ dice: inout SeededDice) {
        for index in evidence.indices.reversed() where dice.below(3) == 0 {
            let place = index + 1 + dice.below(evidence.count - index)
            evidence.insert(evidence[index], at: place)
        }
    }
}

/// A generator whose whole state is its seed.
package struct SeededDice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
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
