/// What is said in Chinese of repairs that were not made, and of unknown names.
extension RepairFailurePhrase {
    var chinese: String {
        switch self {
        case .readOnly: "{0} 是只读文件；未作任何修改"
        case .changedMeanwhile: "{0} 读取之后又有改动；请重新运行该命令"
        case .unwritable: "无法在所在文件夹中替换 {0}；请检查权限和磁盘空间"
        }
    }
}

extension ExplainUnknownPhrase {
    var chinese: String {
        switch self {
        case .unknown: "“{0}”不是诊断、待关注事项或键，策略里也没有这个名称"
        case .unknownNear:
            "“{0}”不是诊断、待关注事项或键，策略里也没有这个名称；是不是想写“{1}”？"
        }
    }
}
