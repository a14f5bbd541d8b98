internal import EntitlementModel
internal import X509

/// Judges app receipts: signature, chain at the receipt's own time, binding, purchases.
struct ReceiptVerifier: Sendable {
    let chains: ChainVerifier
    let cache: ChainCache
    let binding: Binding
    let times: SigningTimes

    func judge(_ der: [UInt8], of bytes: [UInt8], at now: Instant) throws(Refusal)
        -> EvidenceVerdict
    {
        let container = try open(der)
        let path = try ReceiptPath(container)
        let known = cache.chain(for: path.certificates)
        if let known {
            try Self.checkSignature(of: container, by: known.leafKey)
        } else {
            try Self.checkSignature(of: container, by: path.leafKey())
        }
        let payload = try ReceiptPayload(container.payload)
        let judgedAt = payload.createdAt ?? now
        let environment = payload.environmentName.flatMap { StoreEnvironment(signedName: $0) }
        let claim = ChainClaim(time: judgedAt, environment: environment)
        if known?.covers(claim) != true {
            let chain = try verify(path, of: payload, for: claim)
            cache.insert(chain, for: path.certificates)
        }
        do throws(Refusal) {
            try times.check(judgedAt, now: now)
            return .accepted(try read(payload, in: container, of: bytes, judgedAt: judgedAt))
        } catch {
            throw error.ofSigned
        }
    }

    /// Reads a receipt whose signature and chain are valid.
    private func read(
        _ payload: ReceiptPayload, in container: ReceiptContainer, of bytes: [UInt8],
        judgedAt: Instant
    ) throws(Refusal) -> VerifiedEvidence {
        try binding.check(payload)
        guard let environment = payload.environmentName.flatMap(StoreEnvironment.init(signedName:))
        else { throw Refusal(.bindEnvironment, .missing("\(ReceiptPayload.environmentField)")) }
        // Without the instant that it speaks of, a snapshot has no place among others.
        guard payload.createdAt != nil else {
            throw Refusal(.receiptPayload, .missing("receipt_creation_date"))
        }
        guard let bundleID = payload.bundleID.flatMap({ BundleID($0) }) else {
            throw Refusal(.bindBundle, .missing("\(ReceiptPayload.bundleField)"))
        }
        var evidence = VerifiedEvidence(
            kind: .receipt, digest: sha256(bytes), bytes: bytes, judgedAt: judgedAt,
            environment: environment, bundleID: bundleID)
        let receipt = sha256(container.payload)
        evidence.take(payload.purchases, receipt: receipt)
        evidence.appPurchase = TransactionSnapshot(
            appPurchase: payload.download.flatMap { TransactionID(download: $0) },
            environment: environment, bundleID: bundleID, version: payload.firstVersion,
            boughtAt: payload.boughtAt, signedDate: judgedAt,
            source: EvidenceSource(
                form: .receipt, trust: .signed, canonicalDigest: receipt, receipt: receipt))
        return evidence
    }

    /// A receipt of Xcode's is refused for its environment where that is not trusted, not for the
    /// encoding that only it may have.
    private func open(_ der: [UInt8]) throws(Refusal) -> ReceiptContainer {
        do throws(Refusal) {
            return try ReceiptContainer(der, allowsBER: chains.hasLocalRoots)
        } catch {
            guard error.code == .receiptMalformed,
                let container = try? ReceiptContainer(der, allowsBER: true),
                let payload = try? ReceiptPayload(container.payload)
            else { throw error }
            let cause = binding.cause(
                of: Refusal(.chainRoot), in: StatedText(payload.environmentName), unread: nil)
            throw cause.code == .bindEnvironment ? cause : error
        }
    }

    private func verify(
        _ path: ReceiptPath, of payload: ReceiptPayload, for claim: ChainClaim
    ) throws(Refusal) -> VerifiedChain {
        do throws(Refusal) {
            return try chains.verify(path.certificates.map(Array.init), for: claim)
        } catch {
            throw binding.cause(
                of: error, in: StatedText(payload.environmentName),
                unread: payload.createdAt == nil ? .receiptPayload : nil)
        }
    }

    private static func checkSignature(
        of container: ReceiptContainer, by key: Certificate.PublicKey
    ) throws(Refusal) {
        let algorithm: Certificate.SignatureAlgorithm =
            container.signer.hash == .sha1 ? .sha1WithRSAEncryption : .sha256WithRSAEncryption
        let isValid = key.isValidSignature(
            container.signer.signature, for: container.payload, signatureAlgorithm: algorithm)
        guard isValid else { throw Refusal(.receiptSignature) }
    }
}

extension VerifiedEvidence {
    /// Adds the purchases; one that cannot be read or cannot be is quarantined alone.
    fileprivate mutating func take(_ purchases: [ReceiptAttributes], receipt: Digest256) {
        guard let bundleID else { return }
        for attributes in purchases {
            let purchase = ReceiptPurchase(
                attributes: attributes, environment: environment, bundleID: bundleID,
                createdAt: judgedAt, receipt: receipt)
            do throws(PayloadFault) {
                take(try purchase.snapshot())
            } catch {
                let id = attributes.text(1_703).flatMap { TransactionID($0) }
                implausible.append(
                    QuarantinedPart(error, id.map { TransactionKey(environment, $0) }))
            }
        }
    }
}

/// The certificates of a receipt in the order of a chain, whatever their order in the bag.
private struct ReceiptPath {
    private let leaf: [UInt8]
    /// Leaf, intermediate and root; or the leaf alone, if it is self-signed. A missing one is
    /// empty, and refused with the chain.
    let certificates: [ArraySlice<UInt8>]

    func leafKey() throws(Refusal) -> Certificate.PublicKey {
        try ChainCertificate(der: leaf).certificate.publicKey
    }

    /// The leaf is the one that the signer names, the others are issuers by name. Nothing is
    /// believed of them here.
    init(_ container: ReceiptContainer) throws(Refusal) {
        let bag = container.certificates.compactMap { der in
            (try? CertificateLayout(der: der)).map { (der: der, layout: $0) }
        }
        let named = bag.first {
            $0.layout.issuer == container.signer.issuer
                && $0.layout.serial == container.signer.serial
        }
        guard let named else { throw Refusal(.receiptMalformed) }
        leaf = named.der
        if container.encoding == .ber || named.layout.issuer == named.layout.subject {
            certificates = [leaf[...]]
        } else {
            let intermediate = bag.first { $0.layout.subject == named.layout.issuer }
            let root = bag.first { $0.layout.subject == intermediate?.layout.issuer }
            certificates = [leaf[...], intermediate?.der[...] ?? [], root?.der[...] ?? []]
        }
    }
}
