internal import EntitlementModel
internal import Synchronization

/// The texts that all packed accounts made under one policy share, grown where one is missing.
final class SharedAnswerTexts: Sendable {
    private let newest: Mutex<AnswerTexts>

    init(_ policy: Policy) {
        newest = Mutex(AnswerTexts(policy))
    }

    var current: AnswerTexts { newest.withLock { $0 } }

    /// Texts that have `text`.
    func current(with text: AnswerText) -> AnswerTexts {
        newest.withLock { texts in
            if texts.place(of: text) == nil { texts = texts.adding(text) }
            return texts
        }
    }

    /// Texts that have `name`.
    func current(with name: EntitlementName) -> AnswerTexts {
        newest.withLock { texts in
            if texts.number(of: name) == nil { texts = texts.adding(name) }
            return texts
        }
    }

    /// Packs timelines.
    ///
    /// - Parameter owner: the account's name; empty for the rights of an Apple ID.
    func packed(of rights: [RightKey: RightTimeline], owner: String = "") -> PackedRights {
        var packing = PackedRightsWriter(texts: self)
        for (key, timeline) in rights.sorted(by: { $0.key.precedes($1.key) }) {
            packing.add(timeline, as: key)
        }
        return packing.packed(owner: owner)
    }
}

extension RightKey {
    fileprivate func precedes(_ other: RightKey) -> Bool {
        environment == other.environment
            ? entitlement < other.entitlement
            : environment.number < other.environment.number
    }
}
