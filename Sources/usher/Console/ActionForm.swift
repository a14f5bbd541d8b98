internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel
internal import PolicyTools

/// A command that changes something, as a form: its fields are the arguments and options that the
/// command itself declares, with the texts of its help.
struct ActionForm {
    /// An argument or an option.
    struct Field {
        let parameter: CommandHelp.Parameter
        /// Of the form, and of the option without its hyphens.
        let name: String
        let label: String

        var isArgument: Bool { parameter.kind == .positional }
    }

    /// What people do here. Nothing else is run by a form.
    private static let verbs: [(words: [String], label: ActionPhrase)] = [
        (["claims", "approve"], .approve), (["claims", "refuse"], .refuse),
        (["claims", "transfer"], .transfer), (["claims", "release"], .release),
        (["claims", "undo"], .undo), (["claims", "give"], .give), (["orders", "settle"], .settle),
        (["orders", "refuse"], .close), (["orders", "reassign"], .reassign),
        (["orders", "undo"], .undo), (["grant"], .grant), (["revoke"], .revoke),
        (["block"], .block), (["unblock"], .unblock), (["close"], .closeAccount),
        (["reopen"], .reopen), (["merge"], .merge), (["unmerge"], .unmerge), (["erase"], .erase),
        (["credits", "thaw"], .thaw), (["credits", "reverse"], .reverse),
        (["refunds", "consent"], .consent), (["refunds", "answered"], .answered),
        (["changes", "resend"], .resend), (["changes", "discard"], .discard),
        (["policy", "reload"], .accept), (["policy", "rollback"], .rollBack),
        (["policy", "schedule"], .schedule), (["policy", "unschedule"], .unschedule),
    ]

    /// Of each command: the form has its own way for what they say.
    private static let ownOptions: Set<String> = [
        "preview", "if-revision", "yes", "reason", "quiet", "sockets", "json", "lang", "id", "help",
        "version",
    ]
    private static let program = CommandHelp.program()

    let verb: [String]
    /// On links and buttons.
    var label: ActionPhrase {
        guard verb == ["refunds", "consent"] else { return known }
        return values["given"] != nil
            ? .consentGiven : values["withdrawn"] != nil ? .consentWithdrawn : known
    }
    private let known: ActionPhrase
    /// What is filled in, by the name of the field.
    var values: FormValues
    private let help: CommandHelp

    /// - Returns: nil for what is not done here.
    init?(verb: [String], _ values: FormValues = FormValues()) {
        guard let known = Self.verbs.first(where: { $0.words == verb }) else { return nil }
        self.verb = verb
        self.known = known.label
        self.values = values
        help = Self.program.command(at: verb)
        if let chosen = values["choice"], Self.choices.contains(chosen) {
            self.values.add(chosen, "true")
        }
    }

    /// Where nothing undoes it.
    var wayBack: EffectPagePhrase { verb == ["unblock"] ? .blockAgain : .noUndo }

    /// Flags of which a form has one: it asks which.
    static let choices = ["given", "withdrawn"]

    /// On a link, where the page has others of the kind.
    func linkLabel(in language: Language) -> String {
        guard verb == ["orders", "settle"], let payment = values["transaction"] else {
            return label.text(language)
        }
        return ConsolePhrase.settleWith.text(language, String(payment.suffix(4)))
    }

    /// - Parameter line: a command as the program prints it.
    init?(line: String) {
        self.init(words: ShellCommand.words(of: line))
    }

    init?(words: [String]) {
        let words = words.first == "usher" ? Array(words.dropFirst()) : words
        let known = Self.verbs.first { words.starts(with: $0.words) }
        guard let verb = known?.words else { return nil }
        self.init(verb: verb)
        let fields = self.fields(in: .english)
        var places = fields.filter(\.isArgument)[...]
        var rest = words.dropFirst(verb.count)
        var areNames = false
        while let word = rest.popFirst() {
            if word == "--" {
                areNames = true
            } else if !areNames, word == "--change" {
                // More has to be said before there is anything to show.
                values.add("change", "true")
            } else if !areNames, word.hasPrefix("--") {
                let sides = word.dropFirst(2).split(separator: "=", maxSplits: 1).map(String.init)
                let name = sides.first ?? ""
                let isFlag = fields.contains { $0.name == name && $0.parameter.kind == .flag }
                let said: String? = sides.count == 2 ? sides[1] : isFlag ? "true" : rest.popFirst()
                guard let value = said else { break }
                if fields.contains(where: { $0.name == name }) { values.add(name, value) }
            } else if let place = places.popFirst() {
                // A word in capitals stands for what a person has to say.
                let isPlaceholder = word == place.parameter.valueName.uppercased()
                if !isPlaceholder { values.add(place.name, word) }
            }
        }
    }

    /// Filled in.
    func with(_ name: String, _ value: String) -> ActionForm {
        var form = self
        form.values.add(name, value)
        return form
    }

    /// Of two accounts that become one: the other way round.
    var swapped: ActionForm? {
        guard verb == ["merge"] else { return nil }
        let sides = [("from", values["into"]), ("into", values["from"])]
        return sides.reduce(ActionForm(verb: verb)) { form, side in
            side.1.map { form?.with(side.0, $0) } ?? form
        }
    }

    var path: String {
        ("/do/" + verb.joined(separator: "/")).asking(values.pairs.map { ($0.name, $0.value) })
    }

    /// What is done, and to what.
    ///
    /// - Parameter name: instead of an id.
    func heading(in language: Language, of name: String? = nil) -> String {
        if verb == ["merge"] {
            return ConsolePhrase.mergeInto.text(
                language, (values["from"] ?? "…").shown, (values["into"] ?? "…").shown)
        }
        let names =
            name.map { [$0.shown] }
            ?? fields(in: language).filter(\.isArgument).compactMap { values[$0.name]?.shown }
        guard !names.isEmpty else { return label.text(language) }
        return Phrase.labelled.text(
            language, label.text(language), names.joined(separator: " "))
    }

    func title(in language: Language) -> String {
        (language == .chinese ? help.chinese?.first : nil) ?? help.abstract
    }

    func fields(in language: Language) -> [Field] {
        help.declared.compactMap { parameter in
            let name = parameter.names.last { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
            let field = name ?? parameter.valueName
            guard parameter.isShown, !Self.ownOptions.contains(field) else { return nil }
            let chinese = ChineseHelp.text(of: parameter, of: help)
            return Field(
                parameter: parameter, name: field,
                label: (language == .chinese ? chinese : nil) ?? parameter.text)
        }
    }

    /// The command without its reason, as it would be typed.
    var line: String {
        let fields = fields(in: .english)
        let options = fields.filter { !$0.isArgument && values[$0.name] != nil }.map { field in
            field.parameter.kind == .flag
                ? "--" + field.name
                : "--\(field.name) \(ShellCommand.quoted(values[field.name] ?? ""))"
        }
        let names = fields.filter(\.isArgument).compactMap { values[$0.name] }
        let words = names.map(ShellCommand.quoted)
        // Behind two hyphens a name that begins with one is no option.
        let parts =
            names.contains { $0.hasPrefix("-") } ? options + ["--"] + words : words + options
        return (["usher"] + verb + parts).joined(separator: " ")
    }

    /// Whether everything is filled in that has to be.
    var isFilled: Bool {
        fields(in: .english).allSatisfy { $0.parameter.isOptional || values[$0.name] != nil }
    }

    /// Whether what is made can be named, so that asking again makes it once.
    private var takesKey: Bool { help.declared.contains { $0.names.contains("--id") } }

    /// Whether the service counts all accounts before it answers.
    var counts: Bool { verb.first == "policy" }

    /// The command as it would be typed.
    ///
    /// - Throws: `.said` where it cannot be read.
    func command(
        because reason: String, at sockets: String, in language: Language
    ) throws(CommandFailure) -> any CallingCommand {
        var options = Self.option("reason", reason)
        options += ["--sockets=" + sockets, "--lang=" + language.rawValue]
        var arguments: [String] = []
        for field in fields(in: language) {
            for value in values.all(field.name) where !value.isEmpty {
                switch field.parameter.kind {
                case .positional: arguments.append(value)
                case .flag: options.append("--" + field.name)
                case .option:
                    let parts =
                        field.parameter.isRepeating
                        ? value.split(separator: " ").map(String.init) : [value]
                    options += parts.flatMap { Self.option(field.name, $0) }
                }
            }
        }
        let line = verb + options + ["--"] + arguments
        do {
            guard let named = try NamedCommand(in: line, of: Usher.self),
                let command = try named.type.parseAsRoot(Array(named.arguments))
                    as? any CallingCommand
            else { throw CommandFailure.unreadableAnswer }
            return command
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw .said(RejectedLine(line).sentence(about: error, in: language))
        }
    }

    /// A value that begins with a hyphen belongs to its name by a sign, any other by its place: what
    /// combines with the sign before it would hide that.
    private static func option(_ name: String, _ value: String) -> [String] {
        value.hasPrefix("-") ? ["--\(name)=\(value)"] : ["--" + name, value]
    }

    /// The key of a call that makes something: the same for the same form.
    func key(_ key: String?) -> String? { takesKey ? key : nil }
}

extension CallingCommand {
    /// Does it, and says what was done.
    ///
    /// - Parameter revision: only if nothing that concerns it was recorded since.
    func done(
        ifUnchangedSince revision: Int64?, key: String?, on page: Page
    ) throws(CommandFailure) -> Page {
        var call = try self.call
        call.key = call.key ?? key
        let query = revision.map { "if_revision=\($0)" }
        let answer = try Answered<Report>(received: action.service.carryOut(call, query))
        var page = page
        write(answer.value, to: &page)
        return page
    }

    /// What it would change; nil for what has no preview.
    ///
    /// - Parameter key: as it will be done.
    func previewed(key: String?) throws(CommandFailure) -> Written<EffectAnswer>? {
        guard self is any ActionCommand else { return nil }
        var call = try self.call
        call.key = call.key ?? key
        return try Answered<Written<EffectAnswer>>(
            received: action.service.carryOut(call, "dry_run=true")
        ).value
    }
}

extension ShellCommand {
    /// The words of a line that the program has written: plain, or in single quotes.
    static func words(of line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        var rest = line[...]
        while let character = rest.popFirst() {
            switch character {
            case "'":
                isQuoted.toggle()
                word = word ?? ""
            case "\\" where !isQuoted: word = (word ?? "") + String(rest.popFirst() ?? "\\")
            case " " where !isQuoted:
                if let done = word { words.append(done) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}

/// What the links say that lead to a form.
enum ActionPhrase: String, CaseIterable, UsherText, Wording {
    case approve = "Approve"
    case refuse = "Refuse"
    case transfer = "Transfer"
    case release = "Release"
    case undo = "Undo"
    case give = "Give a payment"
    case settle = "Settle"
    case close = "Close"
    case reassign = "Reassign"
    case grant = "Grant"
    case revoke = "Revoke"
    case block = "Block"
    case unblock = "Unblock"
    case closeAccount = "Close the account"
    case reopen = "Reopen"
    case merge = "Merge"
    case unmerge = "Undo the merge"
    case erase = "Erase"
    case thaw = "Thaw credits"
    case reverse = "Give units back"
    case consent = "Refund consent"
    case consentGiven = "Consent given"
    case consentWithdrawn = "Consent withdrawn"
    case answered = "Mark as answered"
    case resend = "Send again"
    case discard = "Discard"
    case accept = "Accept and activate"
    case rollBack = "Roll back"
    case schedule = "Schedule"
    case unschedule = "Take back"
}
