internal import EntitlementModel
internal import HistoryComparison
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

@Suite("The table of packed accounts", .timeLimit(.minutes(20)))
struct PackedAccountTableTests {
    private static let policy = ActivePolicy(Playback(History.random(seed: 1)).policies)

    private func packed(of name: String) -> PackedAccount {
        Self.policy.packed(AccountTimeline(account: AccountID(unchecked: name)))
    }

    private func isKept(_ name: String, in table: PackedAccountTables) -> Bool {
        let bytes = Array(name.utf8)
        let found = table.packed(of: bytes.span, PackedAccountTable.NameHash(bytes.span))
        return found?.account.text == name
    }

    @Test("keeps what a dictionary would, whatever comes and goes")
    func agreement() {
        let names = (0..<400).map { "account-\($0 * $0)" }
        var generator = SplitMix64(seed: 1)
        var (table, expected) = (PackedAccountTables(), Set<String>())
        for step in 0..<6_000 {
            // It fills, and empties again.
            let keeps = Int.random(in: 0..<10, using: &generator) < (step < 3_000 ? 7 : 3)
            let name = names[Int.random(in: 0..<names.count, using: &generator)]
            if keeps {
                table.keep(packed(of: name))
                expected.insert(name)
            } else {
                let bytes = Array(name.utf8)
                let removed = table.remove(bytes.span, PackedAccountTable.NameHash(bytes.span))
                #expect((removed != nil) == (expected.remove(name) != nil), "step \(step)")
            }
            #expect(table.count == expected.count)
            guard step % 100 == 0 else { continue }
            #expect(names.filter { isKept($0, in: table) } == names.filter(expected.contains))
        }
    }

    @Test("tells names apart that begin alike, and finds nothing in an empty one")
    func names() {
        var table = PackedAccountTables()
        #expect(!isKept("a", in: table))
        for name in ["a", "ab", "abcdefgh", "abcdefghi", "abcdefghj"] {
            table.keep(packed(of: name))
        }
        #expect(table.count == 5)
        #expect(isKept("abcdefghj", in: table))
        #expect(!isKept("abcdefghk", in: table))
        #expect(!isKept("", in: table))
    }
}

extension PackedAccountTables {
    /// Puts the packed account in the place of the one that its account had.
    mutating func keep(_ packed: PackedAccount) {
        let name = packed.account.text.utf8.span
        keep(packed, named: name, PackedAccountTable.NameHash(name))
    }
}
