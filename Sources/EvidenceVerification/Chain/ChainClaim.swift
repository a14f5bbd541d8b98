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

    /// Without a readable signing time, evidence is judged now (4-evidence.md).
    init(payload: JSONValue?, now: Instant) {
        let signedDate = payload?["signedDate"] ?? payload?["receiptCreationDate"]
        let milliseconds = signedDate?.number?.flooredInt64
        time = milliseconds.map(Instant.init(milliseconds:)) ?? now
        environment = payload.flatMap(PayloadShape.environmentName).flatMap {
            StoreEnvironment(signedName: $0)
        }
    }
}
