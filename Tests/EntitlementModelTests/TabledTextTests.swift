internal import EntitlementModel
internal import Testing

@Suite("Texts of tables", .timeLimit(.minutes(20)))
struct TabledTextTests {
    @Test("are found by type and case, with and without a payload")
    func keys() {
        #expect(Said.plain.text(.chinese) == "无")
        #expect(Said.with(1, 2).text(.chinese) == "有\n  两行")
        #expect(Said.with(1, 2).text(.english) == "with")
        #expect(Said.Nested.inner.text(.chinese) == "内")
        #expect(Said.empty.template(in: .chinese) == "")
    }

    @Test("are in English where the table lacks them")
    func missing() {
        #expect(Said.lacking.text(.chinese) == "lacking")
        #expect(Said.plai.text(.chinese) == "plai")
    }

    @Test("are another text where some values have their own")
    func substitutes() {
        #expect(Said.with(0, 2).text(.chinese) == "内")
        #expect(Said.with(0, 2).text(.english) == "the inner one")
    }

    @Test("are in the tables of this target by the names that the program has at run time")
    func ofThisTarget() {
        var texts: [any TabledText] = EntitlementState.allCases + Finding.Kind.allCases
        texts += Ruling.Verb.allCases + CreditTimeline.Entry.Cause.allCases + LostOrderStep.allCases
        texts += PolicySetting.allCases + PolicySetting.allCases.map(\.meaning)
        #expect(texts.count > 50)
        for text in texts {
            #expect(text.template(in: .chinese) != text.template(in: .english), "\(text)")
        }
    }
}

private protocol SaidText: TabledText {}

extension SaidText {
    static var chinese: TextTable {
        TextTable(
            """
            # Said
            plain: 无
            with: 有
            |  两行
            empty:
            # Said.Nested
            inner: 内
            """)
    }
}

enum Said: SaidText {
    case plain, plai, lacking, empty
    case with(Int, Int)

    enum Nested: String, SaidText, Wording {
        case inner = "the inner one"
    }

    var english: String { "\(key)" }

    var substitute: (any LocalizedText)? {
        if case .with(0, _) = self { return Nested.inner }
        return nil
    }
}
