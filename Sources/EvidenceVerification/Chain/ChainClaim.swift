internal import EntitlementModel
internal import StrictJSON

/// What a payload that is not verified yet says about how to judge it: its signing time and its
/// environment. Both are signed too, so believing them before the signature is checked can only
/// make the check fail.
struct ChainClaim {
    let time: Instant
    let environment: StoreEnvironment?

    init(time: Instant, environment: StoreEnvironment?) {
        self.time = time
        self.environment = environment
    }

    /// Without a readable signing time, evidence is judged now (spec 4.0).
    init(payload: JSONDocument?, now: Instant) {
        self =
            payload.flatMap(ChainClaim.init(statedIn:))
            ?? ChainClaim(time: now, environment: payload.flatMap(Self.environment))
    }

    /// Nil where the payload says no signing time.
    init?(statedIn payload: JSONDocument) {
        let signedDate =
            payload.stated("signedDate", of: .root)
            ?? payload.stated("receiptCreationDate", of: .root)
        guard let milliseconds = signedDate.flatMap(payload.flooredInt64) else { return nil }
        time = Instant(milliseconds: milliseconds)
        environment = Self.environment(of: payload)
    }

    private static func environment(of payload: JSONDocument) -> StoreEnvironment? {
        PayloadShape.environmentName(of: payload).flatMap { StoreEnvironment(signedName: $0) }
    }
}
