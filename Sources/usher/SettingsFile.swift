internal import FoundationEssentials
internal import Yams

/// The settings file, looked at for names and shapes only: its values are read by the library.
enum SettingsFile {
    /// False for a file that says nothing, which the library would not read.
    ///
    /// - Throws: `.unknownSetting` for a name that is none, `.badSetting` for a list where one
    ///   value is wanted, `.unreadableConfiguration` for what is no YAML mapping.
    static func saysSomething(_ path: String) throws(CommandFailure) -> Bool {
        let leaves = try leaves(ofFile: path)
        for (name, node) in leaves {
            guard let setting = Setting(rawValue: name) else {
                throw .unknownSetting(name: name, place: path)
            }
            // An empty list would be no list, and no list is not an empty one.
            guard let list = node.sequence, !setting.isList || list.isEmpty else { continue }
            throw .badSetting(setting, value: "[…]")
        }
        return !leaves.isEmpty
    }

    private static func leaves(
        ofFile path: String
    ) throws(CommandFailure) -> [(name: String, node: Node)] {
        do {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            guard let root = try Yams.compose(yaml: text) else { return [] }
            guard root.mapping != nil else { throw NoMapping() }
            return leaves(of: root, under: "")
        } catch {
            throw .unreadableConfiguration(path)
        }
    }

    private struct NoMapping: Error {}

    private static func leaves(of node: Node, under name: String) -> [(name: String, node: Node)] {
        guard let mapping = node.mapping else { return [(name, node)] }
        return mapping.flatMap { key, value in
            let key = key.string ?? "?"
            return leaves(of: value, under: name.isEmpty ? key : name + "." + key)
        }
    }
}
