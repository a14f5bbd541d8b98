package import EntitlementModel

/// What evidence is judged against.
package struct VerificationSettings: Sendable {
    /// The app; nil only where `allowsAnyBundle`.
    package var bundleID: BundleID?
    /// Apple's `appAppleId`, compared in production.
    package var appAppleID: Int64?
    package var trustedEnvironments: Set<StoreEnvironment> = []
    package var jwsAnchors: [TrustAnchor] = []
    package var receiptAnchors: [TrustAnchor] = []
    /// Evidence signed longer ago than this is refused; nil for no limit.
    package var maximumSignedAge: Period?
    /// SHA-256 of the SubjectPublicKeyInfo of signing keys that must not be believed any more.
    package var deniedKeys: Set<Digest256> = []
    /// Leaves the binding to app and environment unchecked: for `usher inspect` only.
    package var allowsAnyBundle = false
    package var limits = VerificationLimits()

    package init() {}

    /// What a policy says about its app and whom it trusts.
    package init(policy: Policy) {
        bundleID = policy.app.bundleID
        appAppleID = policy.app.appleID
        trustedEnvironments = Set(policy.environments.filter { $0.value == .trusted }.keys)
        jwsAnchors = policy.trust.jws
        receiptAnchors = policy.trust.receipt
        maximumSignedAge = policy.trust.maximumSignedAge
        deniedKeys = policy.trust.deniedKeys
    }
}

/// Bounds that are checked before anything is decoded.
package struct VerificationLimits: Sendable {
    /// Bytes of any evidence (spec 3.1).
    package var evidenceBytes = 2_097_152
    /// Bytes of one compact JWS; Apple's have 5 to 30 thousand.
    package var jwsBytes = 262_144
    /// Bytes of an answer of verifyReceipt: a kilobyte for each purchase.
    package var answerBytes = 16_777_216
    /// JSON values of an answer of verifyReceipt: some thirty for each purchase.
    package var answerValues = 1_000_000
    /// Milliseconds that a signing time may lie in the future (spec 4.0).
    package var clockSkew: Int64 = 300_000
    /// Chains that are remembered.
    package var cachedChains = 64

    package init() {}
}
