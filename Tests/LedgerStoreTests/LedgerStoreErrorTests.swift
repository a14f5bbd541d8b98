internal import EntitlementModel
internal import Testing

@testable internal import LedgerModel
@testable internal import LedgerStore

@Suite("Errors of the ledger", .timeLimit(.minutes(20)))
struct LedgerStoreErrorTests {
    private static let place = LedgerPosition(
        sequence: LedgerSequence(7), hash: EntryHash.genesis)

    static let all: [LedgerStoreError] = [
        .alreadyOpen, .cannotOpen(path: "/a"), .missing(path: "/a", beside: "/a.head"),
        .secondName(path: "/a"), .rolledBack(end: place, acknowledged: place, wasAccepted: false),
        .replaced(path: "/a"), .notALedger,
        .schemaTooNew(format: 9, copy: "/a.before-9"), .schemaTooOld, .targetExists,
        .remains(path: "x-wal"), .foreignSchema(.missing("table 'entry'")),
        .notDurable(synchronous: 1), .diskFull, .busy, .overloaded, .duplicate, .refusedBySchema,
        .unreadable(LedgerSequence(7)), .chainBroken(LedgerSequence(7)), .corrupt,
        .inputOutput(code: 10), .writingStopped, .failed(code: 1),
    ]

    @Test("each has a code of its own and a sentence in both languages", arguments: all)
    func sentences(error: LedgerStoreError) {
        #expect(error.code.hasPrefix("ledger."))
        #expect(Self.all.filter { $0.code == error.code } == [error])
        let (english, chinese) = (error.text(.english), error.text(.chinese))
        #expect(english.first?.isUppercase == false || english.hasPrefix("SQLite"))
        #expect(!english.hasSuffix("."))
        #expect(chinese.unicodeScalars.contains { ("\u{4E00}"..."\u{9FFF}").contains($0) })
    }

    @Test("those about a file name it, in both languages")
    func names() {
        let errors: [LedgerStoreError] = [
            .cannotOpen(path: "/a.lock"), .missing(path: "/a", beside: "/a.lock"),
            .missing(path: "/a.lock", beside: "/a.lock"), .secondName(path: "/a.lock"),
            .replaced(path: "/a.lock"),
        ]
        for error in errors {
            #expect(error.text(.english).contains("'/a.lock'"))
            #expect(error.text(.chinese).contains("“/a.lock”"))
        }
        let earlier = LedgerPosition(sequence: LedgerSequence(3), hash: EntryHash.genesis)
        for wasAccepted in [true, false] {
            let error = LedgerStoreError.rolledBack(
                end: earlier, acknowledged: Self.place, wasAccepted: wasAccepted)
            for sentence in [error.text(.english), error.text(.chinese)] {
                #expect(sentence.contains("\(earlier)") && sentence.contains("\(Self.place)"))
            }
        }
    }

    @Test("what should be known of an open ledger has a code of its own and both languages")
    func notices() {
        let notices: [LedgerFileNotice] = [
            .headUnreadable(path: "/a"), .headNotWritten(path: "/a", .diskFull),
            .rollbackAccepted(Self.place, insteadOf: Self.place), .nothingToAccept(Self.place),
            .accessNotGiven(path: "/a"), .replaced(path: "/a"),
        ]
        #expect(Set(notices.map(\.code)).count == notices.count)
        for notice in notices {
            #expect(notice.code.hasPrefix("ledger."))
            #expect(notice.text(.english).contains(notice.subject))
            #expect(notice.text(.chinese).contains(notice.subject))
        }
    }

    @Test("only what passes by itself is worth trying again")
    func transient() {
        let transient = Self.all.filter { LedgerError($0).isTransient }
        #expect(transient == [.diskFull, .busy, .overloaded])
    }
}

extension LedgerFileNotice {
    /// What a sentence about it has to name.
    fileprivate var subject: String {
        switch self {
        case .rollbackAccepted(let end, _), .nothingToAccept(let end): "\(end)"
        default: "/a"
        }
    }
}
