internal import EntitlementModel
package import TestSupport

extension OrderScript {
    /// The smallest script found that still fails: steps are taken out for as long as the
    /// comparison goes on failing.
    package func shrunk(whileFailing fails: (OrderScript) async -> Bool) async -> OrderScript {
        var smallest = self
        var size = max(1, steps.count / 2)
        while true {
            var place = 0
            var isSmaller = false
            while place < smallest.steps.count {
                var candidate = smallest
                let end = min(place + size, candidate.steps.count)
                candidate.steps.removeSubrange(place..<end)
                if await fails(candidate) {
                    smallest = candidate
                    isSmaller = true
                } else {
                    place += size
                }
            }
            if size == 1, !isSmaller { return smallest }
            size = max(1, size / 2)
        }
    }

    /// The script as a person reads it: the seed, the policy, one call a line.
    package var text: String {
        let lines = steps.map { "- \($0.recordedAt.rfc3339) \($0.value)" }
        let text = ["orders of seed: \(seed)", "policy: \(firstPolicy)"] + lines
        return text.joined(separator: "\n").replacing("EntitlementModel.", with: "")
            .replacing("TestSupport.", with: "") + "\n"
    }
}
