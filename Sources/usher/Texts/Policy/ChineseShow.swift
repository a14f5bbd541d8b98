/// What `usher policy show` says instead of tables, in Chinese.
extension ShowPhrase {
    var chinese: String {
        switch self {
        case .unknownEntitlement: "策略中没有权益“{0}”"
        }
    }
}
