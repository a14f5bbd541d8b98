package import EntitlementAnswers
internal import EntitlementModel
internal import Synchronization

/// What is asked about deliveries.
extension Pusher {
    /// How the subscriptions stand, by name, as far as this node knows.
    package var standings: [PushStanding] {
        let (known, isSending) = state.withLock { ($0.standings, $0.isSending) }
        return subscriptions.map(\.name).sorted().compactMap { name in
            guard var standing = known[name] else { return nil }
            if journal.isShared, !isSending { standing.isElsewhere() }
            let kept = journal[name]
            standing.cursor = kept.cursor
            standing.undelivered = Int64(kept.undelivered.count)
            return standing
        }
    }

    /// The same with how many changes of the feed wait, by the number of its last one, and with what
    /// is wanted in vain.
    ///
    /// - Parameter head: nil where it is not known.
    package func standings(
        upTo head: Int64?, _ known: KnownEntitlements
    ) -> [PushStanding] {
        standings.map { standing in
            var standing = standing
            standing.waiting = head.flatMap { head in
                standing.cursor.map { max(0, head - $0.number) }
            }
            let unknown = subscriptions.first { $0.name == standing.subscription }?
                .unknownEntitlements(known)
            standing.unknownEntitlements = unknown?.isEmpty == false ? unknown : nil
            return standing
        }
    }

    /// Changes that were put aside, those of subscriptions too that the settings lack by now.
    ///
    /// - Throws: where what the nodes of a fleet share cannot be read.
    package func undelivered(
        of name: String?, skip: Int64, limit: Int
    ) async throws(EngineError) -> UndeliveredList {
        _ = try await prepare()
        let contents = journal.contents.filter { (name ?? $0.key) == $0.key }
        let all = contents.flatMap(\.value.undelivered.values)
            .sorted { ($0.subscription, $0.number) < ($1.subscription, $1.number) }
        let start = Int(min(max(0, skip), Int64(all.count)))
        let end = min(start + limit, all.count)
        return UndeliveredList(
            subscriptions: standings.filter { (name ?? $0.subscription) == $0.subscription },
            changes: Array(all[start..<end]), next: end < all.count ? Int64(end) : nil,
            discarded: contents.sorted { $0.key < $1.key }.flatMap(\.value.discarded))
    }

    /// Strikes one change off the list, or all that a subscription has put aside, one too that the
    /// settings lack by now.
    ///
    /// - Returns: nil for a subscription or a change that there is not.
    package func discard(
        _ number: Int64?, of name: String, by actor: String, because reason: String
    ) async throws(EngineError) -> DiscardedChanges? {
        let now = context.now()
        return try await write(inReading: try await prepare()) { contents in
            let kept = contents[name]?.undelivered ?? [:]
            let isKnown = number.map { kept[$0] != nil } ?? !kept.isEmpty
            guard isKnown else { return (nil, nil) }
            let discarded = DiscardedChanges(
                subscription: name, number: number, changes: number == nil ? Int64(kept.count) : 1,
                at: now, actor: actor, reason: reason)
            return (DeliveryLine(subscription: name, discarded: discarded), discarded)
        }
    }

    /// Has one change, or all that a subscription has put aside, sent again.
    ///
    /// - Returns: how many; nil for a subscription or a change that there is not.
    package func sendAgain(
        _ number: Int64?, of name: String
    ) async throws(EngineError) -> Int64? {
        guard subscriptions.contains(where: { $0.name == name }) else { return nil }
        let reading = try await prepare()
        let kept = journal[name].undelivered
        let wanted =
            number.map { [$0] } ?? kept.keys.sorted()
        guard number.map({ kept[$0] != nil }) ?? true else { return nil }
        for number in wanted {
            try await write(inReading: reading) { contents in
                guard var change = contents[name]?.undelivered[number], !change.isSentAgain else {
                    return (nil, ())
                }
                change.isSentAgain = true
                return (DeliveryLine(subscription: name, undelivered: change), ())
            }
        }
        return Int64(wanted.count)
    }
}

extension PushSubscription {
    /// Those that it names and no policy has ever had: nothing of them will be sent.
    package func unknownEntitlements(_ known: KnownEntitlements) -> [String] {
        filter.entitlements.filter { name in
            !(EntitlementName(name).map(known.contains) ?? false)
        }.sorted()
    }
}

extension PushStanding {
    /// Nothing that this node has found out itself is true any more.
    fileprivate mutating func isElsewhere() {
        state = .elsewhere
        (trouble, status, since, nextAttempt) = (nil, nil, nil, nil)
    }
}
