internal import EntitlementModel
internal import StrictJSON

/// Reads a payload that is genuine and bound: into snapshots, or into quarantine.
struct PayloadDecoder {
    let kind: EvidenceKind
    let bytes: [UInt8]
    let judgedAt: Instant
    let payload: JSONDocument

    /// `inner` are the verdicts on what a notification carries.
    func decode(inner: [EvidenceVerdict]) throws(Refusal) -> EvidenceVerdict {
        let name = PayloadShape.environmentName(of: payload)
        let environment = name.flatMap { StoreEnvironment(signedName: $0) }
        if let fault = findTypeFault(in: environment) {
            return try set(fault, apartFrom: inner, in: environment)
        }
        guard let environment else { throw Refusal(.bindEnvironment, .missing("environment")) }
        var evidence: VerifiedEvidence
        do throws(PayloadFault) {
            evidence = try read(in: environment)
        } catch {
            return try set(error, apartFrom: inner, in: environment)
        }
        try Self.checkInner(inner, environment, evidence.bundleID)
        evidence.take(inner)
        if kind != .notification, let part = evidence.implausible.first {
            return quarantine(part)
        }
        return .accepted(evidence)
    }

    private func read(in environment: StoreEnvironment) throws(PayloadFault) -> VerifiedEvidence {
        let reader = PayloadReader(document: payload)
        let subject = PayloadReader(
            document: payload, object: PayloadShape.subject(of: payload))
        let bundleID: BundleID? = kind == .renewalInfo ? nil : try subject.requiredID("bundleId")
        var evidence = VerifiedEvidence(
            kind: kind, digest: sha256(bytes), bytes: bytes, judgedAt: judgedAt,
            environment: environment, bundleID: bundleID)
        switch (kind, bundleID) {
        case (.transaction, let bundleID?):
            evidence.take(try reader.transaction(environment: environment, bundleID: bundleID))
        case (.appTransaction, let bundleID?):
            evidence.appTransaction = try reader.appTransaction(
                environment: environment, bundleID: bundleID)
            evidence.appPurchase = evidence.appTransaction.flatMap(reader.appPurchase)
        case (.renewalInfo, _):
            evidence.take(try reader.renewal(environment: environment))
        case (.notification, _):
            evidence.notification = try reader.notificationHead(
                about: subject, judgedAt: judgedAt)
        case (.receipt, _), (.receiptAnswer, _), (.importedAnswer, _), (.unverified, _),
            (.transaction, nil), (.appTransaction, nil):
            preconditionFailure("a JWS of this kind has a bundle id, and is of no other kind")
        }
        return evidence
    }

    /// Quarantines what is not understood, and takes the signed parts: each of those has its own
    /// signature, and is bound to the app separately.
    private func set(
        _ fault: PayloadFault, apartFrom inner: [EvidenceVerdict], in environment: StoreEnvironment?
    ) throws(Refusal) -> EvidenceVerdict {
        let subject = PayloadReader(
            document: payload, object: PayloadShape.subject(of: payload))
        let bundleID = subject.string("bundleId").flatMap { BundleID($0) }
        guard let known = environment ?? inner.lazy.compactMap(\.environment).first else {
            return quarantine(fault, in: environment)
        }
        try Self.checkInner(inner, known, bundleID)
        guard !inner.isEmpty else { return quarantine(fault, in: environment) }
        var evidence = VerifiedEvidence(
            kind: kind, digest: sha256(bytes), bytes: bytes, judgedAt: judgedAt,
            environment: known, bundleID: bundleID)
        evidence.implausible.append(QuarantinedPart(fault))
        evidence.take(inner)
        return .accepted(evidence)
    }

    private func findTypeFault(in environment: StoreEnvironment?) -> PayloadFault? {
        let allowsFractions = environment == .xcode || environment == .localTesting
        let schema = PayloadSchema.schema(for: kind)
        if let fault = schema.fault(in: .root, of: payload, allowsFractions: allowsFractions) {
            return fault
        }
        guard kind == .notification else { return nil }
        return PayloadSchema.notificationData.fault(
            in: PayloadShape.subject(of: payload), of: payload, allowsFractions: allowsFractions)
    }

    /// The parts of a notification must be of its own app and environment.
    private static func checkInner(
        _ inner: [EvidenceVerdict], _ environment: StoreEnvironment, _ bundleID: BundleID?
    ) throws(Refusal) {
        for case .accepted(let part) in inner {
            guard part.environment == environment else {
                throw Refusal(
                    .bindEnvironment,
                    .mismatch(expected: environment.rawValue, found: part.environment.rawValue))
            }
            guard part.bundleID == nil || bundleID == nil || part.bundleID == bundleID else {
                throw Refusal(.bindBundle)
            }
        }
    }

    private func quarantine(
        _ fault: PayloadFault, in environment: StoreEnvironment?
    ) -> EvidenceVerdict {
        let id = PayloadReader(document: payload).string("transactionId")
            .flatMap { TransactionID($0) }
        let key = environment.flatMap { environment in
            id.map { TransactionKey(environment, $0) }
        }
        return quarantine(QuarantinedPart(fault, key))
    }

    private func quarantine(_ part: QuarantinedPart) -> EvidenceVerdict {
        .quarantined(
            QuarantinedEvidence(
                kind: kind, digest: sha256(bytes), bytes: bytes, judgedAt: judgedAt, part: part))
    }
}

extension EvidenceVerdict {
    fileprivate var environment: StoreEnvironment? {
        guard case .accepted(let evidence) = self else { return nil }
        return evidence.environment
    }
}

extension VerifiedEvidence {
    /// Adds a snapshot, or what makes it impossible.
    mutating func take(_ snapshot: TransactionSnapshot) {
        if let fault = snapshot.findImplausibility() {
            implausible.append(QuarantinedPart(fault, snapshot.key))
        } else {
            transactions.append(snapshot)
        }
    }

    mutating func take(_ snapshot: RenewalSnapshot) {
        if let fault = snapshot.findImplausibility() {
            implausible.append(QuarantinedPart(fault))
        } else {
            renewals.append(snapshot)
        }
    }

    /// Adds what the parts of a notification yielded.
    fileprivate mutating func take(_ parts: [EvidenceVerdict]) {
        for part in parts {
            switch part {
            case .accepted(let evidence):
                transactions += evidence.transactions
                renewals += evidence.renewals
                appTransaction = evidence.appTransaction ?? appTransaction
            case .quarantined(let evidence): implausible.append(evidence.part)
            case .refused:
                preconditionFailure("a refused part refuses the notification before this")
            }
        }
    }
}
