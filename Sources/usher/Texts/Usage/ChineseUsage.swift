internal import EntitlementModel

/// What is said in Chinese of how a command is used.
extension UsagePhrase {
    var chinese: String {
        switch self {
        case .overview: "概述：{0}"
        case .usage: "用法：{0}"
        case .arguments: "参数："
        case .options: "选项："
        case .subcommands: "子命令："
        case .example: "示例："
        case .error: "错误：{0}"
        case .help: "说明：{0}"
        case .values: "（可选：{0}）"
        case .standard: "（缺省：{0}）"
        case .moreHelp: "更多信息见“{0} --help”。"
        case .seeHelp: "各子命令的说明见“{0} help <子命令>”。"
        case .unknownOptionMeant: "未知的选项“{0}”；是不是想写“{1}”？"
        case .unknownOption: "未知的选项“{0}”"
        case .missingValue: "“{0}”缺少值"
        case .takesNoValue: "选项“{0}”不带值，这里却写了“{1}”"
        case .unexpected: "多余的参数“{0}”"
        case .severalUnexpected: "多余的 {0} 个参数：{1}"
        case .missingArgument: "缺少参数“{0}”"
        case .notOneOf: "“{1}”不能为“{0}”；可以是：{2}"
        case .invalidBecause: "“{1}”不能为“{0}”：{2}"
        case .invalid: "“{1}”不能为“{0}”"
        }
    }
}
