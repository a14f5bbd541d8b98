internal import EntitlementModel
internal import StrictJSON
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

@Suite("Entries for people and scripts", .timeLimit(.minutes(20)))
struct ReadableEntryTests {
    private func line(
        _ entry: LedgerEntry, includesEvidence: Bool = false
    ) throws -> JSONValue {
        let recorded = Recorded(
            sequence: LedgerSequence(7), recordedAt: Sample.start, value: entry)
        let bytes = ReadableEntry(recorded, includesEvidence: includesEvidence).bytes
        #expect(!bytes.contains(UInt8(ascii: "\n")))
        return try parseJSON(bytes)
    }

    @Test("every kind of entry is one line, without a number that stands for an instant")
    func everyKind() throws {
        for (name, entry) in try EntrySample.all() {
            let line = try line(entry)
            #expect(line["kind"]?.string == "\(entry.registered.kind.name)", "\(name)")
            #expect(line["sequence"]?.int64 == 7)
            #expect(line["recorded_at"]?.string == "2026-01-01T00:00:00.000Z")
            let body = try #require(line["entry"])
            #expect(body.members?.isEmpty == false, "\(name)")
            #expect(longNumbers(in: body) == [], "\(name)")
        }
    }

    /// The names of numbers of the size of an instant; places in the ledger may be as large.
    private func longNumbers(in value: JSONValue) -> [String] {
        let inside = (value.elements ?? []).flatMap(longNumbers)
        return inside
            + (value.members ?? []).flatMap { member -> [String] in
                let isLong = member.value.int64.map { $0.magnitude > 100_000_000_000 } ?? false
                return isLong && member.key != "cause"
                    ? [member.key] : longNumbers(in: member.value)
            }
    }

    @Test("a decision for all time has no beginning, and another one has its date")
    func beginnings() throws {
        let forEver = try Sample.decision(.lineage(Sample.lineage("1")), after: ["alice"])
        #expect(try line(forEver)["entry"]?["from"] == nil)
        guard case .decision(var decision) = forEver else { return }
        decision.from = Sample.day(1)
        let dated = try line(.decision(decision))["entry"]
        #expect(dated?["from"]?.string == "2026-01-02T00:00:00.000Z")
        #expect(dated?["ownersAfter"]?.text == #"["alice"]"#)
    }

    @Test(
        "evidence comes byte for byte, if it is asked for",
        arguments: [("eyJ.eyJ.sig", "eyJ.eyJ.sig"), ("\u{0}\u{1}", "\u{0}\u{1}")])
    func evidence(bytes: String, payload: String) throws {
        let entry = Sample.evidence(Array(bytes.utf8), digest: try Sample.digest(1))
        #expect(try line(entry)["payload"] == nil)
        #expect(try line(entry, includesEvidence: true)["payload"]?.string == payload)
        let binary = Sample.evidence([0x30, 0x82, 0xFF], digest: try Sample.digest(1))
        #expect(try line(binary, includesEvidence: true)["payload"]?.string == "MIL/")
    }
}
