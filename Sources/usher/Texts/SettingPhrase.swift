/// What is said of settings.
enum SettingPhrase: Bilingual, CaseIterable {
    case bad
    case unknown
    case unknownVariable
    case didYouMean
    case range
    case mode
    case group
    case peers
    case baseURL
    case anyText

    var texts: (english: String, chinese: String) {
        switch self {
        case .bad: ("the setting %1 cannot be '%2'; it may be: %3", "设置 %1 不能为“%2”；可以是：%3")
        case .unknown: ("%2: there is no setting '%1'", "%2：没有名为“%1”的设置")
        case .unknownVariable:
            ("the environment variable %1 is not one that usher reads", "usher 不读取环境变量 %1")
        case .didYouMean: ("; did you mean '%1'?", "；是不是想写“%1”？")
        case .range: ("a whole number from %1 to %2", "%1 到 %2 的整数")
        case .mode: ("an octal mode up to 0777", "不超过 0777 的八进制权限")
        case .group: ("the name or the number of a group", "组名或组号")
        case .peers: ("uid:N=ROLE or gid:N=ROLE, with commas", "uid:N=角色 或 gid:N=角色，以逗号分隔")
        case .baseURL:
            ("an https address without a slash at its end", "https 地址，末尾不带斜杠")
        case .anyText: ("one text", "单个文本")
        }
    }
}
