internal import EntitlementModel
internal import Glibc
internal import Yams

/// The settings file, looked at for names and shapes only: its values are read by the library.
enum SettingsFile {
    /// Why a file cannot be read at all, and in which line.
    enum Problem: Error {
        case missing
        case folder
        case unreadable
        case notText
        case notMapping(line: Int)
        case twice(name: String, line: Int)
        case syntax(line: Int, problem: String)
    }

    /// False for a file that says nothing, which the library would not read.
    ///
    /// - Throws: `.several` of `.unknownSetting` for names that are none, and of `.badSetting` for
    ///   lists where one value is wanted; `.configuration` for what is no YAML mapping.
    static func saysSomething(_ path: String) throws(CommandFailure) -> Bool {
        let leaves = try leaves(ofFile: path)
        var mistakes: [CommandFailure] = []
        for (name, node) in leaves where !SubscriptionSettings.contains(name) {
            guard let setting = Setting(rawValue: name) else {
                let line = node.mark.map { ":\($0.line)" } ?? ""
                mistakes.append(.unknownSetting(name: name, place: path + line))
                continue
            }
            // An empty list would be no list, and no list is not an empty one.
            guard let list = node.sequence, !setting.isList || list.isEmpty else { continue }
            mistakes.append(.badSetting(setting, value: "[…]"))
        }
        try CommandFailure.throwAny(of: mistakes)
        return !leaves.isEmpty
    }

    /// What the file is; nil where it says nothing.
    ///
    /// - Throws: `.configuration` for what is no YAML mapping.
    static func root(of path: String) throws(CommandFailure) -> Node? {
        do throws(Problem) {
            guard let root = try compose(try text(of: path)) else { return nil }
            guard root.mapping != nil else {
                throw .notMapping(line: root.mark?.line ?? 1)
            }
            return root
        } catch {
            throw .configuration(path, error)
        }
    }

    private static func text(of path: String) throws(Problem) -> String {
        guard !InputFile.isFolder(path) else { throw .folder }
        guard access(path, F_OK) == 0 else { throw .missing }
        guard let bytes = try? InputFile.read(path, limit: 1 << 20) else { throw .unreadable }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
        return text
    }

    private static func compose(_ text: String) throws(Problem) -> Node? {
        do {
            return try Yams.compose(yaml: text)
        } catch YamlError.duplicatedKeysInMapping(let names, let context) {
            throw .twice(name: names.first ?? "", line: context.mark.line)
        } catch YamlError.scanner(_, let problem, let mark, _) {
            throw .syntax(line: mark.line, problem: problem)
        } catch YamlError.parser(_, let problem, let mark, _) {
            throw .syntax(line: mark.line, problem: problem)
        } catch YamlError.composer(_, let problem, let mark, _) {
            throw .syntax(line: mark.line, problem: problem)
        } catch {
            throw .notText
        }
    }

    private static func leaves(
        ofFile path: String
    ) throws(CommandFailure) -> [(name: String, node: Node)] {
        try root(of: path).map { leaves(of: $0, under: "") } ?? []
    }

    private static func leaves(of node: Node, under name: String) -> [(name: String, node: Node)] {
        guard let mapping = node.mapping else { return [(name, node)] }
        return mapping.flatMap { key, value in
            let key = key.string ?? "?"
            return leaves(of: value, under: name.isEmpty ? key : name + "." + key)
        }
    }
}

extension SettingsFile.Problem {
    /// `FILE:LINE: error: what is wrong`.
    func sentence(_ path: String, _ language: Language) -> String {
        let (line, cause): (Int?, String) =
            switch self {
            case .missing: (nil, SettingPhrase.fileMissing.text(language))
            case .folder: (nil, SettingPhrase.fileFolder.text(language))
            case .unreadable: (nil, SettingPhrase.fileUnreadable.text(language))
            case .notText: (nil, SettingPhrase.fileNotText.text(language))
            case .notMapping(let line): (line, SettingPhrase.fileNotMapping.text(language))
            case .twice(let name, let line):
                (line, SettingPhrase.fileTwice.text(language, name.shown))
            case .syntax(let line, let problem):
                (line, SettingPhrase.fileSyntax.text(language, problem.shown))
            }
        let place = path.shown + (line.map { ":\($0)" } ?? "")
        return Phrase.mistake.text(language, place, cause)
    }
}
