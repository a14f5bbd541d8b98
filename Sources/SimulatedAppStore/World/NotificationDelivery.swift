package import EntitlementModel
internal import StoreSimulator
internal import StrictJSON

/// A notification that is to be posted to the developer's server now.
package struct NotificationDelivery: Hashable, Sendable {
    package let environment: StoreEnvironment
    let index: Int
    /// Whether it arrives once more: its result counts for nothing.
    let isRepetition: Bool
    /// What is posted, as `application/json`.
    package let body: [UInt8]
}

extension AppStoreWorld {
    /// Apple's pauses between attempts in hours; the sandbox tries once.
    private static let pauses: [Int64] = [1, 12, 24, 48, 72]

    /// Puts a notification into the outbox, unless it gets lost on its way.
    func send(_ index: Int, _ side: StoreSide) {
        if chaos.dropPercent > 0, dice.below(100) < chaos.dropPercent {
            return note(.timedOut, ofAttemptAt: index, side)
        }
        let payload = side.log.payload(of: index, by: signer)
        let body: JSONValue = ["signedPayload": .string(payload)]
        let isRepeated = chaos.repeatPercent > 0 && dice.below(100) < chaos.repeatPercent
        for isRepetition in isRepeated ? [false, true] : [false] {
            outbox.append(
                NotificationDelivery(
                    environment: side.environment, index: index, isRepetition: isRepetition,
                    body: body.serialized()))
        }
    }

    /// Notes what became of a delivery, and when it is tried again.
    func note(_ result: SendResult, of delivery: NotificationDelivery) {
        guard let place = outbox.firstIndex(of: delivery) else { return }
        outbox.remove(at: place)
        guard !delivery.isRepetition else { return }
        note(result, ofAttemptAt: delivery.index, side(delivery.environment))
    }

    private func note(_ result: SendResult, ofAttemptAt index: Int, _ side: StoreSide) {
        side.log.note(NotificationLog.Attempt(at: now, result: result), of: index)
        let record = side.log.records[index]
        guard !record.isDelivered, side.environment == .production,
            record.attempts.count <= Self.pauses.count
        else { return }
        let pause = Self.pauses[record.attempts.count - 1] * 3_600_000
        due.add(
            .notification(side.environment, index), at: now.advanced(byMilliseconds: pause))
    }
}
