internal import EntitlementModel
internal import StrictJSON
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

@Suite("Payloads", .timeLimit(.minutes(20)))
struct PayloadTests {
    @Test("every kind of entry comes back as it was", arguments: EntryKind.allCases)
    func roundTrip(kind: EntryKind) throws {
        let samples = try EntrySample.all().filter { $0.entry.registered.kind == kind }
        try #require(!samples.isEmpty, "no sample of \(kind)")
        for (name, entry) in samples {
            let decoded = try Payload.decode(Payload.encode(entry), as: kind)
            #expect(decoded == entry.withoutBytes, "\(name)")
        }
    }

    @Test("what no derivation reads is passed over, and all else is in one list of facts")
    func facts() throws {
        for (name, entry) in try EntrySample.all() {
            var facts = FactSet()
            facts.insert(
                Recorded(sequence: LedgerSequence(1), recordedAt: Sample.start, value: entry))
            var count = FactCount(facts: facts)
            FactSet.visitLists(&count)
            #expect(count.sum == (entry.registered.kind.isPassedOver ? 0 : 1), "\(name)")
        }
    }

    @Test("members are sorted and nothing is written twice")
    func canonicalForm() throws {
        for (name, entry) in try EntrySample.all() {
            let payload = Payload.encode(entry)
            let tree = try parseJSON(payload)
            #expect(tree.sortedByName.serialized() == payload, "\(name)")
        }
    }

    @Test("the form is a contract: a known entry has known bytes")
    func knownBytes() throws {
        let payload = Payload.encode(Sample.block("alice", id: "b-1"))
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"block":{"account":"alice","actor":"uid:0","id":"b-1","reason":"test"},"v":1}"#
        )
    }

    struct Damage: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let payload: String
    }

    @Test(
        "a payload that is not what was written is refused",
        arguments: [
            Damage(testDescription: "no JSON", payload: "{"),
            Damage(testDescription: "another kind", payload: #"{"claim":{},"v":1}"#),
            Damage(
                testDescription: "a newer version",
                payload:
                    #"{"block":{"account":"a","actor":"","id":"b","reason":""},"v":2}"#),
            Damage(
                testDescription: "no version",
                payload: #"{"block":{"account":"a","actor":"","id":"b","reason":""}}"#),
            Damage(
                testDescription: "a member too many",
                payload: #"{"block":{"account":"a","actor":"","id":"b","reason":"","x":1},"v":1}"#),
            Damage(
                testDescription: "a member missing",
                payload: #"{"block":{"account":"a","actor":"","id":"b"},"v":1}"#),
            Damage(
                testDescription: "members out of order",
                payload: #"{"block":{"reason":"","account":"a","actor":"","id":"b"},"v":1}"#),
            Damage(
                testDescription: "a member twice",
                payload:
                    #"{"block":{"account":"a","account":"a","actor":"","id":"b","reason":""},"v":1}"#
            ),
            Damage(
                testDescription: "white space",
                payload: #"{"block": {"account":"a","actor":"","id":"b","reason":""},"v":1}"#),
            Damage(
                testDescription: "a comma too many",
                payload: #"{"block":{"account":"a","actor":"","id":"b","reason":"",},"v":1}"#),
            Damage(
                testDescription: "something behind it",
                payload: #"{"block":{"account":"a","actor":"","id":"b","reason":""},"v":1}}"#),
            Damage(
                testDescription: "a number with a zero in front",
                payload: #"{"block":{"account":"a","actor":"","id":"b","reason":""},"v":01}"#),
            Damage(
                testDescription: "an escape that nothing needs",
                payload: #"{"block":{"account":"a","actor":"","id":"b","reason":"\u0041"},"v":1}"#),
            Damage(
                testDescription: "a control character",
                payload:
                    "{\"block\":{\"account\":\"a\",\"actor\":\"\",\"id\":\"b\",\"reason\":\"\n\"},\"v\":1}"
            ),
            Damage(
                testDescription: "an id that is none",
                payload: #"{"block":{"account":"a b","actor":"","id":"b","reason":""},"v":1}"#),
        ])
    func damage(_ damage: Damage) {
        #expect(throws: PayloadError.self) {
            try Payload.decode(Array(damage.payload.utf8), as: .block)
        }
    }
}

/// The reader against the writer: what is taken for a payload is one that would be written.
@Suite("Damaged payloads", .timeLimit(.minutes(20)))
struct DamagedPayloadTests {
    @Test("another bit anywhere is refused or says something else, in the form of the writer")
    func bits() throws {
        var readable = 0
        for (name, entry) in try EntrySample.all() {
            let kind = entry.registered.kind
            let payload = Payload.encode(entry)
            for place in payload.indices {
                var damaged = payload
                damaged[place] ^= 1
                guard let read = try? Payload.decode(damaged, as: kind) else { continue }
                #expect(Payload.encode(read) == damaged, "\(name), byte \(place)")
                readable += 1
            }
        }
        // Digits and letters of names and numbers; were none read, nothing would be compared.
        #expect(readable > 1_000)
    }

    @Test("a payload that ends early is refused")
    func ends() throws {
        for (name, entry) in try EntrySample.all() {
            let payload = Payload.encode(entry)
            for length in payload.indices {
                #expect(throws: PayloadError.self, "\(name), \(length) bytes") {
                    try Payload.decode(Array(payload.prefix(length)), as: entry.registered.kind)
                }
            }
        }
    }

    @Test(
        "numbers come back as they were, to the last",
        arguments: [0, 1, -1, 9, -10, 1_780_000_000_000, .max, .max - 1, .min, .min + 1] as [Int64])
    func numbers(number: Int64) throws {
        let claim = Claim(
            account: AccountID(unchecked: "a"), transaction: Sample.key("1"), moment: .purchase,
            evidence: LedgerSequence(number))
        let payload = Payload.encode(.claim(claim))
        #expect(try Payload.decode(payload, as: .claim) == .claim(claim))
    }

    @Test(
        "numbers that are none, or none of ours, are refused",
        arguments: [
            "", "-", "-0", "00", "01", "+1", "1.0", "1e3", "9223372036854775808",
            "-9223372036854775809", "99999999999999999999", "\"1\"", "null",
        ])
    func notNumbers(text: String) {
        let payload = """
            {"claim":{"account":"a","evidence":\(text),"moment":"purchase",\
            "transaction":{"environment":"production","transactionId":"1"}},"v":1}
            """
        #expect(throws: PayloadError.self) {
            try Payload.decode(Array(payload.utf8), as: .claim)
        }
    }

    @Test(
        "texts come back as they were",
        arguments: ["", "plain", "größer 🎁", #"a "b" \c"#, "two\nlines", "\u{0}\u{1F}\u{7F}"])
    func texts(text: String) throws {
        let block = Block(
            id: BlockID(unchecked: "b"), account: AccountID(unchecked: "a"), actor: text,
            reason: text + "more than fifteen bytes" + text)
        let payload = Payload.encode(.block(block))
        #expect(try Payload.decode(payload, as: .block) == .block(block))
    }

    @Test(
        "a name is what its rule says, wherever it is read from",
        arguments: [
            "a", "!~", #"a"b\c"#, String(repeating: "n", count: 256), "", "a b", "a\u{7F}", "a\nb",
            "größer", String(repeating: "n", count: 257),
        ])
    func names(text: String) {
        let claim = Claim(
            account: AccountID(unchecked: text), transaction: Sample.key("1"), moment: .purchase)
        let read = try? Payload.decode(Payload.encode(.claim(claim)), as: .claim)
        #expect(read == AccountID(text).map { _ in .claim(claim) })
    }
}

@Suite("What a block stops, in its payload", .timeLimit(.minutes(20)))
struct BlockPayloadTests {
    private static func block(_ scope: BlockScope) -> LedgerEntry {
        .block(
            Block(
                id: BlockID(unchecked: "b"), account: AccountID(unchecked: "a"), scope: scope,
                actor: "uid:0", reason: "test"))
    }

    @Test("one that stops everything is written as ever")
    func everything() throws {
        let payload = Payload.encode(Self.block(.everything))
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"block":{"account":"a","actor":"uid:0","id":"b","reason":"test"},"v":1}"#)
    }

    @Test("the names come back, and a list that no program writes is refused")
    func names() throws {
        let premium = EntitlementName(unchecked: "premium")
        let scope = BlockScope(
            entitlements: [premium, premium], credits: [CreditName(unchecked: "coins")])
        let payload = Payload.encode(Self.block(scope))
        #expect(try Payload.decode(payload, as: .block) == Self.block(scope))
        for (credits, entitlements) in [("[]", "[]"), (#"["b","a"]"#, "[]")] {
            let forged = """
                {"block":{"account":"a","actor":"u","credits":\(credits),\
                "entitlements":\(entitlements),"id":"b","reason":"r"},"v":1}
                """
            #expect(throws: PayloadError.self) {
                try Payload.decode(Array(forged.utf8), as: .block)
            }
        }
    }
}

@Suite("Texts that were read before", .timeLimit(.minutes(20)))
struct RecentTextsTests {
    @Test("each comes back as it is, whatever else fell to its place")
    func texts() {
        var texts = RecentTexts()
        for round in 0..<3 {
            for number in 0..<500 {
                let text = String(repeating: "x", count: number % 40) + "\(number)"
                let bytes = Array("<\(text)>".utf8)
                let read = texts.text(at: 1..<bytes.count - 1, in: bytes)
                #expect(read == text, "round \(round)")
            }
        }
    }
}

extension LedgerEntry {
    /// The bytes of evidence are stored beside the payload.
    fileprivate var withoutBytes: LedgerEntry {
        guard case .evidence(var evidence) = self else { return self }
        evidence.bytes = []
        return .evidence(evidence)
    }
}

extension JSONValue {
    fileprivate var sortedByName: JSONValue {
        if let members {
            return .object(
                members.sorted { $0.key < $1.key }
                    .map { JSONMember($0.key, $0.value.sortedByName) })
        }
        return elements.map { .array($0.map(\.sortedByName)) } ?? self
    }
}

/// How many facts there are in all lists.
private struct FactCount: FactListVisitor {
    let facts: FactSet
    var sum = 0

    mutating func visit<Value: FactValue>(_ list: WritableKeyPath<FactSet, [Recorded<Value>]>) {
        sum += facts[keyPath: list].count
    }
}
