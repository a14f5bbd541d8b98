extension LedgerProblem {
    /// For people; the code is for programs.
    package var sentences: (english: String, chinese: String) {
        switch self {
        case .file(let message): ("the file is damaged: \(message)", "文件已损坏：\(message)")
        case .missing(let sequence):
            ("entry \(sequence) was removed", "条目 \(sequence) 已被删除")
        case .recordedEarlier(let sequence):
            (
                "entry \(sequence) is recorded before the entry in front of it",
                "条目 \(sequence) 的记录时间早于前一条"
            )
        case .payloadChanged(let sequence):
            (
                "the content of entry \(sequence) was changed after it was written",
                "条目 \(sequence) 的内容在写入后被更改"
            )
        case .chainBroken(let sequence):
            (
                "entry \(sequence) does not follow from the entry in front of it",
                "条目 \(sequence) 与前一条的哈希链断开"
            )
        case .payloadErased(let sequence):
            ("the content of entry \(sequence) was erased", "条目 \(sequence) 的内容已被擦除")
        case .unreadable(let sequence):
            ("entry \(sequence) cannot be read", "条目 \(sequence) 无法读取")
        case .evidenceChanged(let sequence):
            (
                "the bytes of the evidence in entry \(sequence) are gone or were changed",
                "条目 \(sequence) 的凭证字节缺失或被更改"
            )
        case .evidenceErased(let sequence):
            (
                "the bytes of the evidence in entry \(sequence) were erased",
                "条目 \(sequence) 的凭证字节已被擦除"
            )
        case .schemaDiffers(let difference):
            (
                "in the schema, \(difference.sentences.english)",
                "数据库结构中，\(difference.sentences.chinese)"
            )
        case .indexDiffers(let table):
            (
                "the index table '\(table)' does not say what the entries say",
                "索引表“\(table)”与条目不一致"
            )
        case .anchorMissing(let sequence):
            (
                "entry \(sequence) is not the one that the ledger is known to have had",
                "条目 \(sequence) 不是已知账本曾有的那一条"
            )
        }
    }
}
