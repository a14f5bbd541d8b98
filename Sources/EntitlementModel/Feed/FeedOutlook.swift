/// The answers about one subject, now and in the future as far as known, so that a change by time
/// alone costs a look-up and no derivation (spec 1.10).
package struct FeedOutlook: Hashable, Sendable {
    /// What an item is about.
    package struct Key: Hashable, Comparable, Sendable {
        package enum Topic: UInt8, Sendable {
            case right = 1
            case balance = 2
            case finding = 3
            case order = 4
            case lapse = 5
        }

        package var topic: Topic
        package var environment: StoreEnvironment
        /// As in `FeedChange.subject`.
        package var subject: String

        package init(_ topic: Topic, _ environment: StoreEnvironment, _ subject: String) {
            self.topic = topic
            self.environment = environment
            self.subject = subject
        }

        package static func < (left: Key, right: Key) -> Bool {
            if left.topic != right.topic { return left.topic.rawValue < right.topic.rawValue }
            if left.environment != right.environment {
                return left.environment.number < right.environment.number
            }
            return left.subject < right.subject
        }
    }

    package struct Step: Hashable, Sendable {
        package var at: Instant
        package var value: FeedValue?

        package init(at instant: Instant, value: FeedValue?) {
            at = instant
            self.value = value
        }
    }

    package struct Item: Hashable, Sendable {
        package var key: Key
        /// Nil where nothing is known, or nothing any more.
        package var present: FeedValue?
        /// The later values, in the order of time.
        package var steps: [Step]

        package init(key: Key, present: FeedValue?, steps: [Step] = []) {
            self.key = key
            self.present = present
            self.steps = steps
        }
    }

    /// By key; each once.
    package private(set) var items: [Item]
    /// Whose it is, where the subject is not an account itself.
    package var account: AccountID?

    /// Items that say nothing and never will are omitted.
    package init(_ items: [Item] = [], account: AccountID? = nil) {
        self.items = items.filter { $0.present != nil || !$0.steps.isEmpty }
            .sorted { $0.key < $1.key }
        self.account = account
    }

    /// When the next step is due; nil if there is none.
    package var due: Instant? { items.compactMap { $0.steps.first?.at }.min() }

    /// Something that changed, and from what to what.
    package struct Difference: Hashable, Sendable {
        package var key: Key
        package var at: Instant
        package var before: FeedValue?
        package var after: FeedValue?
    }

    /// Takes the steps up to an instant, in the order of time, then of keys.
    package mutating func advance(to instant: Instant) -> [Difference] {
        var taken: [Difference] = []
        for index in items.indices {
            var count = 0
            for step in items[index].steps.prefix(while: { $0.at <= instant }) {
                count += 1
                taken.append(
                    Difference(
                        key: items[index].key, at: step.at, before: items[index].present,
                        after: step.value))
                items[index].present = step.value
            }
            items[index].steps.removeFirst(count)
        }
        items.removeAll { $0.present == nil && $0.steps.isEmpty }
        return taken.sorted { $0.at == $1.at ? $0.key < $1.key : $0.at < $1.at }
    }

    /// The differences from an older outlook, both at one instant; by key.
    package func differences(from old: FeedOutlook, at instant: Instant) -> [Difference] {
        var found: [Difference] = []
        var (own, other) = (items[...], old.items[...])
        func compare(_ key: Key, _ before: FeedValue?, _ after: FeedValue?) {
            guard before != after else { return }
            found.append(Difference(key: key, at: instant, before: before, after: after))
        }
        while let left = own.first, let right = other.first {
            if left.key == right.key {
                compare(left.key, right.present, left.present)
                own.removeFirst()
                other.removeFirst()
            } else if left.key < right.key {
                compare(left.key, nil, left.present)
                own.removeFirst()
            } else {
                compare(right.key, right.present, nil)
                other.removeFirst()
            }
        }
        for item in own { compare(item.key, nil, item.present) }
        for item in other { compare(item.key, item.present, nil) }
        return found
    }
}

extension FeedOutlook.Difference {
    /// The kind of its changes.
    package var kind: FeedChange.Kind {
        switch key.topic {
        case .balance: return .balanceChanged
        case .lapse: return .creditLapsing
        case .finding: return after == nil ? .findingClosed : .findingOpened
        case .order: return .orderChanged
        case .right:
            let (old, new) = (before.right, after.right)
            if old.decision != new.decision {
                return new.decision ? .rightGained : .rightLost
            }
            return old.until == new.until ? .rightState : .rightMoved
        }
    }

    /// The change of an account that it is.
    package func change(
        of account: AccountID?, revision: LedgerSequence, cause: [LedgerSequence] = []
    ) -> FeedChange {
        FeedChange(
            kind: kind, at: at, revision: revision, account: account,
            environment: key.environment, subject: key.subject, before: before, after: after,
            cause: cause)
    }
}

extension FeedValue? {
    /// Read as a right.
    fileprivate var right: FeedValue.Right {
        guard case .right(let right)? = self else { return .nothing }
        return right
    }
}
