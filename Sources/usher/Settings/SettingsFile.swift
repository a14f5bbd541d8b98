internal import EntitlementModel
internal import Glibc
internal import Yams

/// The settings file, read once: what it says, where it says it, and what is wrong with it.
struct SettingsFile {
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

    /// A value and where it stands.
    struct Value {
        let text: String
        /// `FILE:LINE`.
        let place: String
    }

    let path: String
    private(set) var values: [Setting: Value] = [:]
    private(set) var subscriptions = SubscriptionSettings()
    /// `.unknownSetting` for names that are none, `.badSetting` for a list where one value is
    /// wanted, `.configuration` for what is written twice.
    private(set) var mistakes: [CommandFailure] = []

    /// - Throws: `.configuration` for what is not a YAML mapping.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        do throws(Problem) {
            guard let root = try Self.compose(try Self.text(of: path)) else { return }
            guard let mapping = root.mapping else {
                throw .notMapping(line: root.mark?.line ?? 1)
            }
            read(mapping, under: "")
        } catch {
            throw .configuration(path, error)
        }
    }

    private mutating func read(_ mapping: Node.Mapping, under prefix: String) {
        for (key, node) in mapping {
            let name = prefix + (key.string ?? "?")
            if name == SubscriptionSettings.name {
                subscriptions = SubscriptionSettings(node, inFile: path)
            } else if let inner = node.mapping {
                read(inner, under: name + ".")
            } else {
                read(node, as: name)
            }
        }
    }

    private mutating func read(_ node: Node, as name: String) {
        let line = node.mark?.line ?? 1
        let place = "\(path):\(line)"
        guard let setting = Setting(rawValue: name) else {
            return mistakes.append(.unknownSetting(name: name, place: place))
        }
        guard values[setting] == nil else {
            return mistakes.append(.configuration(path, .twice(name: name, line: line)))
        }
        // An empty list would be no list, and no list is not an empty one.
        guard let text = node.scalar?.string ?? (setting.isList ? node.line : nil) else {
            return mistakes.append(.badSetting(setting, value: "[…]", place: place))
        }
        values[setting] = Value(text: text, place: place)
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
}

extension Node {
    /// A list is the same written in one line with commas; nil for an empty one.
    fileprivate var line: String? {
        guard let elements = sequence, !elements.isEmpty else { return nil }
        let texts = elements.compactMap { $0.scalar?.string }
        return texts.count == elements.count ? texts.joined(separator: ",") : nil
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
