/// What the language server says in Chinese.
extension EditingPhrase {
    var chinese: String {
        switch self {
        case .started: "usher {0}：策略文件的语言服务器；位置单位 {1}，语言 {2}"
        case .streamEnded: "编辑器已关闭消息流"
        case .streamUnreadable: "无法继续读取消息流：{0}"
        case .messageRefused: "一条消息被拒绝：{0}"
        case .help: "建议：{0}"
        case .example: "例如：{0}"
        case .moreLikeIt: "另有 {0} 处类似问题"
        case .required: "必填"
        case .oneOf: "可选值：{0}"
        case .writtenLike: "写法如 {0}"
        case .productCount: "{0} 个产品"
        case .write: "改写为 '{0}'"
        case .matches: "匹配 {0}"
        case .givenBy: "由这些产品提供：{0}"
        case .givenByNone: "没有产品提供它"
        case .namedBy: "提到它的规则：{0}"
        case .gives: "提供 {0}"
        case .price: "价格：{0}"
        case .soldAs: "产品：{0}"
        case .levelOf: "所属组：{0}"
        case .andMore: "{0} 等，另有 {1} 项"
        case .products: "涉及的产品：{0}"
        case .allProducts: "涉及全部产品：{0}"
        case .noProducts: "不涉及产品目录中的任何产品"
        case .states: "在这些状态下作出决定：{0}"
        case .before: "排在前面并已决定其部分情形的规则：{0}"
        case .decidesNothing: "不决定任何情形"
        case .openRights: "所有人都有 {0}"
        case .notWhileErrors: "文件夹没有错误之后，才显示规则决定的内容"
        }
    }
}
