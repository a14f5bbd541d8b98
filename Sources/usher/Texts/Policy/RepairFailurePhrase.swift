internal import EntitlementModel

/// Why `usher policy check --fix --write` changed nothing.
enum RepairFailurePhrase: CaseIterable, LocalizedText {
    case readOnly, changedMeanwhile, unwritable

    var english: String {
        switch self {
        case .readOnly: "{0} is read-only; no repair was made"
        case .changedMeanwhile: "{0} has changed since it was read; run the command again"
        case .unwritable: "{0} cannot be replaced in its folder; check permissions and disk space"
        }
    }

    var chinese: String {
        switch self {
        case .readOnly: "{0} 是只读文件；未作任何修改"
        case .changedMeanwhile: "{0} 读取之后又有改动；请重新运行该命令"
        case .unwritable: "无法在所在文件夹中替换 {0}；请检查权限和磁盘空间"
        }
    }
}
