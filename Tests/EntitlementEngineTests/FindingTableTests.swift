internal import EntitlementAnswers
internal import EntitlementModel
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

@Suite("The table of findings", .timeLimit(.minutes(240)))
struct FindingTableTests {
    /// Few starts and kinds, so that places coincide.
    private static func finding(_ dice: inout SplitMix64) -> Finding {
        let start = Instant(milliseconds: Int64(dice.below(40)) * 1_000)
        let end = start.advanced(byMilliseconds: Int64(1 + dice.below(40)) * 1_000)
        return Finding(
            kind: dice.pick(Finding.Kind.allCases), environment: .production,
            interval: Interval(uncheckedFrom: start, to: dice.chance(1, in: 2) ? end : nil),
            accounts: [AccountID(unchecked: "a\(dice.below(50))")],
            facts: [LedgerSequence(Int64(dice.below(4)))])
    }

    @Test("lists what stands in order, page by page, whatever came and went", arguments: 1...8)
    func pages(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        var table = FindingTable()
        var held: [Int64: [Finding]] = [:]
        for _ in 0..<4_000 {
            let subject = Int64(dice.below(900))
            let findings = (0..<dice.below(4)).map { _ in Self.finding(&dice) }
            held[subject] = findings
            table.replace(.quarantine(LedgerSequence(subject)), with: findings)
        }
        for second in [0, 17, 41, 200] as [Int64] {
            let instant = Instant(milliseconds: second * 1_000)
            let standing = held.values.flatMap(\.self).filter { $0.interval.contains(instant) }
            let expected = standing.map(FindingPosition.init).sorted()
            let kinds: [Finding.Kind?] = [nil, .unclaimedPayment]
            for kind in kinds {
                var found: [FindingPosition] = []
                var place: FindingPosition?
                repeat {
                    let page = table.page(of: kind, after: place, at: instant, limit: 37)
                    found += page.findings.map(FindingPosition.init)
                    place = page.next.flatMap { FindingPosition($0.text) }
                } while place != nil
                let wanted = expected.filter { kind == nil || $0.kind == kind }
                // What has one place may be cut by a page; nothing else may be missing.
                #expect(Set(found) == Set(wanted))
                #expect(found == found.sorted())
            }
            let counts = table.counts(at: instant)
            for kind in Finding.Kind.allCases {
                #expect(counts[kind] ?? 0 == standing.count { $0.kind == kind })
            }
        }
    }

    /// `LISTED_FINDINGS` says how many, to measure with.
    @Test("gives the first and the last page of very many")
    func many() throws {
        let count = Int(ProcessInfo.processInfo.environment["LISTED_FINDINGS"] ?? "") ?? 20_000
        var table = FindingTable()
        let now = Instant(milliseconds: Int64(count) + 1)
        for number in 1...Int64(count) {
            let finding = Finding(
                kind: .unclaimedPayment, environment: .production,
                interval: Interval(
                    uncheckedFrom: Instant(milliseconds: number &* 7_919 % Int64(count)), to: nil),
                facts: [LedgerSequence(number)])
            table.replace(.quarantine(LedgerSequence(number)), with: [finding])
        }
        let clock = ContinuousClock()
        var first: (findings: [Finding], next: FindingPosition?) = ([], nil)
        let toFirst = clock.measure {
            first = table.page(of: nil, after: nil, at: now, limit: 1_000)
        }
        #expect(first.findings.count == 1_000)
        let place = try #require(FindingPosition("unclaimed-payment.\(count - 500).0.0"))
        var last: (findings: [Finding], next: FindingPosition?) = ([], nil)
        let toLast = clock.measure {
            last = table.page(of: nil, after: place, at: now, limit: 1_000)
        }
        #expect((1...1_000).contains(last.findings.count) && last.next == nil)
        var counts: [Finding.Kind: Int] = [:]
        let toCount = clock.measure { counts = table.counts(at: now) }
        #expect(counts == [.unclaimedPayment: count])
        print("\(count) findings: first page \(toFirst), last \(toLast), counts \(toCount)")
    }

    @Test(
        "a place that is none is none",
        arguments: ["", "unclaimed-payment", "unclaimed-payment.1.2", "moon.1.2.3", "x.y.z.w"])
    func malformed(text: String) {
        #expect(FindingPosition(text) == nil)
    }
}
