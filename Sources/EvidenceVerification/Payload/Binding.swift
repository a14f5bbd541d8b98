internal import EntitlementModel
internal import StrictJSON

/// Whether evidence is about this app, in an environment that is trusted.
///
/// Most genuine evidence from strangers belongs to other apps: this is the most important check.
struct Binding: Sendable {
    let settings: VerificationSettings

    /// Refuses wrong values, and missing required ones. A member of another JSON type than
    /// documented is left to the schema, which quarantines it.
    func check(_ payload: JSONDocument, kind: EvidenceKind) throws(Refusal) {
        guard !settings.allowsAnyBundle else { return }
        let subject = PayloadShape.subject(of: payload)
        if kind != .renewalInfo {
            try checkBundle(payload.statedText("bundleId", of: subject), in: "bundleId")
        }
        let environment = try checkEnvironment(
            PayloadShape.environment(of: payload),
            in: kind == .appTransaction ? "receiptType" : "environment")
        if environment == .production, kind == .notification || kind == .appTransaction {
            try checkApp(payload.stated("appAppleId", of: subject), of: payload)
        }
    }

    /// The same for a receipt, which has no app ID.
    func check(_ receipt: ReceiptPayload) throws(Refusal) {
        guard !settings.allowsAnyBundle else { return }
        try checkBundle(StatedText(receipt.bundleID), in: ReceiptPayload.bundleField)
        _ = try checkEnvironment(
            StatedText(receipt.environmentName), in: ReceiptPayload.environmentField)
    }

    /// The same for an answer of verifyReceipt, which must have both; the receipt's own
    /// environment, and the app's number in production, must agree.
    func check(
        _ answer: ReceiptAnswer
    ) throws(Refusal) -> (environment: StoreEnvironment, bundleID: BundleID) {
        guard let bundleID = answer.bundle.flatMap({ BundleID($0) }) else {
            throw Refusal(.bindBundle, .missing(answer.isOfIOS6 ? "bid" : "bundle_id"))
        }
        guard let name = answer.environmentName else {
            throw Refusal(.bindEnvironment, .missing("environment"))
        }
        guard let environment = StoreEnvironment(signedName: name) else { throw untrusted(name) }
        guard !settings.allowsAnyBundle else { return (environment, bundleID) }
        try checkBundle(.text(bundleID.text), in: "bundle_id")
        _ = try checkEnvironment(.text(name), in: "environment")
        if let other = answer.receiptEnvironment, other != environment {
            throw Refusal(
                .bindEnvironment, .mismatch(expected: environment.rawValue, found: other.rawValue))
        }
        if environment == .production, let expected = settings.appAppleID,
            let other = answer.appIDs.first(where: { $0 != "\(expected)" })
        {
            throw Refusal(.bindApp, .mismatch(expected: "\(expected)", found: other.shown))
        }
        return (environment, bundleID)
    }

    /// The reason to report for evidence without a trusted root, or not trusted at its time: if its
    /// own statements exclude it under any root, that is the reason.
    ///
    /// It is only reported, never trusted: the evidence is refused either way.
    ///
    /// - Parameter unread: the refusal of a payload that could not be read; nil where it could.
    func cause(
        of refusal: Refusal, in environment: StatedText, unread: VerificationRefusalCode?
    ) -> Refusal {
        guard [.chainRoot, .chainTime, .jwsChain].contains(refusal.code) else { return refusal }
        if let unread, refusal.code != .jwsChain { return Refusal(unread) }
        guard !settings.allowsAnyBundle, refusal.code != .chainTime, case .text = environment
        else { return refusal }
        do throws(Refusal) {
            _ = try checkEnvironment(environment, in: "environment")
            return refusal
        } catch {
            return error
        }
    }

    private func checkBundle(
        _ stated: StatedText, in member: StaticString
    ) throws(Refusal) {
        guard let expected = settings.bundleID else { throw Refusal(.bindBundle) }
        switch stated {
        case .missing: throw Refusal(.bindBundle, .missing("\(member)"))
        case .noText: return
        case .text(let found):
            guard !found.utf8.elementsEqual(expected.text.utf8) else { return }
            let detail = BundleID(found).map {
                VerificationRefusalDetail.mismatch(expected: expected.text, found: $0.text)
            }
            throw Refusal(.bindBundle, detail)
        }
    }

    private func checkEnvironment(
        _ stated: StatedText, in member: StaticString
    ) throws(Refusal) -> StoreEnvironment? {
        switch stated {
        case .missing: throw Refusal(.bindEnvironment, .missing("\(member)"))
        case .noText: return nil
        case .text(let name):
            guard let environment = StoreEnvironment(signedName: name),
                settings.trustedEnvironments.contains(environment)
            else { throw untrusted(name) }
            return environment
        }
    }

    /// The known name, with the trusted ones.
    private func untrusted(_ name: String) -> Refusal {
        let trusted = settings.trustedEnvironments.map(\.rawValue).sorted()
        return Refusal(
            .bindEnvironment,
            .mismatch(
                expected: trusted.joined(separator: ", "),
                found: StoreEnvironment(signedName: name)?.rawValue ?? name.shown(atMost: 40)))
    }

    private func checkApp(_ member: JSONOffset?, of payload: JSONDocument) throws(Refusal) {
        guard let expected = settings.appAppleID else { throw Refusal(.bindApp) }
        guard let member else { throw Refusal(.bindApp, .missing("appAppleId")) }
        guard let found = payload.int64(at: member) else { return }
        guard found == expected else {
            throw Refusal(.bindApp, .mismatch(expected: "\(expected)", found: "\(found)"))
        }
    }
}

extension TransactionSnapshot {
    /// The first reason why the snapshot is impossible (spec 1.2); nil if there is none.
    func findImplausibility() -> PayloadFault? {
        let dates = [
            ("purchaseDate", purchaseDate), ("expiresDate", expiresDate),
            ("signedDate", signedDate),
        ]
        for case (let field, let date?) in dates where !Instant.plausible.contains(date) {
            return PayloadFault(.implausibleDate, field, .found(date.rfc3339))
        }
        if !possibleQuantities.contains(quantity) {
            return PayloadFault(.implausibleQuantity, "quantity", .found("\(quantity)"))
        }
        guard hasImplausibleExpiry else { return nil }
        return PayloadFault(
            .implausibleExpiry, "expiresDate",
            expiresDate.map { .found($0.rfc3339) } ?? .missing("expiresDate"))
    }

    /// Seats may be sold by the million; nothing else is bought in such numbers.
    private var possibleQuantities: ClosedRange<Int64> {
        let isSeated = kind.map { $0 == .known(.autoRenewable) } ?? (expiresDate != nil)
        return 1...(isSeated ? 10_000_000 : 1_000)
    }

    private var hasImplausibleExpiry: Bool {
        guard let expiresDate else { return kind == .known(.autoRenewable) }
        return expiresDate < purchaseDate
            || expiresDate > Period(3, .years).end(from: purchaseDate)
    }
}

extension RenewalSnapshot {
    func findImplausibility() -> PayloadFault? {
        Instant.plausible.contains(signedDate)
            ? nil : PayloadFault(.implausibleDate, "signedDate", .found(signedDate.rfc3339))
    }
}

extension Instant {
    /// The years 2008 to 2100: there was no App Store before.
    fileprivate static let plausible = Range(
        uncheckedBounds: (
            Instant(milliseconds: 1_199_145_600_000), Instant(milliseconds: 4_133_980_800_000)
        ))
}
