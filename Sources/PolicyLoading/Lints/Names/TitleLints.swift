internal import EntitlementModel

/// Titles in the wrong language, titles of something else, and titles that two things have.
extension PolicyBuilder {
    mutating func checkTitleTexts(_ policy: Policy) {
        checkLanguages()
        checkDuplicateTitles(policy)
        checkTitleNames()
        checkTitleYears()
        checkTitleNumbers()
    }

    private static let tables = ["entitlements", "credits", "groups", "products"]

    // MARK: Languages

    private mutating func checkLanguages() {
        let sections = Self.tables.flatMap { draft.tables[$0] ?? [] }.compactMap(\.value.section)
        let english = sections.compactMap { $0.value("title")?.text }
        let latin = english.filter { !$0.hasChinese && $0.hasLatin }.count
        for section in sections {
            let (title, chinese) = (section.value("title"), section.value("title_zh"))
            let misread = [("title", title), ("title_zh", chinese)].first { _, value in
                value?.text.map(MisreadText.isMisread) ?? false
            }
            let marked = [title, chinese].compactMap(\.self).first { value in
                value.text.map { $0.withoutEntities != $0 } ?? false
            }
            if let marked, let text = marked.text {
                problems.add(
                    .titleLanguage, at: marked.span,
                    .written(marked.span == title?.span ? "title" : "title_zh"), .written(text),
                    help: .write(text.withoutEntities.inYAMLQuotes))
            } else if let (key, value) = misread, let value, let text = value.text {
                problems.add(.titleLanguage, at: value.span, .written(key), .written(text))
            } else if let title, let text = title.text, text.hasChinese, !text.hasLatin,
                let chinese, let other = chinese.text, other.hasLatin, !other.hasChinese
            {
                problems.add(
                    .titleLanguage, at: title.span, .written("title"), .written(text),
                    help: .writeEither(["title: \(other)", "title_zh: \(text)"]),
                    related: [.init(note: .alsoHere, span: chinese.span)])
            } else if let chinese, let text = chinese.text, !text.hasChinese, text.hasWord {
                problems.add(
                    .titleLanguage, at: chinese.span, .written("title_zh"), .written(text))
            } else if let title, let text = title.text, text.hasChinese, !text.hasLatin,
                latin * 2 > english.count - 1
            {
                problems.add(
                    .titleLanguage, at: title.span, .written("title"), .written(text),
                    help: chinese == nil ? .writeBeside("title_zh: \(text)") : nil)
            }
        }
    }

    // MARK: The same title twice

    private mutating func checkDuplicateTitles(_ policy: Policy) {
        for table in Self.tables {
            for key in ["title", "title_zh"] {
                checkDuplicateTitles(draft.tables[table] ?? [], table, key, policy)
            }
        }
    }

    private mutating func checkDuplicateTitles(
        _ rows: [CheckedRow], _ table: String, _ key: String, _ policy: Policy
    ) {
        var seen: [String: [CheckedRow]] = [:]
        for row in rows {
            guard let value = row.value.section?.value(key), let text = value.text else { continue }
            let title = text.lowercased()
            let known = seen[title] ?? []
            // Of many with one title, the first few are enough.
            if known.count < 8 { seen[title] = known + [row] }
            guard let other = known.first(where: { differs(row, $0, table, policy) }) else {
                continue
            }
            // What is said of the English titles goes for the Chinese ones.
            let titles = [row, other].map { $0.value.section?.value("title")?.text?.lowercased() }
            if key == "title_zh", titles[0] == titles[1] { continue }
            problems.add(
                .duplicateTitle, at: value.span, .written(row.name), .written(other.name),
                .written(text), related: [.init(note: .alsoHere, span: other.nameSpan)])
        }
    }

    /// Whether two things with one title are not the same to whoever reads it.
    private func differs(
        _ row: CheckedRow, _ other: CheckedRow, _ table: String, _ policy: Policy
    ) -> Bool {
        guard table == "products" else {
            // Of names that differ in punctuation that is said.
            return row.name.bare != other.name.bare
        }
        guard let own = ProductID(row.name).flatMap({ policy.products[$0] }),
            let second = ProductID(other.name).flatMap({ policy.products[$0] }),
            own.retiredAt == nil, second.retiredAt == nil
        else { return false }
        return own.kind != second.kind || own.level != second.level
            || (own.period ?? own.duration)?.asSold != (second.period ?? second.duration)?.asSold
            || Set(own.grants) != Set(second.grants)
    }

    // MARK: Titles against ids

    /// `Season 8`, as the title of `season.7`.
    private mutating func checkTitleNumbers() {
        for row in Self.tables.flatMap({ draft.tables[$0] ?? [] }) {
            guard let value = row.value.section?.value("title"), let text = value.text else {
                continue
            }
            let own = row.name.words
            // In `1,200 gems` there is one number.
            let whole =
                text.contains(",")
                ? text.replacing(/([0-9]),([0-9]{3})/) { "\($0.1)\($0.2)" } : text
            let title = whole.words
            for (word, number) in zip(own, own.dropFirst())
            where Int64(number) != nil && Int64(word) == nil && word.count > 2 {
                let other = zip(title, title.dropFirst()).first { first, second in
                    first == word && Int64(second) != nil
                }?.1
                guard let other, other != number, !title.contains(number) else { continue }
                problems.add(
                    .titleAgainstID, at: value.span, .written(row.name), .written(text),
                    .written("\(word) \(other)"))
                break
            }
        }
    }

    /// The 2026 archive, as the title of `archive-2025`.
    private mutating func checkTitleYears() {
        for row in Self.tables.flatMap({ draft.tables[$0] ?? [] }) {
            let own = Set(NamedDates.years(in: row.name))
            guard !own.isEmpty else { continue }
            for key in ["title", "title_zh"] {
                guard let value = row.value.section?.value(key), let text = value.text,
                    let year = NamedDates.years(in: text).first,
                    own.isDisjoint(with: NamedDates.years(in: text))
                else { continue }
                problems.add(
                    .titleAgainstID, at: value.span, .written(row.name), .written(text),
                    .written("\(year)"))
                break
            }
        }
    }

    /// A right that is called after another right, and not after its own id.
    private mutating func checkTitleNames() {
        let rows = ["entitlements", "credits"].flatMap { draft.tables[$0] ?? [] }
        guard rows.count < 500 else { return }
        let names = rows.map(\.name)
        for row in rows {
            guard let value = row.value.section?.value("title"), let text = value.text else {
                continue
            }
            let title = NameText(text)
            guard !row.name.words.contains(where: { title.contains($0.stem) }),
                let other = names.first(where: { name in
                    name != row.name && title.words.count <= name.words.count
                        && name.words.allSatisfy { $0.count > 3 && title.contains($0.stem) }
                })
            else { continue }
            problems.add(
                .titleAgainstID, at: value.span, .written(row.name), .written(text),
                .written(other))
        }
    }
}

extension String {
    /// Whether it has Chinese characters.
    var hasChinese: Bool {
        unicodeScalars.contains { (0x3400...0x9FFF).contains($0.value) || $0.value > 0x1FFFF }
    }

    var hasLatin: Bool {
        unicodeScalars.contains { $0.properties.isAlphabetic && $0.value < 0x250 }
    }

    /// Two letters at least, so that it is a text that could be translated: not `VIP 3`.
    fileprivate var hasWord: Bool {
        split { !$0.isLetter }.contains { word in
            word.count > 3 && word.contains(where: \.isLowercase)
        }
    }

    fileprivate var bare: String { lowercased().filter { !"-_.".contains($0) } }

    fileprivate var words: [String] { WordsOfName(self).words }

    /// A phrase that matches a word and its plural.
    fileprivate var stem: String {
        count > 3 ? (hasSuffix("s") ? String(dropLast()) : self) + "*" : self
    }
}

extension String {
    /// With the characters that HTML writes as `&amp;`.
    fileprivate var withoutEntities: String {
        guard contains("&") else { return self }
        var text = self
        for (entity, character) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"),
            ("&nbsp;", " "), ("&amp;", "&"),
        ] {
            text = text.replacing(entity, with: character)
        }
        return text
    }
}
