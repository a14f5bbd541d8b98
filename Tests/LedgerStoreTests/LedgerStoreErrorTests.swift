internal import EntitlementModel
internal import LedgerStore
internal import Testing

@Suite("Errors of the ledger")
struct LedgerStoreErrorTests {
    static let all: [LedgerStoreError] = [
        .alreadyOpen, .cannotOpen, .notALedger, .schemaTooNew, .schemaTooOld, .targetExists,
        .remains(path: "x-wal"), .foreignSchema(.missing("table 'entry'")),
        .notDurable(synchronous: 1), .diskFull, .busy, .overloaded, .duplicate, .refusedBySchema,
        .unreadable(LedgerSequence(7)), .chainBroken(LedgerSequence(7)), .corrupt,
        .inputOutput(code: 10), .writingStopped, .failed(code: 1),
    ]

    @Test("each has a code of its own and a sentence in both languages", arguments: all)
    func sentences(error: LedgerStoreError) {
        #expect(error.code.hasPrefix("ledger."))
        #expect(Self.all.filter { $0.code == error.code } == [error])
        let (english, chinese) = error.sentences
        #expect(english.first?.isUppercase == false || english.hasPrefix("SQLite"))
        #expect(!english.hasSuffix("."))
        #expect(chinese.unicodeScalars.contains { ("\u{4E00}"..."\u{9FFF}").contains($0) })
    }

    @Test("only what passes by itself is worth trying again")
    func transient() {
        let transient = Self.all.filter(\.isTransient)
        #expect(transient == [.diskFull, .busy, .overloaded])
    }
}
