internal import EntitlementModel
internal import StoreBox

/// Which steps of the service, which `simulate` does not play, bear on an expectation.
extension ServedStory {
    /// Whether what is expected may follow from an earlier step that is not played.
    func needsService(_ step: StoryStep) -> Bool {
        guard let verbs = StoryExpectation(rawValue: step.sentence.verb)?.causes else {
            return false
        }
        let own = names(in: step)
        return story.steps.contains { earlier in
            guard step.isLater(than: earlier), earlier.isOutsideStore,
                let verb = StoryVerb(rawValue: earlier.sentence.verb), verbs.contains(verb)
            else { return false }
            let others = names(in: earlier)
            return own.isEmpty || others.isEmpty || !own.isDisjoint(with: others)
        }
    }

    /// Accounts, purchases with those who bought them, and orders.
    private func names(in step: StoryStep) -> Set<String> {
        let slots: [SentenceSlot] = [.account, .into, .order]
        let plain = slots.compactMap { step.sentence[$0] }
        let purchases = [SentenceSlot.purchase, .with, .naming].compactMap { slot in
            step.sentence[slot].map { ended.meant(by: $0) }
        }
        return Set(plain + purchases + purchases.compactMap { ended.purchases[$0]?.account })
    }
}

extension StoryExpectation {
    /// What can lead to it outside the App Store; nil where that is not asked.
    fileprivate var causes: Set<StoryVerb>? {
        let rulings: Set<StoryVerb> = [
            .approves, .refuses, .transfers, .releases, .merges, .undoesMerge, .presents,
            .appleTells, .registersToken, .policyChanges,
        ]
        let orders: Set<StoryVerb> = [
            .presents, .makesOrder, .reportsOrder, .settlesOrder, .refusesOrder, .undoesOrder,
            .reassignsOrder, .policyChanges,
        ]
        let rights: Set<StoryVerb> = [
            .grants, .revokesGrant, .blocks, .liftsBlock, .settlesOrder, .undoesOrder,
            .reassignsOrder,
        ]
        switch self {
        case .claim: return rulings
        case .finding, .noFinding, .noChange: return Set(StoryVerb.allCases)
        case .change: return rulings.union(rights)
        case .order, .ownOrder, .lostOrder, .lostPayment: return orders
        case .refundRequest:
            return rulings.union([.consents, .withdrawsConsent, .answersRefund, .grants])
        default: return nil
        }
    }
}
