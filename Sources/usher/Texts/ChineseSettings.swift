internal import EntitlementModel

/// What is said in Chinese of settings.
extension SettingPhrase {
    var chinese: String {
        switch self {
        case .bad: "设置 {0} 不能为“{1}”；可以是：{2}"
        case .placed: "{0}：{1}"
        case .unknown: "{1}：没有名为“{0}”的设置"
        case .withoutValue: "{1}：设置“{0}”没有值；请写 {0}=值"
        case .fileMissing: "没有这个文件"
        case .fileFolder: "这是文件夹，不是文件"
        case .fileUnreadable: "当前用户无法读取该文件"
        case .fileNotText: "该文件不是 UTF-8 的 YAML"
        case .fileNotMapping: "设置须写成“名称: 值”，不能是列表或文本"
        case .fileTwice: "“{0}”写了两次"
        case .fileSyntax: "这不是 YAML：{0}"
        case .unknownVariable: "未知的环境变量 {0}"
        case .didYouMean: "；是不是想写“{0}”？"
        case .range: "{0} 到 {1} 的整数"
        case .mode: "不超过 0777 的八进制权限"
        case .group: "组名或组号"
        case .peers: "uid:N=角色 或 gid:N=角色，以逗号分隔"
        case .callerNames: "uid:N=名称，以逗号分隔，每个用户一次"
        case .baseURL: "https 地址，末尾不带斜杠"
        case .serverURL: "https 地址，或本机的 http 地址，不含用户名、查询和片段"
        case .anyText: "单个文本"
        case .ledgerFile: "一个文件；集群的节点也有自己的文件，另设 fleet.database-file（docs/FLEET.md）"
        case .databaseFile: "一个只有其所有者可读的文件，唯一的一行是数据库的地址"
        case .node: "1 到 64 个可打印字符，不含空格"
        case .ledgerName: "16 到 64 位 0–9、a–f，如“usher status”所示"
        case .databaseUnreadable: "无法读取存放数据库地址的文件“{0}”"
        case .databaseExposed: "存放数据库地址的文件“{0}”可被其所有者以外的人读取；请将其权限设为 0600"
        case .databaseLines: "文件“{0}”必须只有一行：数据库的地址"
        case .databaseVariable: "{0} 必须只有一行：数据库的地址"
        case .twoDatabases: "“fleet.database-file”和 {0} 都指定了数据库；请只保留一个"
        case .withoutDatabases: "此程序在构建时没有启用“PostgreSQL”，而集群的数据库需要它"
        }
    }
}
