internal import EntitlementModel
internal import LedgerModel
internal import Testing

@testable internal import EntitlementEngine

@Suite("The folders of a fleet's nodes", .timeLimit(.minutes(5)))
struct PolicyStackTests {
    private func stack(_ numbers: UInt8...) throws -> PolicyStack {
        PolicyStack(
            try numbers.enumerated().map { place, number in
                Recorded(
                    sequence: LedgerSequence(Int64(place + 1)),
                    recordedAt: Instant(milliseconds: Int64(place)),
                    value: PolicyActivation(digest: try digest(number), files: []))
            })
    }

    private func digest(_ number: UInt8) throws -> Digest256 {
        try #require(Digest256([UInt8](repeating: number, count: 32)))
    }

    @Test("one that was in force before does not come back by itself")
    func oldFolder() throws {
        let policies = try stack(1, 2)
        #expect(policies.heldBack(try digest(1), inFleet: true) == .superseded)
        // The one in force is no news, and a new one is for the guard.
        #expect(policies.heldBack(try digest(2), inFleet: true) == nil)
        #expect(policies.heldBack(try digest(3), inFleet: true) == nil)
        // A single machine has one folder: whoever puts the old one back means it.
        #expect(policies.heldBack(try digest(1), inFleet: false) == nil)
    }
}
