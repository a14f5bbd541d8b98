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
        _ number: Int64?, of name: String, _ cause: AdminActionCause
    ) async throws(EngineError) -> DiscardedChanges? {
        let (now, intent) = (context.now(), cause.intent)
        let reading = try await prepare()
        let meant = number.map { [$0] } ?? journal[name].undelivered.keys.sorted()
        try await requireNothingNew(in: meant, intent)
        let (discarded, hasMore) = try await write(inReading: reading) { contents in
            let kept = contents[name]?.undelivered ?? [:]
            let isKnown = number.map { kept[$0] != nil } ?? !kept.isEmpty
            guard isKnown else { return (nil, (DiscardedChanges?.none, false)) }
            let discarded = DiscardedChanges(
                subscription: name, number: number, changes: number == nil ? Int64(kept.count) : 1,
                at: now, actor: cause.actor, reason: cause.reason)
            // Put aside since it was looked at.
            let hasMore = number == nil && intent != .act && !Set(kept.keys).isSubset(of: meant)
            let line = DeliveryLine(subscription: name, discarded: discarded)
            return (hasMore || !intent.acts ? nil : line, (discarded, hasMore))
        }
        if hasMore, intent.acts { throw .changedSince([]) }
        if discarded != nil { try await note(meant, of: name, areSent: false, for: intent) }
        return discarded
    }

    /// Has one change, or all that a subscription has put aside, sent again.
    ///
    /// - Returns: how many; nil for a subscription or a change that there is not.
    package func sendAgain(
        _ number: Int64?, of name: String, meant intent: ActionIntent = .act
    ) async throws(EngineError) -> Int64? {
        guard subscriptions.contains(where: { $0.name == name }) else { return nil }
        let reading = try await prepare()
        let kept = journal[name].undelivered
        let wanted =
            number.map { [$0] } ?? kept.keys.sorted()
        guard number.map({ kept[$0] != nil }) ?? true else { return nil }
        try await requireNothingNew(in: wanted, intent)
        let waiting = wanted.filter { kept[$0]?.isSentAgain == false }
        try await note(waiting, of: name, areSent: true, for: intent)
        for number in wanted where intent.acts {
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

/// What is said before, and asked of what was said.
extension Pusher {
    /// How many changes a preview shows.
    private static let mostShown = 64

    /// Leaves the changes that would be sent again, or never, with a preview.
    private func note(
        _ numbers: [Int64], of name: String, areSent: Bool, for intent: ActionIntent
    ) async throws(EngineError) {
        guard case .preview(let rehearsal) = intent else { return }
        var changes: [ChangeAnswer] = []
        for number in numbers.prefix(Self.mostShown) {
            if let told = try await told(number) { changes.append(told) }
        }
        var effect = EffectAnswer(at: context.now())
        effect.delivery = EffectDelivery(
            subscription: name,
            receiver: subscriptions.first { $0.name == name }?.receiver.shown,
            isSentAgain: areSent, count: Int64(numbers.count), changes: changes)
        let revision = try await source.changes(after: nil, limit: 1)?.revision
        rehearsal.note(Written(effect, revision ?? .zero))
    }

    /// - Parameter numbers: in their order, which is that of the entries.
    /// - Throws: `.changedSince` if one of them came of an entry after the one that an action names.
    private func requireNothingNew(
        in numbers: [Int64], _ intent: ActionIntent
    ) async throws(EngineError) {
        guard case .actUnlessChanged(let revision) = intent else { return }
        var changed: [ChangedEntry] = []
        for number in numbers.reversed() where changed.count < ActionIntent.mostChanged {
            guard let change = try await told(number)?.change, change.revision > revision else {
                break
            }
            changed.append(
                ChangedEntry(entry: change.revision, kind: nil, account: change.account))
        }
        guard changed.isEmpty else { throw .changedSince(changed.reversed()) }
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
