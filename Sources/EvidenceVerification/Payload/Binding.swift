internal import EntitlementModel
internal import StrictJSON

/// Whether evidence is about this app, in an environment that is trusted.
///
/// Most genuine evidence that strangers hand in belongs to other apps: this is the check that
/// matters most.
struct Binding: Sendable {
    let settings: VerificationSettings

    /// Refuses what is stated and wrong, and what must be stated and is not. A member of another
    /// JSON type than documented is left to the schema, which quarantines it.
    func check(_ payload: JSONValue, kind: EvidenceKind) throws(Refusal) {
        guard !settings.allowsAnyBundle else { return }
        let subject = PayloadShape.subject(of: payload)
        if kind != .renewalInfo { try checkBundle(subject["bundleId"]) }
        let environment = try checkEnvironment(PayloadShape.environmentMember(of: payload))
        if environment == .production, kind == .notification || kind == .appTransaction {
            try checkApp(subject["appAppleId"])
        }
    }

    private func checkBundle(_ member: JSONValue?) throws(Refusal) {
        guard let expected = settings.bundleID else { throw Refusal(.bindBundle) }
        guard let member else { throw Refusal(.bindBundle) }
        guard let found = member.string else { return }
        guard Array(found.utf8) == Array(expected.text.utf8) else {
            let detail = BundleID(found).map {
                RejectionDetail.mismatch(expected: expected.text, found: $0.text)
            }
            throw Refusal(.bindBundle, detail)
        }
    }

    private func checkEnvironment(_ member: JSONValue?) throws(Refusal) -> StoreEnvironment? {
        guard let member else { throw Refusal(.bindEnvironment) }
        guard let name = member.string else { return nil }
        guard let environment = StoreEnvironment(signedName: name),
            settings.trustedEnvironments.contains(environment)
        else { throw Refusal(.bindEnvironment) }
        return environment
    }

    private func checkApp(_ member: JSONValue?) throws(Refusal) {
        guard let expected = settings.appAppleID, let member else { throw Refusal(.bindApp) }
        guard let found = member.int64 else { return }
        guard found == expected else {
            throw Refusal(.bindApp, .mismatch(expected: "\(expected)", found: "\(found)"))
        }
    }
}
