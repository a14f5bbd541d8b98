internal import EntitlementModel
internal import StrictJSON
internal import X509

/// Judges app receipts: signature, chain at the receipt's own time, binding, purchases.
struct ReceiptVerifier: Sendable {
    let chains: ChainVerifier
    let binding: Binding
    let times: SigningTimes

    func judge(_ der: [UInt8], of bytes: [UInt8], at now: Instant) throws(Refusal)
        -> EvidenceVerdict
    {
        let container = try ReceiptContainer(der, allowsBER: chains.hasLocalRoots)
        let certificates = container.certificates.compactMap { try? ChainCertificate(der: $0) }
        guard
            let leaf = certificates.first(where: {
                $0.issuer == container.signer.issuer && $0.serial == container.signer.serial
            })
        else { throw Refusal(.receiptMalformed) }
        try Self.checkSignature(of: container, by: leaf)
        let payload = try ReceiptPayload(container.payload)
        let judgedAt = payload.createdAt ?? now
        let path = Self.path(from: leaf, among: certificates, of: container)
        let environment = payload.environmentName.flatMap { StoreEnvironment(signedName: $0) }
        _ = try chains.verify(path, for: ChainClaim(time: judgedAt, environment: environment))
        try times.check(judgedAt, now: now)
        try binding.check(payload.subject, kind: .receipt)
        guard let environment else { throw Refusal(.bindEnvironment) }
        guard let bundleID = payload.bundleID.flatMap({ BundleID($0) }) else {
            throw Refusal(.bindBundle)
        }
        var evidence = VerifiedEvidence(
            kind: .receipt, digest: sha256(bytes), bytes: bytes, judgedAt: judgedAt,
            environment: environment, bundleID: bundleID)
        evidence.take(payload.purchases, receipt: sha256(container.payload))
        return .accepted(evidence)
    }

    /// Leaf, its issuer by name, and that one's issuer: the three that a chain has, wherever
    /// they stand in the bag. Where there is nothing of the kind, the chain is found wanting.
    private static func path(
        from leaf: ChainCertificate, among certificates: [ChainCertificate],
        of container: ReceiptContainer
    ) -> [[UInt8]] {
        if leaf.issuer == leaf.subject || container.encoding == .ber { return [leaf.der] }
        let intermediate = certificates.first { $0.subject == leaf.issuer }
        let root = certificates.first { $0.subject == intermediate?.issuer }
        return [leaf.der, intermediate?.der ?? [], root?.der ?? []]
    }

    private static func checkSignature(
        of container: ReceiptContainer, by leaf: ChainCertificate
    ) throws(Refusal) {
        let algorithm: Certificate.SignatureAlgorithm =
            container.signer.hash == .sha1 ? .sha1WithRSAEncryption : .sha256WithRSAEncryption
        let isValid = leaf.certificate.publicKey.isValidSignature(
            container.signer.signature, for: container.payload, signatureAlgorithm: algorithm)
        guard isValid else { throw Refusal(.receiptSignature) }
    }
}

extension ReceiptPayload {
    /// What a receipt binds by, as the payload of a JWS would have it.
    var subject: JSONValue {
        var subject: JSONValue = [:]
        subject["bundleId"] = bundleID.map(JSONValue.string)
        subject["environment"] = environmentName.map(JSONValue.string)
        return subject
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
                    QuarantinedPart(
                        error.code, field: error.field,
                        transaction: id.map { TransactionKey(environment, $0) }))
            }
        }
    }
}
