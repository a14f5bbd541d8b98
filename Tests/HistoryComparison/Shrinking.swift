internal import EntitlementModel
package import TestSupport

extension History {
    /// The smallest history found that still fails: events, rules and then policies are taken
    /// out one at a time for as long as the comparison goes on failing.
    package func shrunk(whileFailing fails: (History) -> Bool) -> History {
        var smallest = self
        var isShrinking = true
        while isShrinking {
            isShrinking = false
            for candidate in smallest.smaller where fails(candidate) {
                smallest = candidate
                isShrinking = true
                break
            }
        }
        return smallest
    }

    private var smaller: [History] {
        var candidates: [History] = []
        let half = events.count / 2
        if half > 1 {
            candidates.append(keeping(events.indices.filter { $0 >= half }))
            candidates.append(keeping(events.indices.filter { $0 < half }))
        }
        for index in events.indices {
            candidates.append(keeping(events.indices.filter { $0 != index }))
        }
        for index in refundRequests.indices {
            var history = self
            history.refundRequests.remove(at: index)
            candidates.append(history)
        }
        return candidates + simplerFirstPolicies
    }

    private func keeping(_ indices: [Int]) -> History {
        var history = self
        history.events = indices.map { events[$0] }
        return history
    }

    private var simplerFirstPolicies: [History] {
        var candidates: [History] = []
        for (place, event) in events.enumerated() {
            guard case .policy(let policy) = event.value else { continue }
            for index in policy.accessRules.indices {
                var simpler = policy
                simpler.accessRules.remove(at: index)
                var history = self
                history.events[place].value = .policy(simpler)
                candidates.append(history)
            }
        }
        for index in firstPolicy.policy.accessRules.indices {
            var history = self
            history.firstPolicy.policy.accessRules.remove(at: index)
            candidates.append(history)
        }
        for index in firstPolicy.policy.appRules.indices {
            var history = self
            history.firstPolicy.policy.appRules.remove(at: index)
            candidates.append(history)
        }
        for index in firstPolicy.policy.openRights.indices {
            var history = self
            history.firstPolicy.policy.openRights.remove(at: index)
            candidates.append(history)
        }
        for index in firstPolicy.policy.claimRules.indices {
            var history = self
            history.firstPolicy.policy.claimRules.remove(at: index)
            candidates.append(history)
        }
        return candidates
    }
}
