/// Something that a policy's author should know, with its exact place.
package struct Diagnostic: Hashable, Sendable {
    package var id: DiagnosticID
    /// As the manual page says, unless a caller makes warnings errors.
    package var severity: Severity
    package var place: TextLocation
    /// What the message is about, in the order in which its text names them.
    package var facts: [Fact]
    package var help: Help?
    package var related: [RelatedLocation]
    /// How many more there are that say the same of other places; they are not shown.
    package var repetitions = 0

    package init(
        id: DiagnosticID, place: TextLocation, facts: [Fact] = [], help: Help? = nil,
        related: [RelatedLocation] = []
    ) {
        self.id = id
        severity = id.page.severity
        self.place = place
        self.facts = facts
        self.help = help
        self.related = related
    }

    /// What is wrong, in one sentence.
    package func message(in language: MessageLanguage) -> String {
        id.page.message.filled(with: facts, in: language)
    }

    /// What to do about it.
    package func advice(in language: MessageLanguage) -> String? {
        if let help { return help.words.filled(with: help.facts, in: language) }
        return id.page.help?.filled(with: facts, in: language)
    }
}

/// How much a diagnostic weighs: an error stops the policy from loading.
package enum Severity: String, CaseIterable, Hashable, Sendable {
    case error
    case warning
    case note
}

/// A stretch of one line, as an editor shows it.
package struct TextLocation: Hashable, Sendable {
    /// Relative to the policy folder; empty for the folder itself.
    package var file: String
    /// Counted from 1; 0 where the whole file is meant.
    package var line: Int
    /// Characters as an editor counts them, from 1.
    package var column: Int
    /// Characters; at least 1.
    package var length: Int

    package init(file: String, line: Int = 0, column: Int = 0, length: Int = 1) {
        self.file = file
        self.line = line
        self.column = column
        self.length = length
    }
}

/// Another place that belongs to the story.
package struct RelatedLocation: Hashable, Sendable {
    package var note: RelatedNote
    package var place: TextLocation

    package init(note: RelatedNote, place: TextLocation) {
        self.note = note
        self.place = place
    }
}

/// What a related place is to the diagnostic.
package enum RelatedNote: Hashable, Sendable {
    case firstWritten
    case alsoHere
    case stoppedHere
    case sectionBegan
    case definedHere

    var words: Words {
        switch self {
        case .firstWritten: Words("first written at", "第一次出现在")
        case .stoppedHere: Words("reading stopped at", "读取止于")
        case .alsoHere: Words("the other one is at", "另一处在")
        case .definedHere: Words("that is defined at", "其定义在")
        case .sectionBegan: Words("its section begins at", "所在的节开始于")
        }
    }
}

/// A fix for this very case, where the manual page's general one would say less.
package enum Help: Hashable, Sendable {
    case didYouMean(String)
    case oneOf([String])
    /// Keys to choose from, where the stranger may as well go.
    case oneOfOrRemove([String])
    /// What was probably meant stands there already.
    case alreadyThere(String)
    /// A key that is missing, with the values that it may have.
    case writeOneOf(String, [String])
    /// The last day of the month that was meant, and the day after it.
    case lastDay(String, next: String)
    /// A number that lacks its unit, as it could be meant.
    case unitMissing([String])
    /// What cannot be matched by its ending.
    case listAccounts
    /// The key that goes with this kind in the place of the one written.
    case insteadWrite(String)
    /// Shown as it is to be written, without quotes around it.
    case write(String)
    /// How such a thing is written.
    case writtenLike(String)
    /// A comma between digits: thousands, or a fraction.
    case thousandsOrFraction(String, String)

    var words: Words {
        switch self {
        case .didYouMean: Words("did you mean {0}?", "是不是想写 {0}？")
        case .oneOf: Words("one of: {0}", "可以写：{0}")
        case .oneOfOrRemove: Words("one of: {0}; or remove it", "可以写：{0}；或者删去")
        case .alreadyThere:
            Words(
                "{0} is written in this section already; remove one of the two",
                "这一节里已经写了 {0}，请删去其中一个")
        case .writeOneOf: Words("write {0} with one of: {1}", "请写上 {0}，其值可以是：{1}")
        case .lastDay:
            Words(
                "there is no such day; that month ends with {0}, the next begins with {1}",
                "没有这一天；那个月的最后一天是 {0}，下个月的第一天是 {1}")
        case .unitMissing:
            Words(
                "the unit is missing: minutes, hours or days? write one of {0}",
                "缺少单位：是分钟、小时还是天？请写成 {0} 之一")
        case .listAccounts:
            Words(
                "accounts cannot be matched by their ending: list them, or leave this one out",
                "账号不能按结尾匹配：请逐个列出，或去掉这一个")
        case .insteadWrite:
            Words("write {0} in its place", "请改写为 {0}")
        case .write: Words("write {0}", "请写成 {0}")
        case .writtenLike: Words("it is written like this: {0}", "正确的写法：{0}")
        case .thousandsOrFraction:
            Words(
                "write {0} if thousands are meant, or {1} if a fraction is",
                "若表示千位请写成 {0}，若表示小数请写成 {1}")
        }
    }

    var facts: [Fact] {
        switch self {
        case .didYouMean(let text), .alreadyThere(let text), .insteadWrite(let text):
            [.written(text)]
        case .lastDay(let last, let next): [.written(last), .written(next)]
        case .listAccounts: []
        case .write(let text), .writtenLike(let text): [.words(Words(text, text))]
        case .thousandsOrFraction(let whole, let fraction):
            [.words(Words(whole, whole)), .words(Words(fraction, fraction))]
        case .oneOf(let texts), .oneOfOrRemove(let texts), .unitMissing(let texts):
            [.choice(texts)]
        case .writeOneOf(let key, let texts): [.written(key), .choice(texts)]
        }
    }
}
