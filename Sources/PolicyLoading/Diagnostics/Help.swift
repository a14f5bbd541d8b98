package import EntitlementModel

/// A fix for this very case, where the general advice would say less.
package enum Help: Hashable, LocalizedText, Sendable {
    case didYouMean(String)
    /// Words that are about as near.
    case didYouMeanEither([String])
    case oneOf([String])
    /// Keys to choose from, where the stranger may as well go.
    case oneOfOrRemove([String])
    /// What was probably meant stands there already.
    case alreadyThere(String)
    /// A key that is missing, with the values that it may have.
    case writeOneOf(String, [String])
    /// A number that lacks its unit, as it could be meant.
    case unitMissing([String])
    /// What cannot be matched by its ending.
    case listAccounts
    /// The key that goes with this kind in the place of the one written.
    case insteadWrite(String)
    /// Shown as it is to be written, without quotes around it.
    case write(String)
    /// The same where only the author knows which.
    case writeEither([String])
    /// The list of rules that has such a value, the first rule that is in it, and the values that
    /// go here.
    case belongsTo(String, before: String?, [String])
    /// What goes next to a section, rather than into it.
    case writeBeside(String)
    /// An entry of a list that may begin with this key.
    case newItem(String)
    /// How such a thing is written.
    case writtenLike(String)
    /// The levels as their prices order them; else the prices are wrong.
    case levelsOrPrices(String)
    /// What stands next to the sections of a file.
    case writeAtTop(String)
    /// An amount with its decimal point in another place.
    case pointSlipped(String)
    /// The same of two amounts, of which one is right.
    case pointSlippedIn([String])
    /// A word that is none without quotes.
    case withQuotes(String)
    /// A key and its value with the space that was missing.
    case spaceAfterColon(String)
    /// The latest end of a product's sale, by a rule that takes away what it gives.
    case retiredThen(String, ProductID)
    /// What is probably meant; else it is meant as it is.
    case writeOrWaive(String)
    /// The longest cool-down that leaves time for a limit, and the limit that the cool-down does.
    case cooldownOrMoves(String, String)
    /// A comma between digits: thousands, or a fraction.
    case thousandsOrFraction(String, String)
    /// The groups that have a level, and the levels of the one that was named.
    case levelOf(groups: [String], levels: [String])
    /// The group of a level that was written in a group's place.
    case groupOfLevel(String, level: String)
    /// The levels of a group, and the same with one more.
    case levelOrAdd([String], group: String, all: String)
    /// A number of which a spreadsheet has cut digits off.
    case digitsLost
    /// What stands next to `then` rather than in a section of its own.
    case besideThen(String, verb: String)
    /// Keys of a rule that have a dash of their own, and the rule's name.
    case dashTooMany(String, rule: String)
    /// A rule that lacks its first line, the one with its name.
    case nameMissing
    /// A number where a name is expected, in the quotes that it would need.
    case nameOrQuoted(String, of: String, names: [String] = [])
    /// Entries of a list that lack the braces around them.
    case braces(String)
    /// Something that is written too far to the right, and the column in which it begins; `alone`
    /// where what is below it stands right.
    case beginsInColumn(Int, alone: Bool = false)
    /// A sign at the beginning of a line that a comparison of two versions has put there.
    case signOfDiff(String)
    /// A line, or several, with the rest of a comment.
    case restOfComment(String, lines: String)
    /// A key that is probably the rest of a comment, and the keys that there are.
    case commentOrOneOf([String])
    /// What begins a comment inside a bracket.
    case commentInBrackets(String)
    /// A file that is most likely a copy of another one.
    case removeCopy(String)
    /// A bound that lacks its end, with a place for it.
    case endMissing(String)
    /// A product that has the price which is meant here.
    case pricesExchanged(String)
    /// What is meant, and what is written.
    case writeInPlaceOf(String, String)
    /// Values, or a condition to remove.
    case oneOfOrWithout([String], [String])
    /// A text that goes on in the next line, as one line.
    case joinLines(String)
    /// Keys and values that stand on one line, each as a line.
    case ownLines([String])
    /// Values with what they mean: the environments that are recorded.
    case trustOrRefuse
    /// The same where a root is needed too, and how it is written.
    case trustWithRoot(String, root: String)
    /// An environment that Apple does not sign for, and how its root is written.
    case rootOrRefuse(String, root: String)
    /// A list of rules that was written without dashes.
    case dashes(String)
    /// A rule below a section that has none, and the lists that it may be for.
    case moveRule(from: String, to: [String])
    /// The row of a table that is there already.
    case renameRow(String)
    /// A section or list that is there already, and its line.
    case mergeInto(String, line: Int)
    /// The same in another file.
    case mergeIntoFile(String, file: String, line: Int)
    /// Two lines of a version control system's conflict: those of one side, of the other, and the
    /// marks around them.
    case keepOneSide(String, String, marks: String)
    /// Lines that are left of a conflict, without the others.
    case leftOfMerge(lines: String)
    /// A conflict of which one side is empty: the lines of the other, and the marks around it.
    case oneSide(String, marks: String)
    /// Something that refers to what was written elsewhere, and that; nil where it is not found.
    case writeOut(String, value: String?)
    /// What marks a value in order to refer to it.
    case removeMark(String)
    /// A text that must have quotes to begin like this.
    case quote(String)
    /// Characters that look like spaces.
    case replaceBySpaces
    /// The fields that a condition may have here.
    case conditionsHere([String])
    /// What a calculation comes to.
    case calculated
    /// A fingerprint of another kind, by the number of its digits.
    case otherFingerprint(digits: Int)

    package func facts(in language: Language) -> [String] {
        facts.map { $0.shown(in: language) }
    }

    private var facts: [Fact] {
        switch self {
        case .didYouMean(let text), .alreadyThere(let text), .insteadWrite(let text):
            [.written(text)]
        case .listAccounts, .trustOrRefuse, .replaceBySpaces, .calculated: []
        case .writeBeside(let text), .newItem(let text): [.written(text)]
        case .belongsTo(let list, let rule, let texts):
            [.written(list), .choice(texts), rule.map(Fact.written) ?? .plain("")]
        case .write(let text), .writtenLike(let text): [.plain(text)]
        case .thousandsOrFraction(let whole, let fraction): [.plain(whole), .plain(fraction)]
        case .oneOf(let texts), .oneOfOrRemove(let texts), .unitMissing(let texts),
            .didYouMeanEither(let texts), .writeEither(let texts):
            [.choice(texts)]
        case .writeOneOf(let key, let texts): [.written(key), .choice(texts)]
        default: newFacts
        }
    }

    private var newFacts: [Fact] {
        switch self {
        case .levelOf(let groups, let levels):
            [.choice(groups), .choice(levels), .plain(groups[0])]
        case .groupOfLevel(let group, let level): [.written(level), .plain(group)]
        case .levelOrAdd(let levels, let group, let all):
            [.choice(levels), .written(group), .plain(all)]
        case .digitsLost, .nameMissing: []
        case .nameOrQuoted(let text, _, let names): [.plain(text), .choice(names)]
        case .braces(let text), .commentInBrackets(let text):
            [.plain(text)]
        case .beginsInColumn(let column, _): [.number(Int64(column))]
        case .signOfDiff(let text), .removeCopy(let text), .pricesExchanged(let text):
            [.written(text)]
        case .oneOfOrWithout(let texts, let conditions): [.choice(texts), .choice(conditions)]
        case .joinLines(let text), .levelsOrPrices(let text), .writeOrWaive(let text),
            .writeAtTop(let text), .pointSlipped(let text), .spaceAfterColon(let text),
            .endMissing(let text):
            [.plain(text)]
        case .writeInPlaceOf(let text, let written): [.plain(text), .plain(written)]
        case .retiredThen(let text, let product): [.plain(text), .written(product.text)]
        case .cooldownOrMoves(let cooldown, let moves): [.plain(cooldown), .plain(moves)]
        case .pointSlippedIn(let texts): [.choice(texts)]
        case .ownLines(let texts), .conditionsHere(let texts): [.choice(texts)]
        case .trustWithRoot(let name, let root), .rootOrRefuse(let name, let root):
            [.written(name), .plain(root)]
        case .moveRule(let section, let lists): [.written(section), .choice(lists)]
        case .renameRow(let name), .removeMark(let name), .dashes(let name): [.written(name)]
        case .mergeInto(let name, let line): [.written(name), .number(Int64(line))]
        case .besideThen(let text, let verb): [.plain(text), .plain(verb)]
        case .dashTooMany(let key, let rule): [.written(key), .written(rule)]
        case .mergeIntoFile(let name, let file, let line):
            [.written(name), .written(file), .number(Int64(line))]
        case .keepOneSide(let ours, let theirs, let marks):
            [.plain(ours), .plain(theirs), .plain(marks)]
        case .restOfComment(let text, let lines): [.plain(text), .plain(lines)]
        case .commentOrOneOf(let keys): [.choice(keys)]
        case .leftOfMerge(let lines): [.plain(lines)]
        case .oneSide(let lines, let marks): [.plain(lines), .plain(marks)]
        case .writeOut(let name, let value): [.written(name), .plain(value ?? "")]
        case .quote(let text), .withQuotes(let text): [.plain("\"\(text)\"")]
        case .otherFingerprint(let digits): [.number(Int64(digits))]
        default: []
        }
    }
}

extension String {
    /// Of the numbers of lines, as messages write them.
    var areSeveral: Bool { contains(",") }
}
