internal import EntitlementModel
internal import StrictJSON
internal import Testing

@testable internal import LedgerStore

@Suite("Payloads")
struct PayloadTests {
    @Test("every kind of entry comes back as it was", arguments: EntryKind.allCases)
    func roundTrip(kind: EntryKind) throws {
        let samples = try EntrySample.all().filter { EntryKind($0.entry) == kind }
        try #require(!samples.isEmpty, "no sample of \(kind)")
        for (name, entry) in samples {
            let decoded = try Payload.decode(Payload.encode(entry), as: kind)
            #expect(decoded == entry.withoutBytes, "\(name)")
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
                testDescription: "an id that is none",
                payload: #"{"block":{"account":"a b","actor":"","id":"b","reason":""},"v":1}"#),
        ])
    func damage(_ damage: Damage) {
        #expect(throws: PayloadError.self) {
            try Payload.decode(Array(damage.payload.utf8), as: .block)
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
