/// The folder, its files, and their characters.
extension DiagnosticID {
    static let files: [Self] = [
        .emptyFolder, .folderMissing, .pathUnreadable, .pathNotAFile, .pathOutside, .fileTooLarge,
        .tooManyFiles, .notUTF8, .byteOrderMark, .controlCharacter, .invisibleCharacter,
        .ideographicSpace, .tab, .emptyFile,
    ]

    package static let emptyFolder = error(
        "empty-folder", "no policy file found",
        help: "a policy is a folder with files that end in .yaml",
        why: "A folder without policy files is not a policy without rules: most often the path is "
            + "wrong, or a deployment has failed.")
    package static let folderMissing = error(
        "folder-missing", "the policy folder {0} cannot be opened",
        help: "check the path and its permissions",
        why: "The path does not exist, is not a folder, or may not be read.")
    package static let pathUnreadable = error(
        "path-unreadable", "the file cannot be read",
        help: "check who may read it and, if it is a link, what it leads to",
        why: "A policy is the whole folder. A file that cannot be read may contain a rule that "
            + "narrows the others, so the rest alone is not loaded.")
    package static let pathNotAFile = error(
        "path-not-a-file", "this is not an ordinary file",
        help: "put the policy into ordinary files",
        why: "Pipes, sockets, devices and folders named like policy files are not read: reading "
            + "them could block forever.")
    package static let pathOutside = error(
        "path-outside", "the link leads out of the policy folder",
        help: "copy the file into the folder",
        why: "What is reviewed and hashed must be what is loaded. Links inside the folder are "
            + "followed; links out of it are not.")
    package static let fileTooLarge = error(
        "file-too-large", "the file is larger than {0} bytes",
        help: "split it",
        why: "Nobody edits a file of this size manually; it is most likely not a policy.")
    package static let tooManyFiles = error(
        "too-many-files", "the folder has more than {0} files or {1} bytes",
        help: "check that this is the policy folder",
        why: "Most likely the path is wrong and names a folder that holds much else.")
    package static let notUTF8 = error(
        "not-utf8", "the file is not UTF-8 text",
        help: "open it in the encoding in which it reads right (Chinese: GB18030), and save it as "
            + "UTF-8",
        why: "In other encodings (GBK, UTF-16, Latin-1) the same bytes are other names.")
    package static let byteOrderMark = error(
        "byte-order-mark", "the file begins with a byte order mark", .stopsReading,
        help: "save it as UTF-8 without BOM",
        why: "Some editors write this invisible character first; other tools then read it as part "
            + "of the first key.")
    package static let controlCharacter = error(
        "control-character", "the text contains the control character {0}", .stopsReading,
        help: "remove it",
        why: "Control characters (including zero bytes) are invisible, end the text for some "
            + "programs, and can disturb a terminal.")
    package static let invisibleCharacter = error(
        "invisible-character",
        "the text contains the invisible character {0}: {1} in all, in the lines "
            + "{2}", .stopsReading,
        help: "remove each of them, or write an ordinary space in its place, in an indentation, "
            + "too",
        why: "Zero-width spaces, marks that change the direction of text and similar characters "
            + "make two names look the same, or a line look different from what it says.")
    package static let ideographicSpace = error(
        "ideographic-space", "the text contains a full-width space", .stopsReading,
        help: "type an ordinary space",
        why: "A full-width space looks like an ordinary one and does not separate words in YAML.")
    package static let tab = error(
        "tab", "the text contains a tab", .stopsReading,
        help: "use spaces, so that keys of one section begin in the same column",
        why: "YAML forbids tabs at the beginning of a line, and editors show them in different "
            + "widths.")
    package static let emptyFile = error(
        "empty-file", "the file is empty",
        help: "remove the file, or write a section",
        why: "A file without contents, or with comments only, was most often cut off while it was "
            + "saved.")
}

/// YAML, and the traps in it.
extension DiagnosticID {
    static let yaml: [Self] = [
        .yamlSyntax, .badIndentation, .unclosedQuote, .unclosedBracket, .colonInText, .missingColon,
        .missingSpace, .mergeConflict, .reservedCharacter, .fullWidthPunctuation, .severalDocuments,
        .yamlDirective, .anchor, .alias, .tag, .mergeKey, .duplicateKey, .keyNotText,
        .textOverLines, .tooDeep,
    ]

    package static let yamlSyntax = error(
        "yaml-syntax", "invalid YAML from here on", .stopsReading,
        help: "check quotes, brackets, colons and indentation",
        why: "The file is not valid YAML at this place.")
    package static let badIndentation = error(
        "bad-indentation", "this line is not aligned with the lines before it", .stopsReading,
        help: "keys of one section begin in the same column; a list item begins with '- '",
        why: "In YAML, the indentation determines what belongs to what.")
    package static let unclosedQuote = error(
        "unclosed-quote", "the quote that opens here is not closed, or text follows it",
        .stopsReading,
        help: "close it on the same line; write a quote inside quotes twice",
        why: "Everything after an open quote is taken as text.")
    package static let unclosedBracket = error(
        "unclosed-bracket",
        "the bracket that opens here is not closed, or a comma is missing in it", .stopsReading,
        help: "close the bracket, and separate with commas",
        why: "Inside '[ ]' and '{ }' commas separate, and the same bracket closes.")
    package static let colonInText = error(
        "colon-in-text", "the text contains a colon", .stopsReading,
        help: "put the text in quotes",
        why: "A colon and a space separate key and value, so a text that contains them needs "
            + "quotes.")
    package static let missingColon = error(
        "missing-colon", "a colon is missing after this", .stopsReading,
        help: "write 'key:' before what belongs to it, or '# ' if this is a comment",
        why: "What is indented below belongs to this line, so it must be a key.")
    package static let missingSpace = error(
        "missing-space", "a space is missing in {0}",
        help: "write 'key: value'",
        why: "Without the space, YAML reads the colon as part of the text.")
    package static let mergeConflict = error(
        "merge-conflict", "unresolved merge conflict",
        help: "keep one of the two versions, and remove the lines with '<<<<<<<', '=======' and "
            + "'>>>>>>>'",
        why: "Between the marks the file contains two versions at once.")
    package static let reservedCharacter = error(
        "reserved-character", "a text cannot begin with this character", .stopsReading,
        help: "put the text in quotes",
        why: "YAML reserves '@', '`' and '%'.")
    package static let fullWidthPunctuation = error(
        "full-width-punctuation", "full-width characters instead of ASCII ones", .stopsReading,
        help: "type ':' with a space after it, ',' or '\"' instead",
        why: "YAML knows only the ASCII characters. It reads '：' as part of the text.")
    package static let severalDocuments = error(
        "several-documents", "a second document begins here", .stopsReading,
        help: "remove the line '---'",
        why: "Tools that read one document would lose everything after the first '---'.")
    package static let yamlDirective = error(
        "yaml-directive", "a policy cannot have directives ('%')",
        help: "remove the line that begins with '%'",
        why: "Directives change how the rest is read. A policy does not need them.")
    package static let anchor = error(
        "anchor", "a policy cannot have anchors ('&')", .stopsReading,
        help: "remove it; if the text begins with '&', put it in quotes",
        why: "Anchors give a line a meaning that is written elsewhere, and a few hundred bytes of "
            + "them expand to gigabytes. A policy states everything where it is used.")
    package static let alias = error(
        "alias", "a policy cannot have aliases ('*')", .stopsReading,
        help: "write the value out; a product pattern that begins with '*' needs quotes",
        why: "An alias repeats what an anchor marked (see anchor). A pattern that begins with '*' "
            + "needs quotes for the same reason.")
    package static let tag = error(
        "tag", "a policy cannot have tags ('!')", .stopsReading,
        help: "remove it; if the text begins with '!', put it in quotes",
        why: "Tags change the type of a value, or even run code in some tools.")
    package static let mergeKey = error(
        "merge-key", "a policy cannot have merge keys ('<<')",
        help: "write the keys out",
        why: "Merging hides which value applies. There is no inheritance in a policy.")
    package static let duplicateKey = error(
        "duplicate-key", "the key {0} is written twice in this section",
        help: "keep one of them, or put what is below both under one; an entry of a list begins "
            + "with '- '",
        why: "Most YAML tools use the last one and silently drop the first.")
    package static let keyNotText = error(
        "key-not-text", "a key must be a single word",
        help: "write 'key: value'; a text that begins with '{' or '[' needs quotes",
        why: "YAML allows lists and sections as keys, but nothing can refer to them.")
    package static let textOverLines = error(
        "text-over-lines", "the text spans several lines",
        help: "write it on one line",
        why: "How line breaks are joined depends on small marks that are easily mistaken, and a "
            + "line that is indented too far silently becomes part of the text.")
    package static let tooDeep = error(
        "too-deep", "more than {0} levels of nesting",
        help: "check the brackets",
        why: "No policy needs this depth; deep nesting is used to exhaust the reader.")
}

/// Names and texts that are not what they look like.
extension DiagnosticID {
    static let names: [Self] = [
        .textReadAsBoolean, .textReadAsNumber, .textReadAsDate, .textReadAsNothing, .mixedScripts,
        .notASCIIName, .badName, .badText, .starInAccount, .unknownStorefront, .unknownCurrency,
    ]

    package static let textReadAsBoolean = error(
        "text-read-as-boolean", "{0} without quotes means yes or no to many tools",
        help: "put it in quotes",
        why: "Older YAML reads y, n, yes, no, on, off, true and false as truth values: the country "
            + "code of Norway becomes 'false'.")
    package static let textReadAsNumber = error(
        "text-read-as-number", "{0} without quotes is a number",
        help: "put it in quotes",
        why: "A name that is read as a number changes: 1e3 becomes 1000, 0o14 becomes 12, 12:30 "
            + "becomes 750.")
    package static let textReadAsDate = error(
        "text-read-as-date", "{0} without quotes is a date",
        help: "put it in quotes",
        why: "A name that is read as a date is written differently afterwards.")
    package static let textReadAsNothing = error(
        "text-read-as-nothing", "{0} without quotes is an empty value",
        help: "put it in quotes",
        why: "YAML reads '~' and 'null' as the absence of a value.")
    package static let mixedScripts = error(
        "mixed-scripts", "{0} mixes letters of different scripts that look alike",
        help: "type the word again with one keyboard",
        why: "The Cyrillic 'а' and the Latin 'a' look the same, but are different names.")
    package static let notASCIIName = error(
        "name-not-ascii",
        "the name {0} contains characters other than English letters, digits and punctuation",
        help: "use English letters, digits, '-', '_' and '.' in names; use the title for other "
            + "languages",
        why: "Names are compared byte by byte and pass through many programs; titles are for "
            + "people.")
    package static let badName = error(
        "bad-name", "{0} cannot be a name",
        help: "use 1 to {1} English letters, digits and punctuation marks, without spaces and '*'",
        why: "Names appear in programs, addresses and logs; '*' matches any name in rules.")
    package static let badText = error(
        "bad-text", "the text of {0} is empty or too long",
        help: "write one line of up to 400 bytes",
        why: "Titles and rule names are shown to people.")
    package static let starInAccount = error(
        "star-in-account", "the '*' in the account {0} is not at the end",
        help: "write {1} for accounts that begin like that; list others one by one",
        why: "A pattern that matches the beginning of account names is easy to understand; other "
            + "patterns are not.")
    package static let unknownStorefront = error(
        "unknown-storefront", "{0} is not a country or region",
        help: "write its ISO 3166 code, such as US or USA",
        why: "A rule about a place that does not exist never matches.")
    package static let unknownCurrency = warning(
        "unknown-currency", "{0} is not a currency",
        help: "write its ISO 4217 code, such as USD",
        why: "Apple states prices by currency code; one under another name is never found.")
}

/// Sections and keys.
extension DiagnosticID {
    static let keys: [Self] = [
        .notSections, .missingVersion, .unknownVersion, .unknownSection, .unknownKey, .fieldNotHere,
        .secretInPolicy, .missingSection, .missingKey, .missingChoice, .duplicateName,
        .splitSection, .splitList, .wrongList,
    ]

    package static let notSections = error(
        "not-sections", "a policy file must consist of sections",
        help: "write sections such as 'products:'",
        why: "Every line of a policy belongs to a named section.")
    package static let missingVersion = error(
        "missing-version", "the version of the format is missing",
        help: "write 'usher: 1' in the first line",
        why: "With the version, a later program can read an old policy as it was meant.")
    package static let unknownVersion = error(
        "unknown-version", "version {0} of the format is unknown",
        help: "this program reads version {1}; use a newer program, or write 'usher: {1}'",
        why: "A policy of a later format could mean something else; it is rejected rather than "
            + "guessed.")
    package static let unknownSection = error(
        "unknown-section", "unknown section {0}",
        help: "remove it, or correct its name",
        why: "A section that is not read would have no effect.")
    package static let unknownKey = error(
        "unknown-key", "unknown key {0} in {1}",
        help: "remove it, or correct its name",
        why: "A key that is not read would have no effect.")
    package static let fieldNotHere = error(
        "field-not-here", "{0} is not allowed in this {1}",
        help: "access rules apply to states, account_switch rules to claims, refund_answers rules "
            + "to purchases",
        why: "An access rule is tried at every instant of a purchase, when there is no claim; an "
            + "account-switch rule only at a claim, and not on states.")
    package static let secretInPolicy = error(
        "secret-in-policy", "a policy must not contain secrets such as {0}",
        help: "remove it and replace the secret; keys belong in the service's configuration",
        why: "Policies are shown, compared and kept forever.")
    package static let missingSection = error(
        "missing-section", "the section {0} is missing",
        help: "write it in one of the files",
        why: "Without it no purchase could be verified.")
    package static let missingKey = error(
        "missing-key", "{0} is missing in {1}",
        help: "write {0} with its value",
        why: "There is no default that would suit everybody.")
    package static let missingChoice = error(
        "missing-choice", "an entry of {1} needs one of {0}",
        help: "write one of them first",
        why: "The entry does not state what it is about.")
    package static let duplicateName = error(
        "duplicate-name", "{0} is defined twice in {1}",
        help: "keep one of them",
        why: "The order of files has no meaning, so neither definition could take precedence.")
    package static let splitSection = error(
        "split-section", "the section {0} appears in two files",
        help: "keep one of the two, and remove the other",
        why: "Settings that belong together are read together.")
    package static let splitList = error(
        "split-list", "the rules of {0} are split over two files",
        help: "put all of them in one file, exceptions first (the first rule that matches "
            + "decides), and remove the other list",
        why: "The first rule that matches decides, and files have no order.")
    package static let wrongList = error(
        "wrong-list", "the rules under {0} belong under {1}",
        help: "write {1} in place of {0}",
        why: "Each list of rules has verbs and conditions of its own: 'access' says what a "
            + "purchase gives, 'account_switch' to whom it belongs, 'refund_answers' what Apple is "
            + "told.")
}

/// Values of every type.
extension DiagnosticID {
    static let values: [Self] = [
        .wrongType, .notIndented, .emptyValue, .emptyList, .repeatedValue, .unknownWord,
        .notTrueOrFalse, .notWholeNumber, .numberNotation, .numberOutOfRange, .badAmount,
        .decimalComma, .badLength, .calendarUnit, .zeroLength, .lengthTooLong, .promiseTooLong,
        .badDate, .dateOutOfRange, .badAge, .badCount, .badDateBound, .badVersionBound,
        .emptyInterval,
        .openWithoutEnd, .unknownTimeZone,
        .unusedTimeZone, .oppositeBounds, .badMoves,
    ]

    package static let wrongType = error(
        "wrong-type", "{0} must be {1}, not {2}",
        help: "a list is written [a, b], a section with keys as 'key: value'",
        why: "The value has another form than its key requires.")
    package static let notIndented = error(
        "not-indented", "{0} belongs to {1}, but begins in the same column",
        help: "indent each of the keys that belong to {1} by two more spaces",
        why: "What belongs to a name must be indented further than the name. Otherwise the keys "
            + "are read as further names.")
    package static let emptyValue = error(
        "empty-value", "{0} has no value",
        help: "write its value, or remove the key; a text that begins with '#' needs quotes",
        why: "It is unclear whether something was forgotten.")
    package static let emptyList = error(
        "empty-list", "the list of {0} is empty",
        help: "write what it should match, or omit the key to match all",
        why: "A condition with an empty list never holds.")
    package static let repeatedValue = warning(
        "repeated-value", "{0} appears twice in {1}",
        help: "remove one, or correct it",
        why: "Probably another value was meant.")
    package static let unknownWord = error(
        "unknown-word", "{0} is not a value of {1}",
        help: "write one of the allowed values",
        why: "The key accepts only a few words.")
    package static let notTrueOrFalse = error(
        "not-true-or-false", "{1} must be true or false, not {0}",
        help: "write true or false",
        why: "There is one spelling for yes and one for no, the same in all tools.")
    package static let notWholeNumber = error(
        "not-whole-number", "{1} must be a whole number, not {0}",
        help: "write digits, without quotes",
        why: "Only plain digits mean the same to every tool.")
    package static let numberNotation = error(
        "number-notation",
        "{0} is a number in a notation that is read differently by different tools",
        help: "write plain digits",
        why: "1_000, 0o14, 0x1F, 1e3 and 12:30:45 are numbers in some YAML tools and texts in "
            + "others.")
    package static let numberOutOfRange = error(
        "number-out-of-range", "{1} cannot be {0}",
        help: "write a number from {2} to {3}",
        why: "The number is too small or too large to make sense.")
    package static let badAmount = error(
        "bad-amount", "{0} is not an amount of money",
        help: "write digits, and up to three after a point: 9.99",
        why: "Amounts are compared exactly, to the thousandth.")
    package static let decimalComma = error(
        "decimal-comma", "{0} contains a comma, which numbers must not have",
        help: "write a point before the fraction and nothing between thousands: 1234.50",
        why: "A comma separates the entries of a list; some people write one before a fraction and "
            + "others between thousands.")
    package static let badLength = error(
        "bad-length", "{0} is not a length of time",
        help: "write a number and a unit without a space: 30m (minutes), 12h, 7d, 2w, 3mo "
            + "(months), 1y; s and ms for less",
        why: "30 could be minutes or days; a length needs a unit.")
    package static let calendarUnit = error(
        "calendar-unit", "{0} has no fixed length, and {1} needs one",
        help: "write it in days (d) or weeks (w)",
        why: "A month has 28 to 31 days. Months and years are for the periods and durations of "
            + "products, which follow the calendar.")
    package static let zeroLength = error(
        "zero-length", "{1} cannot be {0}: the length is zero",
        help: "write a longer time, or omit the key",
        why: "A length of zero does not have the effect that one may expect.")
    package static let lengthTooLong = error(
        "length-too-long", "{0} is longer than ten years",
        help: "write at most 10y",
        why: "Nothing on sale lasts that long; this would be a typing error that gives a right for "
            + "life. For a permanent right, use a non-consumable product.")
    package static let promiseTooLong = error(
        "promise-too-long", "a promise of {0} is too long",
        help: "write at most {1}",
        why: "A purchase that somebody has to approve, or that a bank has to confirm, is completed "
            + "within 30 days or not at all; nobody else should be bound to an old catalogue.")
    package static let badDate = error(
        "bad-date", "{0} is not a date",
        help: "write year, month and day: 2026-01-31, or with a time: 2026-01-31T08:00:00Z",
        why: "The day does not exist, or is written in a way that is read differently in different "
            + "countries.")
    package static let dateOutOfRange = error(
        "date-out-of-range", "{0} is outside the years 2008 to 2100",
        help: "check the year",
        why: "The App Store opened in 2008; a date outside this range is a typing error.")
    package static let badAge = error(
        "bad-age", "{0} is not an age",
        help: "write 'under 7d', 'at least 7d' or 'from 7d to 14d'",
        why: "An age is compared with bounds that are written in words.")
    package static let badCount = error(
        "bad-count", "{0} is not a number of seats",
        help: "write 'under 5', 'at least 5' or '5', with a number from 1 to 10,000,000",
        why: "A number is compared with bounds that are written in words.")
    package static let badDateBound = error(
        "bad-date-bound", "{0} is not a bound of time for {1}",
        help: "write 'before 2026-01-31', 'from 2026-01-31' or 'from 2026-01-31 until 2026-03-01'",
        why: "A date is compared with bounds that are written in words.")
    package static let badVersionBound = error(
        "bad-version-bound", "{0} is not a bound on versions for {1}",
        help: "write 'before 3.0', 'from 3.0' or 'from 2.0 until 3.0', with numbers and dots only",
        why: "Versions are compared number by number, so that 10 is after 9 and 3.0 is 3.")
    package static let emptyInterval = error(
        "empty-interval", "{0} is empty: it ends before it begins",
        help: "write the earlier end first",
        why: "An interval holds from its beginning until before its end.")
    package static let openWithoutEnd = error(
        "open-without-end", "{0} has no end or no beginning",
        help: "write both: from 2026-12-05 until 2026-12-07",
        why: "What is open is everybody's. Without an end, nobody would have to pay for it again.")
    package static let unknownTimeZone = error(
        "unknown-time-zone", "{0} is not the name of a time zone",
        help: "write a name of the IANA database, such as Asia/Shanghai",
        why: "Abbreviations such as CST name several zones, so only the names of the IANA database "
            + "are read.")
    package static let unusedTimeZone = warning(
        "unused-time-zone", "'time_zone' changes nothing: no date is written in this file",
        .ofFolder,
        help: "move it to the file whose dates it is for, or remove it",
        why: "The time zone of a file applies to the dates in that file. Those of other files are "
            + "read in their own, or in UTC.")
    package static let oppositeBounds = error(
        "opposite-bounds", "one of the bounds of {0} always holds, and of a list any is enough",
        .newerThanPolicies,
        help: "write an interval: from 2026-03-01 until 2026-06-01",
        why: "Two bounds in a list do not mean the time between them: every time is after the one "
            + "or before the other.")
    package static let badMoves = error(
        "bad-moves", "{0} is not a limit of moves",
        help: "write it as '3 per 365d'",
        why: "A limit states how many moves are allowed within a time.")
}
