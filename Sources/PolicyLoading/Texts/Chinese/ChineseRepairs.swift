internal import EntitlementModel

/// What is said of repairs in Chinese.
extension RepairPhrase {
    var chinese: String {
        switch self {
        case .choice: "一种可能的改法：{0}"
        case .oneRepair: "1 处修改"
        case .repairs: "{0} 处修改"
        case .lineEnds: "{0}：以 CRLF 或 CR 而非 LF 结尾的行：{1}（共 {2} 行）"
        case .notWritten: "{0}；加上 --write 才会写入文件"
        case .written: "{0}，已写入文件"
        case .nothing: "没有哪一处恰好只有一种改法；文件未改动"
        case .left: "需要您自己决定的："
        }
    }
}
